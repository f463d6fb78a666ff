internal import Synchronization

/// What comes while the answer is being judged, or the part made: most small files are there whole
/// by then, and their exchange need not pause.
extension ConnectionReceiver {
  /// Runs a job once everything that can be held is there; false when that is so already.
  func runWhenHeld(_ job: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard case .holding = state.stage, state.mayHold, !state.isPaused, state.heldOutcome == nil
      else { return false }
      state.whenHeld = job
      return true
    }
  }

  /// Waits no longer for what may still come.
  func endHolding() {
    let job = state.withLock { state in
      defer { state.whenHeld = nil }
      return state.whenHeld
    }
    job?()
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

  /// Takes what was held as if it came now; whether it differs from what is on disk.
  func landHeld(_ state: inout State) -> Bool {
    guard let held = state.held else { return false }
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
      return false
    }
    // One buffer's worth fits into those that may be in flight, so that nothing pauses here.
    let (_, differs) = unsafe held.withBytes { unsafe take($0.bytes, &state) }
    transfer.environment.buffers.takeBack(held)
    return differs
  }

  func dropHeld(_ state: inout State) {
    guard let held = state.held else { return }
    state.held = nil
    transfer.environment.buffers.takeBack(held)
  }
}
