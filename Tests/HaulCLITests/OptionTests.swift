import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// What options do when they are right: read in the ways of GNU programs, and seen by the server.
@Suite(.timeLimit(.minutes(1))) struct OptionTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 60_000, seed: 11)

  init() throws {
    folder = try TemporaryFolder()
  }

  func origin() throws -> HostileOrigin {
    let resource = OriginResource(content)
    return try HostileOrigin { resource.respond(to: $0) }
  }

  @Test func sizesAreBinary() throws {
    let sizes: [(String, Int64)] = [
      ("1", 1), ("4096", 4096), ("500k", 512_000), ("500K", 512_000), ("1.5M", 1_572_864),
      ("2G", 2 << 30), ("1T", 1 << 40), ("3MiB", 3 << 20), ("3kB", 3072), ("7B", 7), ("0.5k", 512),
    ]
    for (text, bytes) in sizes {
      let options = try Parser.parse(["--limit-rate", text, "http://h/"])
      #expect(options.limitRate == bytes, "\(text)")
    }
  }

  /// As many as are asked for in another way, and sixteen without a word.
  @Test(arguments: [
    ("", 16), ("-x 4", 16), ("-x 32", 32), ("-j 100 -x 32", 100), ("--max-host-connections 2", 2),
    ("-j 100 --max-host-connections=3", 3),
  ])
  func connectionsToOneServerAreLimited(_ text: String, _ count: Int) throws {
    let arguments = text.split(separator: " ").map(String.init)
    #expect(try Parser.parse(arguments + ["http://h/"]).hostConnections == count)
  }

  @Test func filesOfOneServerWaitForEachOther() async throws {
    let origin = try origin()
    let outcome = try await Haul.get(
      "--max-host-connections", "1", "-j", "4", "--json", origin.url("/a"), origin.url("/b"),
      origin.url("/c"), origin.url("/d"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(origin.peakRequests == 1)
    #expect(origin.peakPeers == 1)
    #expect(folder.names() == ["a", "b", "c", "d"])
  }

  @Test func shortOnesMayBeClusteredAndTakeTheRestAsTheirValue() throws {
    let options = try Parser.parse(["-qcj7", "http://h/a", "-d", "sub", "-x3", "-oname"])
    #expect(options.isQuiet)
    #expect(options.parallel == 7)
    #expect(options.connections == 3)
    #expect(options.folder == "sub")
    #expect(options.output == "name")
    #expect(options.urls == ["http://h/a"])
  }

  @Test func aValueMayHoldAnEqualsSignOrBeginWithADash() throws {
    let options = try Parser.parse([
      "--header=X: a=b", "--user-agent", "-x", "--directory=-dash", "--", "http://h/a=b", "-q",
    ])
    #expect(options.fields.first?.field.value == "a=b")
    #expect(options.userAgent == "-x")
    #expect(options.folder == "-dash")
    #expect(options.urls == ["http://h/a=b", "-q"])
    #expect(!options.isQuiet)
  }

  @Test func theLastOfAnOptionCountsAndFieldsAddUp() throws {
    let options = try Parser.parse([
      "--exists=skip", "--exists=overwrite", "-H", "A: 1", "-H", "B: 2", "http://h/",
    ])
    #expect(options.existing == .overwrite)
    #expect(options.fields.map(\.field.name) == ["A", "B"])
  }

  @Test(arguments: [
    "", "http://h:1", "https://u:p@h", "socks5h://127.0.0.1:9", "socks4://h", "socks4a://h:1",
    "socks5://[::1]:1080", "h:3128",
  ])
  func proxiesThatAreTaken(_ proxy: String) throws {
    #expect(try Parser.parse(["--proxy", proxy, "http://h/"]).proxy == proxy)
  }

  @Test func theServerSeesWhatWasAskedFor() async throws {
    let origin = try origin()
    let outcome = try await Haul.get(
      "-H", "X-Plain: a b", "--secret-header", "X-Secret: s", "--user", "me:pa:ss", "-A", "agent/1",
      "-e", "http://from/", origin.url("/file?q=1"), "--low-speed", "1", "--connect-timeout", "5",
      in: folder.path)
    #expect(outcome.exit == .exited(0))
    let request = try #require(origin.requests.first)
    #expect(origin.requests.count == 1)
    #expect(request.target == "/file?q=1")
    #expect(request.header("X-Plain") == "a b")
    #expect(request.header("X-Secret") == "s")
    #expect(request.header("Authorization") == "Basic bWU6cGE6c3M=")
    #expect(request.header("User-Agent") == "agent/1")
    #expect(request.header("Referer") == "http://from/")
    for secret in ["pa:ss", "X-Secret", "bWU6"] { #expect(!outcome.error.contains(secret)) }
  }

  @Test func theNameMayLieInFoldersThatAreMade() async throws {
    let origin = try origin()
    let outcome = try await Haul.get(
      "-d", "a/b", "-o", "c/name", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.paths == ["a/b/c/name"])
    #expect(folder.names() == ["a"])
    #expect(folder.names(in: "a/b/c") == ["name"])
    #expect(content.matches(path: folder.path("a/b/c/name")))
  }

  @Test func anAbsoluteNameRulesTheFolder() async throws {
    let origin = try origin()
    let other = try TemporaryFolder()
    let outcome = try await Haul.get(
      "-d", "a", "-o", other.path("name"), origin.url("/file"), in: folder.path)
    #expect(outcome.paths == [other.path("name")])
    #expect(folder.names() == [])
    #expect(content.matches(path: other.path("name")))
  }

  @Test func quietSaysNothingButPathsAndErrors() async throws {
    let origin = try origin()
    let right = try await Haul.get("-q", origin.url("/file"), in: folder.path)
    #expect(right.output == "file\n")
    #expect(right.error == "")
    let wrong = try await Haul.get(
      "-q", "--max-filesize", "1k", origin.url("/file"), in: folder.path)
    #expect(wrong.exit == .exited(7))
    #expect(wrong.output == "")
    #expect(wrong.error.split(separator: "\n").count == 1)
    #expect(folder.names() == ["file"])
  }

  @Test func insecureIsLoudEvenWhenQuiet() async throws {
    let origin = try origin()
    let outcome = try await Haul.get("-q", "--insecure", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains("warning: certificates are not checked"))
  }

  @Test func nothingIsWrittenToStandardOutputButPaths() async throws {
    let origin = try origin()
    let outcome = try await Haul.get(
      origin.url("/a"), origin.url("/b"), origin.url("/c"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.paths.sorted() == ["a", "b", "c"])
    #expect(outcome.error.contains("3 files are there"))
  }

  @Test func theFileHasThePermissionsOfTheUserAndTheTimeOfTheServer() async throws {
    let origin = try origin()
    let child = try Haul.shell(
      "umask 027; \"$haul\" get -q \(origin.url("/file")) >/dev/null; stat -c '%a %Y' file",
      in: folder.path)
    let outcome = await Outcome(of: child)
    #expect(outcome.output == "640 1700000000\n")
  }

  @Test func aRateLimitHolds() async throws {
    let origin = try origin()
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try await Haul.get("--limit-rate", "60k", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(content.matches(path: folder.path("file")))
    // 60,000 bytes at 61,440 a second, of which a burst may come at once.
    #expect(start.duration(to: clock.now) > .milliseconds(300))
  }
}
