internal import Synchronization

/// The buffers that bytes are collected in, and when they go to the part.
extension ConnectionReceiver {
  func buffer(_ state: inout State) -> TransferBuffer? {
    if let buffer = state.buffer { return buffer }
    guard state.buffersInFlight < transfer.maximumBuffersInFlight else { return nil }
    let capacity = Int64(TransferBuffer.capacity)
    let untilBoundary = capacity - state.position % capacity
    let limit = min(untilBoundary, (state.end ?? .max) - state.position)
    let buffer = transfer.environment.buffers.lend(limit: Int(limit))
    state.buffer = buffer
    return buffer
  }

  /// Whether somebody waits for what lies in the buffer, and nobody will look at it yet.
  func mustLookLater(_ state: inout State) -> Bool {
    guard state.isEager, !state.isLookScheduled, state.buffer.map({ $0.count > 0 }) ?? false else {
      return false
    }
    state.isLookScheduled = true
    return true
  }

  /// Fast transfers fill their buffers meanwhile, and slow ones are not held up by more than this.
  func lookLater() {
    let clock = transfer.environment.clock
    clock.schedule(at: clock.now.advanced(seconds: 0.005)) { [weak self] in
      self?.state.withLock { state in
        state.isLookScheduled = false
        state.isOverdue = true
        self?.handOverIfOverdue(&state)
      }
    }
  }

  func handOverIfOverdue(_ state: inout State) {
    guard state.isOverdue, state.buffersInFlight == 0 else { return }
    handOver(&state)
  }

  /// Gives the current buffer to the part; called under the lock, so that writes keep their order.
  func handOver(_ state: inout State) {
    state.isOverdue = false
    guard let buffer = state.buffer else { return }
    state.buffer = nil
    guard buffer.count > 0 else {
      transfer.environment.buffers.takeBack(buffer)
      return
    }
    state.buffersInFlight += 1
    transfer.write(buffer, at: state.position - Int64(buffer.count), from: self, id)
  }
}
