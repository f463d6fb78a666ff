/// How evenly the machine runs: the same computation, again and again, on all processors at once.
enum Calibration {
  /// The seconds that each of so many turns took.
  static func turns(_ count: Int, processors: Int) async -> [Double] {
    var seconds: [Double] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      let results = await withTaskGroup(of: UInt64.self) { group in
        for processor in 0..<processors { group.addTask { compute(UInt64(processor)) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let time = start.duration(to: .now)
      precondition(results.count == processors)
      seconds.append(Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds))
    }
    return seconds
  }

  /// About ten milliseconds of arithmetic in which every step needs the one before.
  @inline(never)
  private static func compute(_ seed: UInt64) -> UInt64 {
    var value = seed
    var step = 0
    while step < 10_000_000 {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      value ^= value >> 29
      step &+= 1
    }
    return value
  }
}
