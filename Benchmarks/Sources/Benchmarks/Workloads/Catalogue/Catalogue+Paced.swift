/// One file from a server that is slower than the machine.
extension Catalogue {
  private static let rate: Int64 = 4 << 20

  /// Every connection is equally slow: who uses all of them, from start to end, is ideal.
  static func segments(_ scale: Scale) -> Workload {
    let haul = Contestant.haul(isDurable: true, connections: 16)
    let unasked = Contestant.haul(isDurable: true)
    let aria2c = Contestant.aria2c(connections: 16)
    let axel = Contestant.axel(connections: 16)
    let ideal = Contestant.ideal(connections: 16)
    let idealOfEight = Contestant.ideal(connections: 8)
    return Workload(
      name: "segments-16",
      title: "\(size(scale.pacedSize)), \(size(rate))/s on each of 16 connections, to a disk",
      work: paced(scale, Pace(rate: rate)),
      destination: .disk,
      contestants: [haul, unasked, aria2c, axel, ideal, idealOfEight],
      comparisons: [
        Comparison(haul, to: ideal, wall: 1.02),
        Comparison(haul, to: aria2c, cpu: 0.8),
        Comparison(haul, to: axel),
        Comparison(unasked, to: idealOfEight, wall: 1.15),
      ],
      memoryLimit: 32)
  }

  /// One connection in sixteen is much slower: who waits for its share loses.
  static func segmentsWithSlow(_ scale: Scale) -> Workload {
    let haul = Contestant.haul(isDurable: true, connections: 16)
    let aria2c = Contestant.aria2c(connections: 16)
    let axel = Contestant.axel(connections: 16)
    let ideal = Contestant.ideal(connections: 16)
    // Neither the first nor the last: those are special to some programs.
    let slow = Pace.Slow(number: 5, of: 16, factor: 20)
    return Workload(
      name: "segments-16-slow",
      title: "\(size(scale.pacedSize)), \(size(rate))/s on each of 16 connections but the fifth, "
        + "which has a twentieth, to a disk",
      work: paced(scale, Pace(rate: rate, slow: slow)),
      destination: .disk,
      contestants: [haul, aria2c, axel, ideal],
      comparisons: [
        Comparison(haul, to: ideal, wall: 1.1),
        Comparison(haul, to: aria2c),
        Comparison(haul, to: axel),
      ])
  }

  /// A line that leaves time for a digest.
  static func limited(_ scale: Scale) -> Workload {
    let haul = Contestant.haul(isDurable: true, connections: 1)
    let checked = Contestant.haul(isDurable: true, isChecked: true, connections: 1)
    let ideal = Contestant.ideal(connections: 1)
    return Workload(
      name: "limited",
      title: "\(size(scale.pacedSize)) on one connection of 100 MB/s, to a disk",
      work: paced(scale, Pace(rate: 100_000_000)),
      destination: .disk,
      contestants: [haul, checked, .curlAndDigest, ideal],
      comparisons: [
        Comparison(checked, to: haul, wall: 1.05),
        Comparison(checked, to: .curlAndDigest),
        Comparison(haul, to: ideal),
      ])
  }

  private static func paced(_ scale: Scale, _ pace: Pace) -> Workload.Work {
    .fetch(FileSet(count: 1, size: scale.pacedSize), parallel: 1, from: .paced(pace))
  }
}
