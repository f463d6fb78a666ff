/// What is to be run, from the command line.
struct Options: Sendable, Hashable {
  struct Usage: Error, Hashable {
    var message: String
  }

  var rounds: Int?
  var isQuick = false
  var seed: UInt64 = 1
  /// Names of workloads, or their beginnings; empty for all.
  var only: [String] = []
  var lists = false
  var wantsHelp = false
  /// Where raw results go.
  var json: String?
  /// Raw results of an earlier run.
  var earlier: String?
  /// Whether the document is left as it is.
  var isDry = false
  /// Whether Haul is profiled rather than compared.
  var isProfile = false

  // What the scripts give.
  var haul = ""
  var launcher = ""
  var pacer = ""
  var receiver = ""
  /// A folder on the file system that is to be measured.
  var disk = ""
  /// A folder in memory.
  var memory = ""
  var document = ""
  var rules = ""

  /// Reads a command line.
  init(_ words: [String]) throws(Usage) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if let flag = Self.flags[word] {
        self[keyPath: flag] = true
        continue
      }
      let isKnown = Self.texts[word] != nil || Self.valued.contains(word)
      guard isKnown else { throw Usage(message: "there is no option \(word)") }
      guard let value = rest.popFirst() else { throw Usage(message: "\(word) needs a value") }
      if let path = Self.texts[word] {
        self[keyPath: path] = value
        continue
      }
      switch word {
      case "--only": only.append(value)
      case "--json": json = value
      case "--compare": earlier = value
      case "--seed": seed = try Self.number(value, of: word)
      default: rounds = Int(try Self.number(value, of: word, in: 1...1000))
      }
    }
  }

  private static let valued: Set = ["--only", "--json", "--compare", "--seed", "--rounds"]

  private static var flags: [String: WritableKeyPath<Options, Bool>] {
    [
      "--quick": \.isQuick, "--list": \.lists, "--dry": \.isDry, "--help": \.wantsHelp,
      "--profile": \.isProfile,
    ]
  }

  private static var texts: [String: WritableKeyPath<Options, String>] {
    [
      "--haul": \.haul, "--launcher": \.launcher, "--pacer": \.pacer,
      "--receiver": \.receiver, "--disk": \.disk, "--memory": \.memory,
      "--document": \.document, "--rules": \.rules,
    ]
  }

  private static func number(
    _ text: String, of option: String, in range: ClosedRange<UInt64> = 0...(.max)
  ) throws(Usage) -> UInt64 {
    guard let number = UInt64(text), range.contains(number) else {
      throw Usage(
        message: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The sizes and rounds.
  var scale: Scale {
    var scale = isQuick ? Scale.quick : .full
    if let rounds { scale.rounds = rounds }
    return scale
  }

  /// Those of the workloads that are wanted.
  func select(_ workloads: [Workload]) throws(Usage) -> [Workload] {
    for name in only where !workloads.contains(where: { $0.name.hasPrefix(name) }) {
      throw Usage(message: "no row begins with \(name); --list shows them")
    }
    return workloads.filter { workload in
      only.isEmpty || only.contains { workload.name.hasPrefix($0) }
    }
  }

  static let help = """
    usage: Benchmarks/run [options]      Haul and its peers, as ratios, into docs/BENCHMARKS.md
           Benchmarks/profile [options]  where Haul's time goes, into the same document
           Benchmarks/run --test         the tests of the benchmark itself

      --only NAME      rows whose names begin so; may be given several times. With it the document
                       stays as it is
      --list           show the rows
      --rounds N       how often each program does each piece of work (5)
      --quick          small files and few rounds: whether it works, not how fast it is
      --seed N         of the random order (1)
      --json FILE      write the raw results
      --compare FILE   show what changed since those raw results
      --dry            leave the document as it is
    """
}
