import HaulHTTP
import HaulTransfer
import Testing

@testable import HaulCLI

/// What people type who come from curl, wget and aria2.
@Suite struct HabitTests {
  let url = "http://127.0.0.1:1/file"

  func parse(_ arguments: String...) throws(UsageError) -> GetOptions {
    try Parser.parse(arguments + [url], environment: EnvironmentSettings { _ in nil })
  }

  @Test func namesOfOtherProgramsAreRead() throws {
    let curl = try parse("-fsSLo", "name", "-k", "-u", "me:secret", "--retry", "3")
    #expect(curl.output == "name")
    #expect(curl.isQuiet)
    #expect(curl.isInsecure)
    #expect(curl.credentials?.user == "me")
    #expect(curl.retries.tries == 3)
    let wget = try parse("--output-document=name", "-P", "folder", "-c", "--no-check-certificate")
    #expect(wget.output == "name")
    #expect(wget.folder == "folder")
    #expect(wget.isInsecure)
    let aria2 = try parse(
      "--dir=folder", "--out=name", "--split=4", "--checksum=md5=d41d8cd98f00b204e9800998ecf8427e")
    #expect(aria2.folder == "folder")
    #expect(aria2.output == "name")
    #expect(aria2.digest?.algorithm.rawValue == "md5")
  }

  @Test func noNameMeansTwoThings() {
    let names = GetOptionTable.all.flatMap { option in
      ["--" + option.long] + (option.short.map { ["-\($0)"] } ?? []) + option.aliases
    }
    let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(repeated.isEmpty, "\(repeated)")
    for name in Habits.all { #expect(!names.contains(name), "\(name) has a hint, and exists") }
  }

  @Test(arguments: Habits.all)
  func whatCannotBeReadHasAHint(_ name: String) throws {
    let error = #expect(throws: UsageError.self) { try parse(name) }
    #expect(error?.message.hasPrefix("there is no option \(name): ") == true)
  }

  /// Hints that led to something else than what was meant.
  @Test(arguments: [
    (
      "--auto-file-renaming=false",
      "there is no option --auto-file-renaming: for false use --exists fail"
    ),
    ("-U", "the user agent is -A TEXT"),
    ("-m", "timeout 60 haul get URL"),
    ("--max-time", "timeout 60 haul get URL"),
    ("--proxy-header", "gets no fields"),
    ("-nv", "there is no option -nv: use --progress none"),
    ("-nd", "there is no option -nd: it is always so"),
    ("-nc", "there is no option -nc: use --exists fail"),
    ("--no-clobber", "where size or time differ or are not told"),
    ("-qO-", "there is no option -O-: use -o -"),
    ("-O-", "there is no option -O-: use -o -"),
    ("-qO", "there is no option -O: the server's name is taken"),
    ("--no-progress", "use --progress none"),
    ("--follow-metalink=mem", "use --metalink FILE"),
  ])
  func aHintLeadsToWhatWasMeant(_ option: String, _ says: String) {
    let error = #expect(throws: UsageError.self) { try parse(option) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  /// Options without a hint, for which the nearest name was offered, or nothing.
  @Test(arguments: [
    "--password", "--http-user", "--http-password", "--ask-password", "--compressed", "--overwrite",
    "--skip", "--force", "--sha256", "--threads", "--read-timeout", "--retry-delay", "--wait",
    "--trust-server-names", "--file-allocation", "--max-file-not-found", "-y", "-Y", "--url", "-F",
    "--post-data", "-l", "-a", "--log", "--follow-metalink", "--preferred-location",
    "--min-split-size", "--parallel-immediate", "--summary-interval", "--console-log-level",
  ])
  func whatPeopleTypeIsKnown(_ option: String) {
    #expect(Habits.hint(for: option) != nil)
  }

  /// What is so anyway is read. Of `-fsSL` the `-f` counted as `-c`, which `-o -` refuses.
  @Test func whatIsAlwaysSoIsRead() throws {
    let options = try parse(
      "--create-dirs", "-R", "--remote-time", "--remote-name-all", "--resume", "-fsSL")
    #expect(options.isQuiet)
    #expect(try parse("-fsSLo", "-").isStreaming)
    #expect(throws: UsageError.self) { try parse("-co", "-") }
  }

  @Test func hintsNameOptionsThatExist() throws {
    for name in Habits.all {
      let hint = try #require(Habits.hint(for: name))
      for word in hint.split(whereSeparator: { " ,;:".contains($0) }) where word.hasPrefix("-") {
        // The name of standard output.
        if word == "--version" || word == "-" { continue }
        let isThere =
          word.hasPrefix("--")
          ? GetOptionTable.option(String(word.dropFirst(2))) != nil
          : GetOptionTable.option(word.last ?? "-") != nil
        #expect(isThere, "\(name): \(word)")
      }
    }
  }

  /// `-s` is quiet here, and its number was called an address without a scheme, or an option.
  @Test(arguments: [
    ["-x", "8", "-s", "8"], ["-x8", "-s16"], ["-k", "1M"], ["-k1M"], ["-qs", "8"], ["-k", "20m"],
  ])
  func aNumberBehindAFlagIsAHabitOfAria2(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) {
      try Parser.parse(arguments + [url], environment: EnvironmentSettings { _ in nil })
    }
    let says = "for connections use -x N; there is no piece size to choose"
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("takes no value") == true)
  }

