internal import HaulTransfer

/// What the commands of an owner and the ends of attempts make of a download: no threads, no clock.
struct FileDownloadMachine {
  /// What follows once the attempt that is being stopped has ended.
  enum Wish: Hashable { case pause, stop, start }

  enum Phase: Hashable {
    case idle
    case running
    case stopping(Wish)
    case paused
    case stopped
    case finished(path: String, byteCount: Int64)
    case failed(TransferFailure)
  }

  enum Action: Hashable {
    /// Begin this attempt.
    case run(UInt64)
    /// Stop this attempt; its end follows.
    case stop(UInt64)
    /// Tell the observers where it stands.
    case tell
  }

  private(set) var phase = Phase.idle
  /// The number of the latest attempt; what others say counts no more.
  private(set) var attempt: UInt64 = 0

  mutating func start() -> [Action] {
    switch phase {
    case .idle, .paused, .stopped, .failed:
      attempt += 1
      phase = .running
      return [.run(attempt), .tell]
    case .stopping:
      phase = .stopping(.start)
      return [.tell]
    case .running, .finished: return [.tell]
    }
  }

  mutating func pause() -> [Action] {
    switch phase {
    case .running: return stopAttempt(.pause)
    case .stopping(.start): phase = .stopping(.pause)
    case .stopping, .idle, .paused, .stopped, .finished, .failed: break
    }
    return []
  }

  mutating func stop() -> [Action] {
    switch phase {
    case .running: return stopAttempt(.stop)
    case .stopping: phase = .stopping(.stop)
    case .idle, .paused:
      phase = .stopped
      return [.tell]
    case .stopped, .finished, .failed: break
    }
    return []
  }

  private mutating func stopAttempt(_ wish: Wish) -> [Action] {
    phase = .stopping(wish)
    return [.stop(attempt)]
  }

  /// An attempt is over.
  mutating func ended(_ attempt: UInt64, _ result: TransferResult) -> [Action] {
    guard attempt == self.attempt else { return [] }
    var wish = Wish.pause
    switch phase {
    case .running: break
    case .stopping(let wanted): wish = wanted
    case .idle, .paused, .stopped, .finished, .failed: return []
    }
    switch result {
    case .finished(let file): phase = .finished(path: file.path, byteCount: file.byteCount)
    case .skipped(let path, _): phase = .finished(path: path, byteCount: 0)
    case .planned: phase = .stopped
    case .failed(let failure): phase = .failed(failure)
    case .stopped: phase = wish == .stop ? .stopped : .paused
    }
    switch phase {
    case .paused where wish == .start, .failed where wish == .start: return start()
    default: return [.tell]
    }
  }
}
