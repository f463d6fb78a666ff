import Dispatch
import HaulTestKit
import HaulTransfer
import Synchronization

/// A clock on which the time until the next job is over at once.
final class HastyClock: Clock {
  private struct State {
    var now: Int64 = 1_000_000_000
  }

  private let state = Mutex(State())
  let unixTime: Int64 = 1_700_000_000

  var now: Instant { Instant(nanoseconds: state.withLock { $0.now }) }

  func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.now = max($0.now, instant.nanoseconds) }
    DispatchQueue.global().async(execute: job)
  }
}

/// A clock that stands still, and says when jobs wait for it.
final class StillClock: Clock {
  private let clock = VirtualClock()
  private let jobs = Watched(0)

  var now: Instant { clock.now }
  var unixTime: Int64 { clock.unixTime }

  func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    clock.schedule(at: instant, job)
    jobs.change { $0 += 1 }
  }

  /// Suspends the task until so many jobs were scheduled in all.
  func waitForJobs(_ count: Int) async { await jobs.wait { $0 >= count } }

  func advance(seconds: Double) { clock.advance(seconds: seconds) }
}

/// A value whose changes a test waits for.
final class Watched<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiting: [(isDue: @Sendable (Value) -> Bool, task: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  func change(_ body: (inout Value) -> Void) {
    let due = state.withLock { state in
      body(&state.value)
      let due = state.waiting.filter { $0.isDue(state.value) }
      state.waiting.removeAll { $0.isDue(state.value) }
      return due.map(\.task)
    }
    for task in due { task.resume() }
  }

  func wait(until isDue: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { task in
      let isDueNow = state.withLock { state in
        if isDue(state.value) { return true }
        state.waiting.append((isDue, task))
        return false
      }
      if isDueNow { task.resume() }
    }
  }
}

/// Draws the same number every time.
struct Always: RandomSource {
  var number: UInt64
  func next() -> UInt64 { number }
}
