/// Tells the threads of one server that it ends, wherever they are blocked.
final class StopSignal: Sendable {
  private struct State {
    var isStopped = false
    var actions: [Int: @Sendable () -> Void] = [:]
    var nextID = 0
  }

  private let state = Monitor(State())

  var isStopped: Bool { state.read(\.isStopped) }

  /// Sets the signal and runs the registered actions, once.
  func stop() {
    let actions = state.change { state in
      defer { state.actions = [:] }
      state.isStopped = true
      return Array(state.actions.values)
    }
    for action in actions { action() }
  }

  /// Runs the body; a stop during it runs the action, which is to make the body return.
  ///
  /// The body runs even when the signal is set already, and has to check it.
  func during<R>(_ body: () throws -> R, onStop action: @escaping @Sendable () -> Void) rethrows
    -> R
  {
    let id = state.change { state in
      state.nextID += 1
      state.actions[state.nextID] = action
      return state.nextID
    }
    defer { state.change { state in state.actions[id] = nil } }
    if isStopped { action() }
    return try body()
  }

  /// Blocks for some time; false when the stop came first.
  func pause(milliseconds: Int) -> Bool {
    !state.block(forMilliseconds: milliseconds) { $0.isStopped }
  }
}
