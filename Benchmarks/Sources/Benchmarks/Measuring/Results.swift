/// All that one run of the benchmarks measured.
struct Results: Sendable, Hashable, Codable {
  /// What one contestant did in one workload.
  struct Entry: Sendable, Hashable, Codable {
    /// The contestant's label.
    var contestant: String
    /// One for each round, unless there is a fault.
    var samples: [Sample] = []
    /// Why the samples do not count: a failure, a wrong file, a program that is missing.
    var fault: String?
    /// The protocol that the server saw, as `HTTP/1.1`.
    var httpVersion: String?
  }

  /// What one workload gave.
  struct Outcome: Sendable, Hashable, Codable {
    var workload: String
    var entries: [Entry]
  }

  /// The day, in UTC, as RFC 3339 writes it.
  var date: String
  /// Whether the sizes were those of `--quick`.
  var isQuick: Bool
  var rounds: Int
  /// The seed of the random order.
  var seed: UInt64
  var machine: Machine
  /// The versions by the names of the programs.
  var versions: [String: String]
  /// The seconds that each turn of the calibration took, over the whole run.
  var calibration: [Double] = []
  var outcomes: [Outcome] = []
}
