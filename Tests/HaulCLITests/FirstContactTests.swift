import HaulTestKit
import Testing

@testable import HaulCLI

/// How long the program waits for somebody who was never there.
@Suite(.timeLimit(.minutes(1))) struct FirstContactTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func theNextTryIsCounted() async throws {
    let port = try HostileOrigin { _ in OriginResponse(status: 200) }.port
    let outcome = try await Haul.get("http://127.0.0.1:\(port)/file", in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("(Connection refused); try 2 of 3 in "), "\(outcome.error)")
    #expect(outcome.error.contains("; try 3 of 3 in "))
    #expect(outcome.error.contains("(tried 3 times; --tries N tries longer)"))
  }

  @Test func aMistypedNameIsTriedOnceMoreWithinASecond() async throws {
    let outcome = try await Haul.run(["get", "http://nonexistent.invalid/file"], in: folder.path)
    #expect(outcome.exit == .exited(3))
    let pause = try #require(outcome.error.split(separator: "try 2 of 2 in ").last?.first)
    #expect("01".contains(pause), "\(outcome.error)")
    #expect(outcome.error.contains("failed [name-not-resolved]"))
    #expect(outcome.error.contains("check its spelling"))
  }

  @Test(arguments: ["http://127.0.0.1:1/file", "http://nonexistent.invalid/file"])
  func whoeverGivesTriesGetsThem(_ url: String) async throws {
    let outcome = try await Haul.get("--tries", "5", url, in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("try 5 of 5 in "), "\(outcome.error)")
    #expect(outcome.error.contains("(tried 5 times without"), "\(outcome.error)")
  }

  @Test func theEventTellsTheCount() async throws {
    let outcome = try await Haul.get("--json", "http://127.0.0.1:1/file", in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.output.contains("\"try\":2,\"tries\":3"), "\(outcome.output)")
  }

  /// A busy server counts in the usual way.
  @Test func aServerThatAnswersIsWaitedFor() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 503, text: "busy") }
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(4))
    #expect(outcome.error.contains("try 2 of 8 in "), "\(outcome.error)")
    #expect(origin.requests.count == 8)
  }
}
