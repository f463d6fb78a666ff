/// What several measurements of the same thing amount to.
struct Statistics: Sendable, Hashable {
  let median: Double
  let least: Double
  let greatest: Double

  /// Nil without a value.
  init?(_ values: [Double]) {
    guard let median = Self.median(values), let least = values.min(), let greatest = values.max()
    else { return nil }
    self.median = median
    self.least = least
    self.greatest = greatest
  }

  /// The middle value, or the mean of the two in the middle; nil without a value.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
