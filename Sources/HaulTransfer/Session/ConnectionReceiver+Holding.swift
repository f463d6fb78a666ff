internal import Synchronization

/// What comes while the answer is being judged, or the part made: most small files are there whole
/// by then, and their exchange need not pause.
extension ConnectionReceiver {
  /// Collects a body of so many bytes, and tells the machine when it is there, or cannot be held.
  func gather(_ total: Int64) {
    let isWhole = state.withLock { state -> Bool? in
      guard case .holding = state.stage else { return nil }
      state.gathers = total
      return state.mayHold ? takeGathered(&state) : giveUpGathering(&state)
    }
    if let isWhole { transfer.feed(.gathered(id, isWhole: isWhole)) }
  }

  /// Waits no longer for what may still come.
  func endGathering() {
    let isWhole = state.withLock { giveUpGathering(&$0) }
    if let isWhole { transfer.feed(.gathered(id, isWhole: isWhole)) }
  }

  /// Whether what is gathered is whole; nil while that is open, or when nothing is gathered.
  func takeGathered(_ state: inout State) -> Bool? {
    guard let total = state.gathers else { return nil }
    guard let outcome = state.heldOutcome else {
      return state.isPaused ? giveUpGathering(&state) : nil
    }
    state.gathers = nil
    return outcome == .complete && state.held.map { Int64($0.count) } == total
  }

  private func giveUpGathering(_ state: inout State) -> Bool? {
    defer { state.gathers = nil }
    return state.gathers == nil ? nil : false
  }

  /// Lends what is held, until it is put back or the receiver is forgotten.
  func takeHeld() -> TransferBuffer? {
    state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
  }

  func putBack(_ held: TransferBuffer) {
    state.withLock { state in
      if case .holding = state.stage {
        state.held = held
      } else {
        transfer.environment.buffers.takeBack(held)
      }
    }
  }

  /// Keeps bytes until the answer is accepted; false when they have to wait in libcurl.
  func hold(_ bytes: RawSpan, _ state: inout State) -> Bool {
    guard state.mayHold else {
      state.isPaused = true
      return false
    }
    let held = state.held ?? transfer.environment.buffers.lend(limit: TransferBuffer.capacity)
    state.held = held
    guard bytes.byteCount <= held.limit - held.count else {
      state.isPaused = true
      return false
    }
    _ = held.fill(from: bytes)
    return true
  }

  /// Takes what was held as if it came now.
  func landHeld(_ state: inout State) -> HeldBytes {
    guard let held = state.held else { return .taken }
    state.held = nil
    let room = (state.end ?? .max) - state.position
    if state.position == 0, state.skipped == 0, state.overlap.isEmpty, state.decoder == nil,
      Int64(held.count) <= room
    {
      // The first buffer of the file, as it is.
      held.restrict(to: Int(min(room, Int64(TransferBuffer.capacity))))
      state.position = Int64(held.count)
      state.unreported = Int64(held.count)
      state.buffer = held
      if held.isFull { handOver(&state) }
      return .taken
    }
    // One buffer's worth fits into those that may be in flight, so that nothing pauses here.
    let (verdict, differs) = unsafe held.withBytes { unsafe take($0.bytes, &state) }
    transfer.environment.buffers.takeBack(held)
    return differs ? .differ : verdict == .stop ? .tooMany : .taken
  }

  func dropHeld(_ state: inout State) {
    guard let held = state.held else { return }
    state.held = nil
    transfer.environment.buffers.takeBack(held)
  }
}
