internal import Synchronization

/// One who waits for its turn at a limiter.
final class RateWait: Sendable {
  private let cancelled = Atomic(false)
  /// Whose wait this one is a part of.
  private let whole: RateWait?
  private let onGrant: @Sendable (Int) -> Void

  /// `onGrant` hears how many bytes were granted.
  init(partOf whole: RateWait? = nil, _ onGrant: @escaping @Sendable (Int) -> Void) {
    self.whole = whole
    self.onGrant = onGrant
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) || whole?.isCancelled == true }

  /// Gives the turn up. A grant that is on its way may still be told.
  func cancel() { cancelled.store(true, ordering: .releasing) }

  func granted(_ count: Int) { onGrant(count) }
}

/// Those who wait, in the order of coming. Who has given up takes nobody's turn.
struct RateQueue: Sendable {
  private var waits: [(wanted: Int, wait: RateWait)] = []
  /// How many at the start have been served.
  private var served = 0

  mutating func append(_ wanted: Int, _ wait: RateWait) { waits.append((wanted, wait)) }

  var isEmpty: Bool {
    mutating get { first == nil }
  }

  var first: (wanted: Int, wait: RateWait)? {
    mutating get {
      while served < waits.count {
        if !waits[served].wait.isCancelled { return waits[served] }
        removeFirst()
      }
      return nil
    }
  }

  mutating func removeFirst() {
    served += 1
    // Each one is moved at most once for each that is served.
    guard served * 2 > waits.count else { return }
    waits.removeFirst(served)
    served = 0
  }
}
