/// How much is fetched, and how often.
struct Scale: Sendable, Hashable {
  var largeSize: Int64
  /// The size of what a paced server has.
  var pacedSize: Int64
  var tinyCount: Int
  var mediumCount: Int
  var rounds: Int
  /// How many rounds are run of what takes milliseconds, for each of the others.
  var roundsOfStarts: Int

  /// What the targets are meant for.
  static let full = Scale(
    largeSize: 2 << 30, pacedSize: 256 << 20, tinyCount: 2_000, mediumCount: 200, rounds: 5,
    roundsOfStarts: 10)

  /// A minute that shows whether everything works; its figures are not to be believed.
  static let quick = Scale(
    largeSize: 64 << 20, pacedSize: 32 << 20, tinyCount: 200, mediumCount: 20, rounds: 3,
    roundsOfStarts: 3)
}