  @Test func whatIsNoSuchHabitIsLeftAlone() throws {
    // IPv4 and quiet, as curl has it.
    #expect(try parse("-s4").connection.addressFamily == .ipv4)
    #expect(try parse("-ds", "8").urls == ["8", url])
    #expect(try parse("-s", "--", "8").urls == ["8", url])
    #expect(try parse("--silent", "8").urls == ["8", url])
  }

  /// A value was said to be that of `-x`, also where it was written as something else.
  @Test(arguments: [
    ("--split=http://h/", "--split takes a whole number from 1 to 64, not “http://h/”"),
    ("--max-connection-per-server=0", "--max-connection-per-server takes a whole number"),
    ("--connections=a", "--connections takes"), ("-xa", "-x takes"),
    ("--retry=x", "--retry takes"), ("--max-overall-download-limit=x", "--max-overall-download"),
    ("--checksum=x", "--checksum takes sha-256=HEX"), ("-ux", "-u takes USER:PASSWORD"),
    ("--load-cookies=/does/not/exist", "--load-cookies: the file"),
    ("--no-check-certificate=x", "--no-check-certificate takes no value but yes or no"),
    ("--out=a/", "--out needs the name of a file"), ("--bind-address=x", "--bind-address takes"),
    ("--ca-certificate=/does/not/exist", "--ca-certificate: “/does/not/exist”"),
  ])
  func messagesNameTheOptionThatWasUsed(_ option: String, _ says: String) {
    let error = #expect(throws: UsageError.self) { try parse(option) }
    #expect(error?.message.hasPrefix(says) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("HAUL_CONNECTIONS", "abc", "the variable HAUL_CONNECTIONS takes a whole number from 1 to 64"),
    ("HAUL_JSON", "maybe", "the variable HAUL_JSON takes no value but yes or no"),
    ("HAUL_PROXY", "ftp://h", "the variable HAUL_PROXY takes http://HOST:PORT"),
    ("HAUL_NETRC_FILE", "~/x", "the variable HAUL_NETRC_FILE: “~/x”"),
  ])
  func messagesNameTheVariable(_ variable: String, _ value: String, _ says: String) {
    let error = #expect(throws: UsageError.self) {
      try Parser.parse([url], environment: EnvironmentSettings { [variable: value][$0] })
    }
    #expect(error?.message.hasPrefix(says) == true, "\(error?.message ?? "")")
  }

  @Test func aProxyIsNoNumberOfConnections() throws {
    let error = #expect(throws: UsageError.self) { try parse("-x", "http://proxy:3128") }
    #expect(error?.message.contains("for a proxy use --proxy") == true)
  }
}
