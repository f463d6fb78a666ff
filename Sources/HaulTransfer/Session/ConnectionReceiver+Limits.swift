internal import Synchronization

/// Taking no more bytes than the rate limits grant.
extension ConnectionReceiver {
  /// Takes the bytes that it may take; waits for its turn when that is not all of them.
  func takeWithinLimits(_ bytes: RawSpan, _ state: inout State) -> (ReceiveVerdict, Bool) {
    guard case .landing = state.stage, let limits = transfer.limits(to: origin) else {
      return take(bytes, &state)
    }
    while true {
      let ahead = min(state.takenAhead, bytes.byteCount)
      let wanted = bytes.byteCount - ahead
      if wanted > 0, state.credit == 0, !draw(wanted, limits, &state) { return (.pause, false) }
      let count = min(wanted, state.credit)
      let (verdict, differs) = take(bytes.extracting(first: ahead + count), &state)
      switch verdict {
      case .stop: return (.stop, differs)
      case .pause:
        state.credit -= state.takenAhead - ahead
        return (.pause, differs)
      case .taken:
        state.credit -= count
        guard count < wanted else { return (.taken, differs) }
        state.takenAhead = ahead + count
      }
    }
  }

  /// Whether bytes were granted; otherwise the exchange is resumed when they are.
  private func draw(_ wanted: Int, _ limits: RateLimits, _ state: inout State) -> Bool {
    guard state.rateWait == nil else { return false }
    state.draws += 1
    let number = state.draws
    let wait = RateWait { [weak self] granted in
      guard let self, take(granted, ofDraw: number) else { return limits.giveBack(granted) }
      transfer.environment.transport.resume(id)
    }
    if let granted = limits.draw(wanted, wait) {
      state.credit += granted
      return true
    }
    state.rateWait = wait
    return false
  }

  /// Takes a grant that was waited for; false when it is not wanted any more.
  private func take(_ granted: Int, ofDraw number: UInt64) -> Bool {
    state.withLock { state in
      guard state.rateWait != nil, state.draws == number else { return false }
      state.rateWait = nil
      state.credit += granted
      return true
    }
  }

  /// Gives up its turn, and what it has not used.
  func leaveLimits(_ state: inout State) {
    state.rateWait?.cancel()
    state.rateWait = nil
    guard state.credit > 0 else { return }
    transfer.limits(to: origin)?.giveBack(state.credit)
    state.credit = 0
  }
}
