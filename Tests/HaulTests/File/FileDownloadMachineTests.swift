import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// Commands and ends of attempts in any order.
@Suite struct FileDownloadMachineTests {
  static let file = FinishedTransfer(
    path: "/f", wantedName: "f", byteCount: 1, seconds: 1, digest: nil, verification: .length)

  @Test(arguments: 0..<200 as Range<UInt64>)
  func oneAttemptAtATimeAndNothingGetsStuck(_ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    var machine = FileDownloadMachine()
    var running: UInt64?
    var isStopping = false
    func take(_ actions: [FileDownloadMachine.Action]) {
      for action in actions {
        switch action {
        case .run(let attempt):
          #expect(running == nil, "seed \(seed)")
          (running, isStopping) = (attempt, false)
        case .stop(let attempt):
          #expect(attempt == running, "seed \(seed)")
          isStopping = true
        case .tell: break
        }
      }
    }
    for _ in 0..<200 {
      switch Int(random.unit() * 7) {
      case 0, 1: take(machine.start())
      case 2: take(machine.pause())
      case 3: take(machine.stop())
      case 4: #expect(machine.ended(machine.attempt + 7, .stopped(received: 0)) == [])
      default:
        guard let attempt = running else { continue }
        running = nil
        let results: [TransferResult] = [
          .finished(Self.file), .failed(TransferFailure(code: .timeout, message: "x")),
          .stopped(received: 3),
        ]
        // Nothing finishes too early for long runs.
        take(
          machine.ended(attempt, results[random.unit() < 0.02 ? 0 : random.unit() < 0.5 ? 1 : 2]))
        // What is over is over.
        #expect(machine.ended(attempt, .stopped(received: 0)) == [])
      }
      switch machine.phase {
      case .running: #expect(running == machine.attempt && !isStopping, "seed \(seed)")
      case .stopping: #expect(running == machine.attempt && isStopping, "seed \(seed)")
      case .idle, .paused, .stopped, .finished, .failed: #expect(running == nil, "seed \(seed)")
      }
    }
  }
}
