/// A gate on the way of an answer: the server's thread waits at it until the test opens it.
///
/// With it a test brings a transfer to an exact point and does something there, without a sleep:
///
/// ```swift
/// let gate = Gate()
/// let origin = try HostileOrigin { file.respond(to: $0).stalling(after: 1000, at: gate) }
/// await gate.waitUntilReached()
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting = 0
  }

  private let state = Monitor(State())

  /// Makes a closed gate.
  public init() {}

  /// Lets everyone through, now and later.
  public func open() {
    state.change { $0.isOpen = true }
  }

  /// Closes the gate for those who come later.
  public func close() {
    state.change { $0.isOpen = false }
  }

  /// How many answers are waiting at the gate now.
  public var waiting: Int { state.read(\.waiting) }

  /// How many answers have come to the gate so far, whether it was open or not.
  public var arrivals: Int { state.read(\.arrivals) }

  /// Suspends the task until this many answers have come to the gate.
  ///
  /// Returns early when the task is cancelled.
  public func waitUntilReached(_ count: Int = 1) async {
    await state.wait { $0.arrivals >= count }
  }

  /// Blocks the thread until the gate is open; false when the server ended first.
  func pass(_ stop: StopSignal) -> Bool {
    let state = self.state
    state.change {
      $0.arrivals += 1
      $0.waiting += 1
    }
    defer { state.change { $0.waiting -= 1 } }
    return stop.during {
      state.block { $0.isOpen || stop.isStopped }
      return !stop.isStopped
    } onStop: {
      state.recheck()
    }
  }
}
