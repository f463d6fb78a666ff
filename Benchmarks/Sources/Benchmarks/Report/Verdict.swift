/// What a ratio means, if anything.
enum Verdict: String, Sendable, Hashable {
  case met, missed, tie, faster, slower

  /// Differences below this part are not told apart.
  static let tolerance = 0.15

  /// Compares a ratio with a target: met up to it, a tie when it is missed by less than can be
  /// told apart.
  ///
  /// Without a target the ratio is compared with one.
  init(_ ratio: Double, target: Double?) {
    let reach = 1 + Self.tolerance
    self =
      if let target {
        ratio <= target ? .met : ratio <= target * reach ? .tie : .missed
      } else {
        ratio * reach < 1 ? .faster : ratio > reach ? .slower : .tie
      }
  }
}
