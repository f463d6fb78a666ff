import HaulTestKit
import Testing

@testable import HaulCLI

/// A command line that is refused, and what the message has to show.
struct Refused: Sendable, CustomTestStringConvertible {
  var option: String
  var values: [String]
  var says: String

  init(_ option: String, _ values: [String], _ says: String) {
    self.option = option
    self.values = values
    self.says = says
  }

  var testDescription: String { option }

  static let values: [Refused] = [
    Refused("--output", [""], "use --output FILE"),
    Refused("--output", ["sub/", "..", "sub/..", "/", "."], "for a folder use -d"),
    Refused("--output", ["x.haul-part", "x.haul-journal", "a/x.haul-bad"], ".haul-part"),
    Refused("--directory", [""], "use -d FOLDER"),
    Refused("--exists", ["", "maybe", "Rename"], "rename, overwrite, skip or fail"),
    Refused(
      "--digest", ["", "sha-256", "sha-256=", "sha-256=12", "crc=00", "sha-256=\(hex(63))g"],
      "sha-256=HEX (64 digits)"),
    Refused("--digest-from", [""], "--digest-from URL or FILE"),
    Refused("--digest-from", ["ftp://h/x", "file:///x"], "http or https"),
    Refused("--digest-from", ["http://", "http://h:99999/"], "--digest-from: "),
    Refused("--digest-from", ["/does/not/exist", "/"], "cannot be read"),
    Refused("--expect", ["", "video", "video/", "/mp4", "a/b/c", "vi deo/mp4"], "video/mp4"),
    Refused("--max-filesize", sizes, "4096, 500k, 1.5M or 2G"),
    Refused("--limit-rate", sizes, "4096, 500k, 1.5M or 2G"),
    Refused("--low-speed", sizes, "4096, 500k, 1.5M or 2G"),
    Refused("--header", fields, "--header"),
    Refused("--secret-header", fields, "--secret-header"),
    Refused("--user", ["", "me", ":secret"], "USER:PASSWORD"),
    Refused("--user-agent", ["a\r\nX: y", "a\u{7F}"], "--user-agent"),
    Refused("--referer", ["http://a/\nX: y"], "--referer"),
    Refused(
      "--proxy", ["ftp://h:1", "http://", "a b", "http://h:99999", "://"], "http://HOST:PORT"),
    Refused(
      "--noproxy", ["http://a.test", "a.test:80", "*.a.test", "a,*", "10.0.0.0/33"], "example.com"),
    Refused("--proxy-cacert", ["/does/not/exist", ""], "--proxy-cacert"),
    Refused("--interface", ["", "nonexistent9", "1.2.3", "a.test"], "(lo"),
    Refused("--netrc-file", ["/does/not/exist"], "the netrc “/does/not/exist” cannot be read"),
    Refused("--netrc-file", [""], "--netrc-file FILE"),
    Refused("--netrc-file", ["/dev/null"], "has no entry such as: machine HOST"),
    Refused("--cookie", ["/does/not/exist"], "for a cookie itself use --cookie 'NAME=VALUE'"),
    Refused("--cookie", ["", "-"], "--cookie 'NAME=VALUE'"),
    Refused("--cookie", ["/etc/passwd"], "line 1 of “/etc/passwd” is no cookie in Netscape's"),
    Refused("--cookie", ["a=b\nX: y"], "control characters"),
    Refused("--cert", ["", "/does/not/exist", "/does/not/exist:secret"], "--cert"),
    Refused("--cert", ["/dev/null"], "openssl pkcs12"),
    Refused("--key", ["", "key.pem"], "--key"),
    Refused("--cacert", ["/does/not/exist", ""], "--cacert"),
    Refused("--max-redirs", counts + ["1001"], "from 0 to 1000"),
    Refused("--input", [""], "-i FILE"),
    Refused("--input", ["/does/not/exist"], "cannot be read"),
    Refused("--metalink", [""], "--metalink FILE"),
    Refused("--metalink", ["/does/not/exist", "/"], "cannot be read"),
    Refused(
      "--metalink", ["/dev/null"], "the Metalink file “/dev/null” cannot be used: it is empty"),
    Refused("--mirror", ["", "m.test/f", "http://", "http://h:99999/"], "--mirror: The "),
    Refused("--mirror", ["ftp://me:secret@m.test/f"], "has the scheme “ftp”"),
    Refused("--jobs", counts + ["0", "1001"], "from 1 to 1000"),
    Refused("--max-host-connections", counts + ["0", "1001"], "from 1 to 1000"),
    Refused("--connections", counts + ["0", "65"], "from 1 to 64"),
    Refused("--tries", counts + ["0"], "from 1 to"),
    Refused("--retry-max-delay", seconds, "seconds such as 20 or 2.5"),
    Refused("--connect-timeout", seconds + ["0"], "seconds such as 20 or 2.5"),
    Refused("--progress", ["", "bars"], "auto, bar, plain or none"),
    Refused("--color", ["", "yes"], "auto, always or never"),
    Refused("--config", ["/does/not/exist", "/"], "cannot be read"),
    Refused("--help", ["nonsense"], "there is no help on “nonsense”"),
  ]

