import HaulTestKit
import Testing

@testable import Benchmarks

/// The paced server as a real client sees it.
@Suite(.timeLimit(.minutes(1))) struct PacedServerTests {
  static let content = OriginContent(size: 1 << 20)
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func server(_ pace: Pace = Pace(rate: 1 << 30)) async throws -> PacedServer {
    try await PacedServer(
      Self.content, name: "f", pace: pace, program: LaunchTests.built("pacer"))
  }

  /// What curl says after fetching with these options.
  func curl(_ words: [String]) async throws -> String {
    let child = try ChildProcess("curl", ["-q", "-sS"] + words)
    await child.wait()
    return child.outputText + child.errorText
  }

  @Test func theFileIsServedWhole() async throws {
    let server = try await server()
    let said = try await curl([
      "-o", folder.path("f"), "-w", "%{http_code} %{size_download} %{http_version}",
      server.url("/f"),
    ])
    #expect(said == "200 1048576 1.1")
    #expect(Self.content.difference(path: folder.path("f")) == nil)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var range: String
    var positions: Range<Int64>?
    var status = "206"
    var condition: String?

    var testDescription: String { "\(range) \(condition ?? "")" }
  }

  static let tag = "\"paced-1048576\""
  static let cases = [
    Case(range: "bytes=0-0", positions: 0..<1),
    Case(range: "bytes=1000-70000", positions: 1000..<70_001),
    Case(range: "bytes=1048575-", positions: 1_048_575..<1_048_576),
    Case(range: "bytes=1000-9999999", positions: 1000..<1_048_576),
    Case(range: "bytes=1048576-", positions: nil, status: "416"),
    Case(range: "bytes=5-9", positions: 5..<10, condition: tag),
    Case(range: "bytes=5-9", positions: 0..<1_048_576, status: "200", condition: "\"other\""),
    Case(range: "bytes=9-5", positions: 0..<1_048_576, status: "200"),
    Case(range: "bytes=-5", positions: 0..<1_048_576, status: "200"),
    Case(range: "bytes=99999999999999999999-", positions: 0..<1_048_576, status: "200"),
  ]

  @Test(arguments: cases) func rangesAreThoseAskedFor(_ test: Case) async throws {
    let server = try await server()
    let condition = test.condition.map { ["-H", "If-Range: \($0)"] } ?? []
    let said = try await curl(
      ["-o", folder.path("f"), "-w", "%{http_code}", "-H", "Range: \(test.range)"] + condition
        + [server.url("/f")])
    #expect(said == test.status)
    let bytes = folder.read("f") ?? []
    #expect(bytes == test.positions.map { Self.content.bytes(in: $0) } ?? [])
  }

  @Test func aConnectionServesSeveralRequests() async throws {
    let server = try await server()
    let said = try await curl([
      "-I", "-o", "/dev/null", "-w", "%{http_code} %{num_connects};", server.url("/f"), "--next",
      "-q", "-r", "7-8", "-o", "/dev/null", "-w", "%{http_code} %{num_connects};", server.url("/f"),
    ])
    #expect(said == "200 1;206 0;")
  }

  @Test func anOldClientIsToldTheEnd() async throws {
    let server = try await server()
    let said = try await curl([
      "--http1.0", "-o", folder.path("f"), "-w", "%{http_code} %header{connection}",
      server.url("/f"),
    ])
    #expect(said == "200 close")
    #expect(Self.content.difference(path: folder.path("f")) == nil)
  }

  /// A transfer takes as long as its bytes need at the pace, less what a connection may save up.
  @Test func aConnectionGetsItsPaceAndNoMore() async throws {
    let server = try await server(Pace(rate: 4 << 20))
    let start = ContinuousClock.now
    _ = try await curl(["-o", folder.path("f"), server.url("/f")])
    #expect(ContinuousClock.now - start > .milliseconds(225))
    #expect(Self.content.difference(path: folder.path("f")) == nil)
  }

  @Test func theSlowConnectionIsTheOneThatIsNamed() async throws {
    let slow = Pace.Slow(number: 2, of: 3, factor: 400)
    let server = try await server(Pace(rate: 100 << 20, slow: slow))
    let url = server.url("/f")
    let part = folder.path("part")
    let said = try await curl([
      "--parallel", "--parallel-immediate", "-r", "0-262143", "-w", "%{time_total};",
      "-o", "\(part)1", url, "-o", "\(part)2", url, "-o", "\(part)3", url,
    ])
    let times = said.split(separator: ";").compactMap { Double($0) }
    #expect(times.count == 3)
    // A quarter of a mebibyte at as much a second; the others need milliseconds.
    #expect(times.count { $0 > 0.9 } == 1, "\(said)")
  }

  @Test func aProgramThatDoesNotStartIsTold() async throws {
    await #expect(throws: KitError.self) {
      try await PacedServer(
        Self.content, name: "f", pace: Pace(rate: 0), program: LaunchTests.built("pacer"))
    }
  }
}
