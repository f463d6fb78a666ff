import Synchronization

/// Remembers how many bytes the running parts have still to allocate on each volume, so that two
/// of them do not count on the same free space.
final class SpaceLedger: Sendable {
  /// Bytes of a volume that are left free.
  static let reserve: Int64 = 8 << 20

  private struct Promise {
    var device: UInt64
    var byteCount: Int64
  }

  private struct State {
    var promises: [UInt64: Promise] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  func makeID() -> UInt64 {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  /// Promises bytes to a part; false, and no promise, when they do not fit beside the others.
  func admit(_ id: UInt64, device: UInt64, byteCount: Int64, free: Int64) -> Bool {
    state.withLock { state in
      state.promises[id] = nil
      var need = Self.sum(byteCount, Self.reserve)
      for promise in state.promises.values where promise.device == device {
        need = Self.sum(need, promise.byteCount)
      }
      guard need <= free else { return false }
      state.promises[id] = Promise(device: device, byteCount: byteCount)
      return true
    }
  }

  /// Notes how much of a promise is left.
  func update(_ id: UInt64, remaining: Int64) {
    state.withLock { $0.promises[id]?.byteCount = max(0, remaining) }
  }

  func release(_ id: UInt64) {
    state.withLock { $0.promises[id] = nil }
  }

  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
