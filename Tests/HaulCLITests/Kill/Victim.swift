import Foundation
import Glibc
import HaulTestKit
import HaulTransfer
import Testing

/// One file on its way through several runs of the program, each of which is killed.
final class Victim: Sendable {
  let seed: UInt64
  let folder: TemporaryFolder
  let options: [String]
  private let random: SeededRandom

  /// `HAUL_KILL_SEED` does again what a failure did; its seed stands in every message.
  static let firstSeed: UInt64 =
    ProcessInfo.processInfo.environment["HAUL_KILL_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000_000)

  /// 40 kills, or 500 when all tests run, divided among those who kill.
  static func count(_ short: Int, _ long: Int) -> Int {
    ProcessInfo.processInfo.environment["HAUL_TEST_ALL"] == nil ? short : long
  }

  /// Seeds that follow each other, so that each victim has its own.
  static func seeds(_ salt: UInt64, _ count: Int) -> [UInt64] {
    (0..<UInt64(count)).map { firstSeed &+ salt &* 1_000_000 &+ $0 }
  }

  init(seed: UInt64, _ more: [String] = []) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    folder = try TemporaryFolder()
    options = (random.next() % 4 == 0 ? ["--no-sync"] : []) + more
  }

  var note: Comment { "HAUL_KILL_SEED=\(Self.firstSeed), victim \(seed), \(folder.names())" }

  func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(random.next() % UInt64(range.count))
  }

  func start(_ url: String, _ more: [String] = []) throws -> ChildProcess {
    try Haul.start(
      ["get", "-q", "-o", "file", "--retry-max-delay", "0"] + options + more + [url],
      in: folder.path)
  }

  /// Runs the program and kills it after so many microseconds; whether it was not faster.
  func kill(_ url: String, afterMicroseconds delay: Int) async throws -> Bool {
    let child = try start(url)
    // The instant of the kill is the input of this test, not something to be waited for.
    try await Task.sleep(for: .microseconds(delay))
    child.signal(SIGKILL)
    return await child.wait() == .signalled(SIGKILL)
  }

  /// What holds at every instant: the final name stands for one whole file, or for nothing.
  func check(_ versions: [OriginContent], sourceLocation: SourceLocation = #_sourceLocation) {
    let ours = ["file", "file.haul-journal", "file.haul-part"]
    #expect(Set(folder.names()).isSubset(of: ours), note, sourceLocation: sourceLocation)
    guard isPublished else { return }
    #expect(
      versions.contains { $0.matches(path: folder.path("file")) }, note,
      sourceLocation: sourceLocation)
  }

  /// The same as `isPublished`, within microseconds.
  var hasName: Bool {
    // The path is a C string during the call.
    unsafe access(folder.path("file"), F_OK) == 0
  }

  var isPublished: Bool { folder.names().contains("file") }

  /// Whether the file is there and nothing is left to be done.
  var isOver: Bool { folder.names() == ["file"] }

  /// Runs the program to its end, unless it was at its end, and looks at everything.
  func finish(_ url: String, _ versions: [OriginContent]) async throws {
    if !isOver {
      let outcome = await Outcome(of: try start(url, ["-H", "X-Fast: 1"]))
      #expect(outcome.exit == .exited(0), "\(note): \(outcome.error)")
      #expect(outcome.paths == ["file"], note)
    }
    #expect(folder.names() == ["file"], note)
    let path = folder.path("file")
    #expect(versions.contains { $0.matches(path: path) }, note)
  }
}
