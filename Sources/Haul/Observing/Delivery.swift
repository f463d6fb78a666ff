internal import Dispatch
internal import Synchronization

/// Brings values to somebody on a queue of his: the newest only when he is slow, and none once it is
/// cancelled there.
final class Delivery<Value: Sendable>: Sendable {
  private struct State {
    var newest: Value?
    var isOnItsWay = false
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let handler: @Sendable (Value) -> Void

  init(on queue: DispatchQueue, _ handler: @escaping @Sendable (Value) -> Void) {
    self.queue = queue
    self.handler = handler
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func offer(_ value: Value) {
    let isFirst = state.withLock { state in
      guard !state.isCancelled else { return false }
      state.newest = value
      defer { state.isOnItsWay = true }
      return !state.isOnItsWay
    }
    guard isFirst else { return }
    queue.async { [self] in
      let value = state.withLock { state -> Value? in
        state.isOnItsWay = false
        defer { state.newest = nil }
        return state.isCancelled ? nil : state.newest
      }
      if let value { handler(value) }
    }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.newest = nil
    }
  }
}
