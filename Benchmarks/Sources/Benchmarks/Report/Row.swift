/// One comparison with what was measured for it.
struct Row: Sendable, Hashable {
  var workload: String
  var subject: String
  /// The labels of those that it is compared with; the fastest counts.
  var rivals: [String]
  /// The label of the one that counts, or nil when none does.
  var fastest: String?
  var wall: Ratio?
  var cpu: Ratio?
  /// Why there is no ratio, or who of the peers did not count.
  var note: String?

  /// Evaluates a comparison.
  init(_ comparison: Comparison, of outcome: Results.Outcome) {
    workload = outcome.workload
    subject = comparison.subject.label
    rivals =
      switch comparison.baseline {
      case .one(let contestant): [contestant.label]
      case .fastest(let contestants): contestants.map(\.label)
      }
    let sound = rivals.compactMap { outcome.sound($0) }
    let fastest = sound.min { $0.wall < $1.wall }
    self.fastest = fastest?.contestant
    let faults = ([subject] + rivals).compactMap { outcome.complaint($0) }
    note = faults.isEmpty ? nil : faults.joined(separator: "; ")
    guard let fastest, let own = outcome.sound(subject) else { return }
    wall = Ratio(
      own.samples.map(\.wall), to: fastest.samples.map(\.wall), target: comparison.wall)
    cpu = Ratio(own.samples.map(\.cpu), to: fastest.samples.map(\.cpu), target: comparison.cpu)
  }

  /// Who it is compared with, in words.
  var against: String {
    guard let fastest else { return rivals.joined(separator: ", ") }
    return rivals.count == 1 ? fastest : "fastest: \(fastest)"
  }
}

extension Results.Outcome {
  /// A contestant whose every run was right.
  fileprivate func sound(_ label: String) -> Results.Entry? {
    entries.first { $0.contestant == label && $0.isSound }
  }

  /// Why a contestant does not count, or nil.
  fileprivate func complaint(_ label: String) -> String? {
    guard let entry = entries.first(where: { $0.contestant == label }) else {
      return "\(label) was not run"
    }
    return entry.fault.map { "\(label): \($0)" }
  }
}

extension Results.Entry {
  /// Whether every run ended well and left the right files.
  var isSound: Bool { fault == nil && !samples.isEmpty }

  /// The median of the wall times; only sound entries have one that counts.
  var wall: Double { Statistics.median(samples.map(\.wall)) ?? .infinity }
}