  private static let sizes = [
    "", "-1", "x", "1x", "G", "1.2.3", "99999999999999999999", "9999999T", "1e3", "5iB", "5BB",
  ]
  private static let counts = ["", "-1", "x", "1.5", "99999999999999999999"]
  private static let seconds = ["", "-1", "x", "nan", "inf", "1e300"]
  private static let fields = [
    "", "no colon", ": x", "a b: c", "X: a\nb", "X: a\rb", "Range: bytes=0-", "if-range: x",
    "HOST: x", "Content-Length: 1",
  ]

  private static func hex(_ count: Int) -> String { String(repeating: "0", count: count) }
}

/// Every mistake on the command line is refused with 2, before anything is fetched or written,
/// and the message shows the right form.
@Suite(.timeLimit(.minutes(1))) struct OptionErrorTests {
  let url = "http://127.0.0.1:1/file"

  func refuses(_ arguments: [String], _ says: String) async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Haul.run(["get"] + arguments, in: folder.path)
    #expect(outcome.exit == .exited(2), "\(arguments): \(outcome.error)")
    #expect(outcome.output == "", "\(arguments)")
    #expect(outcome.error.hasPrefix("haul: "), "\(arguments)")
    #expect(outcome.error.contains(says), "\(arguments): \(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 1, "\(arguments): \(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test(arguments: Refused.values)
  func badValue(_ row: Refused) async throws {
    for value in row.values { try await refuses(["\(row.option)=\(value)", url], row.says) }
  }

  @Test func everyOptionWithAValueIsTriedWithBadOnes() {
    let tried = Set(Refused.values.map { String($0.option.dropFirst(2)) })
    let all = GetOptionTable.all.filter { $0.value != nil }.map(\.long)
    #expect(Set(all) == tried)
  }

  @Test(arguments: GetOptionTable.all.map(\.long))
  func valueThatIsMissingOrTooMuch(_ name: String) async throws {
    let option = try #require(GetOptionTable.all.first { $0.long == name })
    guard let form = option.value else {
      return try await refuses([url, "--\(name)=maybe"], "--\(name) takes no value but yes or no")
    }
    guard !form.isOptional else { return }
    let value = form.name
    try await refuses([url, "--\(name)"], "--\(name) needs a value: --\(name) \(value)")
    guard let short = option.short else { return }
    try await refuses([url, "-\(short)"], "-\(short) needs a value: -\(short) \(value)")
    // At the end of a cluster it is the same.
    try await refuses([url, "-q\(short)"], "-\(short) needs a value: -\(short) \(value)")
  }

  @Test(arguments: [
    ("--ouput", "did you mean --output?"),
    ("--limitrate", "did you mean --limit-rate?"),
    ("--Quiet", "did you mean --quiet?"),
    ("--retries=3", "did you mean --tries?"),
    ("--xyzzy-plugh", "see haul get --help=all"),
    ("--remote-name", "-o FILE chooses another"),
    ("-Z", "there is no option -Z"),
    ("-qZ", "there is no option -Z"),
    ("-é", "there is no option -é"),
    ("--=x", "there is no option --"),
  ])
  func unknownOption(_ option: String, _ says: String) async throws {
    try await refuses([option, url], says)
  }

  @Test func whatNeedsOneURL() async throws {
    try await refuses([], "no URL was given: haul get https://example.com/file")
    try await refuses(["-q"], "no URL was given")
    try await refuses(["--"], "no URL was given")
    try await refuses(["-o", "x", url, url], "-o names one file")
    try await refuses(["-o", "x", "-i", "-"], "-o names one file")
    try await refuses(
      ["--digest", "md5=\(String(repeating: "0", count: 32))", "--digest-from", "-", url],
      "--digest and --digest-from were both given")
    try await refuses(["--digest-from", "-", "-i", "-"], "standard input can be the list or")
    try await refuses(["--digest-from", "-", "--digest-from", "x", url], "was given twice")
    let digest = "--digest=md5=d41d8cd98f00b204e9800998ecf8427e"
    try await refuses([digest, url, url], "URL TAB NAME TAB sha-256=HEX")
    try await refuses([digest, "-i", "-"], "URL TAB NAME TAB sha-256=HEX")
  }

  /// It was ignored, and whoever waited for the events waited in vain.
  @Test func segmentsAreOfEvents() async throws {
    try await refuses(["--json-segments", url], "give those, too: --json --json-segments")
    try await refuses(["--json-segments", "--json=no", url], "give those, too: --json")
    let settings = EnvironmentSettings {
      ["HAUL_JSON_SEGMENTS": "yes"][$0]
    }
    #expect(try Parser.parse([url], environment: settings).tellsSegments)
    #expect(try Parser.parse(["--json-segments=no", url], environment: settings).isJSON == false)
  }

  @Test(arguments: [
    "", "file", "/file", "http:", "http://", "http:///x", "http://h:0/", "http://a b/",
  ])
  func whatIsNoURL(_ url: String) async throws {
    try await refuses([url], "The ")
  }

  @Test func afterTwoDashesNothingIsAnOption() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Haul.run(["get", "--", "--help"], in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("The address has no scheme"), "\(outcome.error)")
  }

  /// `-k 1M`, as aria2 has it, switched the checks off, and fetched the file before it was told.
  @Test func whatIsNoURLIsFoundOutBeforeAnythingIsFetched() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 200, text: "x") }
    try await refuses(["-k", "1M", origin.url("/file")], "there is no piece size to choose")
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: [["--help"], ["--version"], ["get", "--help"], ["help", "exit"], ["manual"]])
  func aTextThatCannotBeWrittenIsAFailure(_ arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let command = "\"$haul\" \(arguments.joined(separator: " ")) >/dev/full"
    let outcome = await Outcome(of: try Haul.shell(command, in: folder.path))
    #expect(outcome.exit == .exited(6))
    #expect(outcome.error.hasPrefix("haul: standard output cannot be written to"))
  }

  @Test func commands() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let none = try await Haul.run([], in: folder)
    #expect(none.exit == .exited(2))
    #expect(none.output == "")
    #expect(none.error.contains("haul get [OPTION]... URL..."))
    let unknown = try await Haul.run(["frob"], in: folder)
    #expect(unknown.exit == .exited(2))
    #expect(unknown.error == "haul: there is no command “frob”; see haul --help\n")
    let direct = try await Haul.run([url], in: folder)
    #expect(direct.exit == .exited(2))
    #expect(direct.error == "haul: to fetch that: haul get \(url)\n")
    for arguments in [
      ["--help"], ["-h"], ["help"], ["--version"], ["get", "--help"], ["get", "-qh"],
    ] {
      let outcome = try await Haul.run(arguments, in: folder)
      #expect(outcome.exit == .exited(0))
      #expect(outcome.error == "")
      #expect(outcome.output.contains("haul"))
    }
  }
}
