/// Where the time of a program went.
struct Profile: Sendable, Hashable {
  /// A function with its stage.
  struct Function: Sendable, Hashable {
    var stage: String
    var frame: Frame
  }

  private(set) var total = 0.0
  private(set) var stages: [String: Double] = [:]
  private(set) var functions: [Function: Double] = [:]

  /// Adds what was spent in the first function of a chain of calls.
  mutating func add(_ chain: [Frame], weight: Double = 1, _ rules: StageRules) {
    guard let leaf = chain.first else { return }
    let stage = rules.stage(of: chain)
    total += weight
    stages[stage, default: 0] += weight
    functions[Function(stage: stage, frame: leaf), default: 0] += weight
  }

  /// The part of the whole that a stage took.
  func share(_ stage: String) -> Double {
    total > 0 ? stages[stage, default: 0] / total : 0
  }

  /// The functions that took most, with their parts of the whole.
  func costliest(_ count: Int) -> [(function: Function, share: Double)] {
    functions.sorted { ($1.value, $0.key.frame.symbol) < ($0.value, $1.key.frame.symbol) }
      .prefix(count).map { ($0.key, total > 0 ? $0.value / total : 0) }
  }
}
