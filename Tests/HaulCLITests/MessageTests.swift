import Foundation
import HaulTestKit
import Testing

/// Lines that left out what their reader has to know.
@Suite(.timeLimit(.minutes(1))) struct MessageTests {
  let folder: TemporaryFolder
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    let resource = OriginResource(OriginContent(size: 5_000, seed: 3))
    origin = try HostileOrigin { request in
      request.path == "/missing"
        ? OriginResponse(status: 404, text: "none") : resource.respond(to: request)
    }
  }

  func count(_ text: String, in outcome: Outcome) -> Int {
    outcome.error.components(separatedBy: text).count - 1
  }

  /// Of two files of one name nobody knew which was which.
  @Test func aFileWhoseNameWasTakenIsToldWithItsAddress() async throws {
    let (first, second) = (origin.url("/dl.php?id=1"), origin.url("/dl.php?id=2"))
    let outcome = try await Haul.get("-j", "1", first, second, in: folder.path)
    #expect(outcome.error.contains("finished dl.php: 4.88 KiB in"), "\(outcome.error)")
    #expect(outcome.error.contains("finished dl (1).php from \(second): 4.88 KiB in"))
    #expect(outcome.paths == ["dl.php", "dl (1).php"])
  }

  @Test(arguments: [(".hidden", "_hidden"), ("con", "_con"), ("-rf", "_rf")])
  func aNameThatWasMadeSafeIsTold(_ end: String, _ name: String) async throws {
    let outcome = try await Haul.get(origin.url("/\(end)"), in: folder.path)
    #expect(outcome.paths == [name])
    let note = "“\(end)” is no safe name, and -o takes it all the same"
    #expect(outcome.error.contains(note), "\(outcome.error)")
    let named = try await Haul.run(["get", "-o\(end)", origin.url("/\(end)")], in: folder.path)
    #expect(named.paths.map { $0.hasSuffix(end) } == [true])
    #expect(!named.error.contains("no safe name"))
  }

  /// “try 2 of 8” came six times running.
  @Test func aCountThatBeginsAnewSaysWhy() async throws {
    let resource = OriginResource(OriginContent(size: 900_000, seed: 4))
    let script = Script(
      .next { resource.respond(to: $0).cutting(after: 0) },
      .next { resource.respond(to: $0).cutting(after: 300_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(count("; try 2 of 8 in", in: outcome) == 1, "\(outcome.error)")
    #expect(count("; it got further: again try 2 of 8 in", in: outcome) == 1, "\(outcome.error)")
  }

  @Test func aServerThatAsksForALongPauseIsQuoted() async throws {
    let busy = try HostileOrigin { _ in
      OriginResponse(status: 503, text: "busy").with("Retry-After", "3600")
    }
    let outcome = try await Haul.get("--tries", "2", busy.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(4))
    #expect(outcome.error.contains("it asks for a pause of 3600 s"), "\(outcome.error)")
  }

  @Test func anOutputThatIsLostIsToldOnce() async throws {
    let urls = ["/a", "/b", "/c"].map { origin.url($0) }.joined(separator: " ")
    let outcome = await Outcome(
      of: try Haul.shell("\"$haul\" get -j 1 \(urls) >/dev/full", in: folder.path))
    #expect(outcome.exit == .exited(6))
    #expect(count("standard output cannot be written to", in: outcome) == 1, "\(outcome.error)")
    #expect(folder.names() == ["a", "b", "c"])
  }

  /// One failure was told twice within a second.
  @Test(arguments: [(2, 1), (12, 2)])
  func aFailureThatIsInSightIsToldOnce(_ others: Int, _ times: Int) async throws {
    let urls = [origin.url("/missing")] + (0..<others).map { origin.url("/file\($0)") }
    let outcome = try await Haul.run(["get", "-j", "1"] + urls, in: folder.path)
    #expect(outcome.exit == .exited(4))
    #expect(count("404 Not Found", in: outcome) == times, "\(outcome.error)")
  }

  /// An empty field was sent; curl leaves the field out.
  @Test func aFieldWithoutAValueIsLeftOut() async throws {
    let outcome = try await Haul.get(
      "-H", "Accept:", "-H", "User-Agent: ", "-H", "X-Empty:", origin.url("/file"),
      in: folder.path)
    #expect(outcome.exit == .exited(0))
    let request = try #require(origin.requests.first)
    for name in ["Accept", "User-Agent", "X-Empty"] { #expect(request.header(name) == nil) }
    #expect(request.header("Accept-Encoding") == "identity")
  }

  @Test(arguments: [("-o", "-o FILE"), ("-d", "-d FOLDER"), ("-i", "-i FILE")])
  func anEmptyValueIsCalledEmpty(_ option: String, _ form: String) async throws {
    let outcome = try await Haul.run(["get", option, "", origin.url("/file")], in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error == "haul: the value of \(option) is empty; use \(form)\n")
  }
}
