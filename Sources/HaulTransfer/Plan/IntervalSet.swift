/// A set of byte positions, kept as sorted intervals that neither overlap nor touch.
public struct IntervalSet: Sendable, Hashable {
  /// The intervals, ascending.
  public private(set) var intervals: [Range<Int64>]

  /// Makes a set from intervals in any order; empty ones are dropped, overlapping ones joined.
  public init(_ intervals: some Sequence<Range<Int64>> = []) {
    self.intervals = []
    for interval in intervals { insert(interval) }
  }

  /// The number of positions.
  public var byteCount: Int64 {
    intervals.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// Whether there is no position.
  public var isEmpty: Bool { intervals.isEmpty }

  /// The end of the interval that starts at zero, or zero.
  public var prefixEnd: Int64 {
    guard let first = intervals.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }

  /// Adds every position of the interval.
  public mutating func insert(_ interval: Range<Int64>) {
    guard !interval.isEmpty else { return }
    // The common case: bytes arrive in order, so the last interval grows.
    if let last = intervals.last, last.upperBound == interval.lowerBound {
      intervals[intervals.count - 1] = last.lowerBound..<interval.upperBound
      return
    }
    let start = firstIndex { $0.upperBound >= interval.lowerBound }
    let end = firstIndex { $0.lowerBound > interval.upperBound }
    guard start < end else {
      intervals.insert(interval, at: start)
      return
    }
    let lower = min(intervals[start].lowerBound, interval.lowerBound)
    let upper = max(intervals[end - 1].upperBound, interval.upperBound)
    intervals.replaceSubrange(start..<end, with: [lower..<upper])
  }

  /// Removes every position of the interval.
  public mutating func remove(_ interval: Range<Int64>) {
    guard !interval.isEmpty else { return }
    let start = firstIndex { $0.upperBound > interval.lowerBound }
    let end = firstIndex { $0.lowerBound >= interval.upperBound }
    guard start < end else { return }
    var rest: [Range<Int64>] = []
    let first = intervals[start]
    let last = intervals[end - 1]
    if first.lowerBound < interval.lowerBound {
      rest.append(first.lowerBound..<interval.lowerBound)
    }
    if last.upperBound > interval.upperBound { rest.append(interval.upperBound..<last.upperBound) }
    intervals.replaceSubrange(start..<end, with: rest)
  }

  /// Removes every position of the other set.
  public mutating func subtract(_ other: IntervalSet) {
    for interval in other.intervals { remove(interval) }
  }

  /// Whether every position of the interval is in the set.
  public func contains(_ interval: Range<Int64>) -> Bool {
    guard !interval.isEmpty else { return true }
    let index = firstIndex { $0.upperBound > interval.lowerBound }
    guard index < intervals.count else { return false }
    return intervals[index].lowerBound <= interval.lowerBound
      && intervals[index].upperBound >= interval.upperBound
  }

  /// The positions from zero to `total` that are not in the set.
  public func missing(upTo total: Int64) -> IntervalSet {
    var result = IntervalSet([0..<max(0, total)])
    result.subtract(self)
    return result
  }

  /// The first index whose interval satisfies a condition that, once true, stays true.
  private func firstIndex(where condition: (Range<Int64>) -> Bool) -> Int {
    var low = 0
    var high = intervals.count
    while low < high {
      let middle = (low + high) / 2
      if condition(intervals[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
