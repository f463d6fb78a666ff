import HaulTestKit
import Testing

/// `-i`: lists of URLs, from a file and from standard input.
@Suite(.timeLimit(.minutes(1))) struct ListTests {
  let folder: TemporaryFolder
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    origin = try HostileOrigin { request in
      request.path.hasPrefix("/missing")
        ? OriginResponse(status: 404, text: "none")
        : OriginResource(Self.content(request.path)).respond(to: request)
    }
  }

  /// Each path has content of its own.
  static func content(_ path: String) -> OriginContent {
    OriginContent(size: 5_000, seed: path.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
  }

  func holds(_ path: String, as name: String) {
    #expect(Self.content(path).matches(path: folder.path(name)), "\(name)")
  }

  @Test(arguments: ["-i -", "-i list", "--input=list"])
  func namesCommentsBlankLinesAndOddLineEnds(_ option: String) async throws {
    let list = """
      # a comment
        # another\r
      \(origin.url("/a"))
      \r
      \t
      \(origin.url("/b"))\tname b\r
      \(origin.url("/c"))\t\t\r
       \(origin.url("/d")) \u{20}
      \(origin.url("/e#part"))\t
      \(origin.url("/last"))
      """
    try folder.write(text: list, to: "list")
    let arguments = option.split(separator: " ").map(String.init)
    let outcome = try await Haul.run(
      ["get", "-d", "out"] + arguments, in: folder.path, input: option == "-i -" ? list : "")
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    let names = ["a", "c", "d", "e", "last", "name b"]
    #expect(folder.names(in: "out") == names)
    #expect(outcome.paths.sorted() == names.map { "out/\($0)" })
    for name in ["a", "c", "d", "e", "last"] { holds("/\(name)", as: "out/\(name)") }
    holds("/b", as: "out/name b")
  }

  @Test func aByteOrderMarkIsNoPartOfTheURL() async throws {
    let outcome = try await Haul.get(
      "-i", "-", in: folder.path, input: "\u{FEFF}\(origin.url("/a"))\r\n")
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.names() == ["a"])
  }

  @Test func digestsOfAList() async throws {
    let digest = "sha-256=\(String(repeating: "0", count: 64))"
    let outcome = try await Haul.get(
      "-i", "-", in: folder.path,
      input: "\(origin.url("/a"))\tx\t\(digest)\n\(origin.url("/b"))\t\t\(digest)\n")
    #expect(outcome.exit == .exited(5))
    #expect(outcome.output == "")
    #expect(outcome.error.contains("[digest-mismatch]"))
    #expect(folder.names() == [])
  }

  /// A bad line costs that line only, and is told with its number.
  @Test(arguments: [
    ("URL\ta/b", "a name cannot contain"),
    // With a combining mark behind it a slash or a tab is another character, but the same byte.
    ("URL\ta/\u{301}b", "a name cannot contain"),
    ("URL\t\u{301}a/b", "a name cannot contain"),
    ("URL\t..", "needs the name of a file"),
    ("URL\tx.haul-part", "are Haul's own"),
    ("URL\tname\tsha-256=12", "use sha-256=HEX"),
    ("URL\tname\tcrc32=12345678", "use sha-256=HEX"),
    ("URL\tname\t\textra", "URL TAB name TAB digest"),
    ("not-a-url", "The address has no scheme"), ("http://h/a b", "columns are separated by TAB"),
    ("http:///file", "The address has no host"),
  ])
  func badLine(_ line: String, _ says: String) async throws {
    let bad = line.replacing("URL", with: origin.url("/bad"))
    let outcome = try await Haul.get(
      "-i", "-", in: folder.path,
      input: "\(origin.url("/a"))\n\(bad)\n\(origin.url("/b"))\n")
    #expect(outcome.exit == .exited(2), "\(outcome.error)")
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(outcome.error.contains("line 2 of the list"), "\(outcome.error)")
    #expect(outcome.paths.sorted() == ["a", "b"])
    #expect(folder.names() == ["a", "b"])
    #expect(origin.requests.count == 2)
  }

  @Test func urlsOfTheCommandLineComeFirst() async throws {
    let outcome = try await Haul.get(
      "-j", "1", "-i", "-", origin.url("/first"), in: folder.path,
      input: "\(origin.url("/second"))\n")
    #expect(outcome.exit == .exited(0))
    #expect(outcome.paths == ["first", "second"])
  }

  /// A folder can be opened but not read: the list seemed to be empty, and nothing fetched was
  /// reported as everything fetched, with 0.
  @Test func aListThatCannotBeReadIsNotAnEmptyOne() async throws {
    try folder.makeFolder("list")
    let outcome = try await Haul.get("-i", "list", origin.url("/a"), in: folder.path)
    #expect(outcome.exit == .exited(2), "\(outcome.error)")
    #expect(outcome.error.contains("cannot be read"), "\(outcome.error)")
    #expect(folder.names() == ["a", "list"])
  }

  @Test func closedStandardInputIsNoEmptyList() async throws {
    let outcome = await Outcome(of: try Haul.shell("\"$haul\" get -i - <&-", in: folder.path))
    #expect(outcome.exit == .exited(2), "\(outcome.error)")
    #expect(outcome.error.contains("cannot be read"), "\(outcome.error)")
  }

  @Test func anEmptyListIsDone() async throws {
    let outcome = try await Haul.get("-i", "-", in: folder.path, input: "# nothing\n\n")
    #expect(outcome.exit == .exited(0))
    #expect(outcome.output == "")
  }

  /// The rest of such a line was read as one of its own: a comment was fetched, and a digest lost.
  @Test(arguments: ["# comment", "URL\t\t"])
  func aLineThatIsTooLongIsRefusedAsAWhole(_ start: String) async throws {
    let line =
      start.replacing("URL", with: origin.url("/long")) + String(repeating: "c", count: 147_000)
    let rest = line + String(repeating: " ", count: 200_000) + origin.url("/rest")
    let outcome = try await Haul.get(
      "-i", "-", in: folder.path, input: "\(rest)\n\(origin.url("/a"))\n\(line)")
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("line 1 of the list has more than 131072 bytes"))
    #expect(outcome.error.contains("line 3 of the list has more than 131072 bytes"))
    #expect(outcome.error.utf8.count < 10_000)
    #expect(folder.names() == ["a"])
    #expect(origin.requests.count == 1)
  }

  /// They were repaired, and another address was fetched, or two files became one.
  @Test func whatIsNotUTF8IsRefused() async throws {
    let outcome = await Outcome(
      of: try Haul.shell(
        "printf '\(origin.url("/\\377"))\\n\(origin.url("/a"))\\n' | \"$haul\" get -i -",
        in: folder.path))
    #expect(outcome.exit == .exited(2), "\(outcome.error)")
    #expect(outcome.error.contains("line 1 of the list is not UTF-8"))
    #expect(folder.names() == ["a"])
    let argument = await Outcome(
      of: try Haul.shell(
        "\"$haul\" get -o \"$(printf 'v\\377')\" \(origin.url("/b"))", in: folder.path))
    #expect(argument.exit == .exited(2))
    #expect(argument.error.contains("an argument is not UTF-8"))
    #expect(folder.names() == ["a"])
    #expect(origin.requests.count == 1)
  }

  @Test func noMoreFilesAtOnceThanAskedFor() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { request in
      OriginResource(Self.content(request.path)).respond(to: request).stalling(after: 100, at: gate)
    }
    let list = (0..<9).map { "\(origin.url("/\($0)"))\n" }.joined()
    let child = try Haul.start(
      ["get", "--low-speed=0", "-j", "4", "-i", "-"], in: folder.path, input: list)
    await gate.waitUntilReached(4)
    #expect(origin.requests.count == 4)
    gate.open()
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0))
    #expect(origin.peakConnections <= 4)
    #expect(folder.names() == (0..<9).map { "\($0)" })
    for number in 0..<9 { holds("/\(number)", as: "\(number)") }
  }

  /// D4: with room for few descriptors, a long list is fetched to its end: none is left open.
  @Test func aLongListNeedsFewDescriptors() async throws {
    let list = (0..<600).map { "\(origin.url("/n\($0)"))\n" }.joined()
    try folder.write(Array(list.utf8), to: "list")
    let child = try Haul.shell(
      "ulimit -n 100; mkdir out; exec \"$haul\" get -q --no-sync -j 8 -d out -i list",
      in: folder.path)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.paths.count == 600)
    for number in stride(from: 0, to: 600, by: 7) { holds("/n\(number)", as: "out/n\(number)") }
  }

  /// They were refused as “in use” while the first one ran, and doubled as `a (1)` after it.
  @Test(arguments: [1, 6])
  func whatIsRepeatedIsFetchedOnce(_ parallel: Int) async throws {
    let list = String(repeating: "\(origin.url("/a"))\n", count: 6)
    let outcome = try await Haul.get(
      "-j", "\(parallel)", "-i", "-", origin.url("/a"), in: folder.path, input: list)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.paths.count == 1)
    #expect(folder.names() == ["a"])
    #expect(origin.requests.count == 1)
    #expect(outcome.error.contains("was asked for before; once is enough"))
    holds("/a", as: "a")
  }

  @Test func anotherNameIsAnotherFile() async throws {
    let list = "\(origin.url("/a"))\tone\n\(origin.url("/a"))\ttwo\n"
    let outcome = try await Haul.get("-j", "1", "-i", "-", in: folder.path, input: list)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.names() == ["one", "two"])
  }
}
