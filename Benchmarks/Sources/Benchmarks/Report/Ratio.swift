/// How two contestants compare in one measure.
struct Ratio: Sendable, Hashable {
  /// The median of the first to the median of the second.
  var value: Double
  /// The least and the greatest ratio within one round.
  var range: ClosedRange<Double>
  var target: Double?

  var verdict: Verdict { Verdict(value, target: target) }

  /// Nil without a value on either side, or when the second took no time.
  init?(_ subject: [Double], to baseline: [Double], target: Double?) {
    guard let upper = Statistics(subject)?.median, let lower = Statistics(baseline)?.median,
      lower > 0
    else { return nil }
    let inRounds = zip(subject, baseline).filter { $0.1 > 0 }.map { $0.0 / $0.1 }
    guard let least = inRounds.min(), let greatest = inRounds.max() else { return nil }
    value = upper / lower
    range = least...greatest
    self.target = target
  }

  /// As `0.52 (0.50–0.57), ≤ 0.50: tie`.
  var text: String {
    let spread = "\(Number.ratio(range.lowerBound))–\(Number.ratio(range.upperBound))"
    let wanted = target.map { ", ≤ \(Number.ratio($0))" } ?? ""
    return "\(Number.ratio(value)) (\(spread))\(wanted): \(verdict.rawValue)"
  }
}
