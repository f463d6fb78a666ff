/// Whether the machine had time for the benchmark, judged by a computation of fixed length.
struct Steadiness: Sendable, Hashable {
  /// The median over the least time, less one: what others took away most of the time.
  var usual: Double
  /// The same for the time that one turn in ten exceeds.
  var often: Double
  /// The greatest over the least time, less one.
  var worst: Double
  /// The median in seconds.
  var turn: Double

  /// Nil without a turn.
  init?(_ turns: [Double]) {
    guard let statistics = Statistics(turns), statistics.least > 0 else { return nil }
    usual = statistics.median / statistics.least - 1
    often = turns.sorted()[turns.count * 9 / 10] / statistics.least - 1
    worst = statistics.greatest / statistics.least - 1
    turn = statistics.median
  }

  /// Whether figures should be taken again on a quieter machine.
  ///
  /// A median hardly tells: other programs come in bursts.
  var isBusy: Bool { often > Verdict.tolerance }
}
