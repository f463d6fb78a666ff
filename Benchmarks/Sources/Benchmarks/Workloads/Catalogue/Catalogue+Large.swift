import HaulTestKit

/// One large file, as fast as the machine can.
extension Catalogue {
  /// The targets that depend on the protocol, as ratios to curl and to the best aria2c.
  private struct Targets {
    var quick: (wall: Double, cpu: Double)
    var durable: (wall: Double, cpu: Double)
    var aria2c: Double?

    static let plain = Targets(quick: (0.5, 0.6), durable: (0.7, 0.75), aria2c: 0.5)
    static let secure = Targets(quick: (0.9, 1), durable: (0.9, 1), aria2c: nil)
  }

  /// On one connection.
  static func large(_ listener: NginxServer.Listener, _ scale: Scale) -> Workload {
    let isPlain = listener == .plain
    let targets = isPlain ? Targets.plain : .secure
    let haul = Variants(connections: 1)
    let aria2c = [Contestant.aria2c(connections: 1), .aria2c(connections: 8)]
    // Over plain HTTP what takes several connections has a row of its own, except for what the
    // targets name.
    let axel = isPlain ? [] : [Contestant.axel(connections: 4)]
    let aria2cChecked = isPlain ? [] : [Contestant.aria2c(connections: 8, isChecked: true)]
    let floors = isPlain ? [Contestant.receiver, .copy] : []
    return Workload(
      name: "large-\(words(listener).name)",
      title: "\(size(scale.largeSize)) on one connection, \(words(listener).phrase), to a disk",
      work: .fetch(FileSet(count: 1, size: scale.largeSize), parallel: 1, from: .nginx(listener)),
      destination: .disk,
      contestants: haul.all + [.curl, .curlAndDigest] + aria2c + aria2cChecked + [.wget2] + axel
        + floors,
      comparisons: against(curl: targets, aria2c: aria2c, haul)
        + [Comparison(haul.quick, to: .wget2)]
        + axel.map { Comparison(haul.quick, to: $0) }
        + [
          Comparison(haul.durable, toFastest: [.curl, .wget2] + axel + aria2c),
          Comparison(haul.quickChecked, to: haul.quick, wall: 1.4),
          Comparison(haul.durableChecked, to: haul.durable, wall: 1.4),
          Comparison(haul.quickChecked, toFastest: [.curlAndDigest] + aria2cChecked),
        ] + floors.map { Comparison(haul.quick, to: $0) })
  }

  /// Over plain HTTP on eight connections, and on as many as Haul chooses.
  static func largeOnEight(_ scale: Scale) -> Workload {
    let haul = Variants(connections: 8)
    let unasked = Contestant.haul(isDurable: false)
    let aria2c = Contestant.aria2c(connections: 8)
    let aria2cChecked = Contestant.aria2c(connections: 8, isChecked: true)
    let wget2 = Contestant.wget2Chunks(threads: 8)
    let axel = Contestant.axel(connections: 8)
    return Workload(
      name: "large-plain-8",
      title: "\(size(scale.largeSize)) on eight connections, plain HTTP/1.1, to a disk",
      work: .fetch(FileSet(count: 1, size: scale.largeSize), parallel: 1, from: .nginx(.plain)),
      destination: .disk,
      contestants: haul.all + [unasked, .curl, aria2c, aria2cChecked, wget2, axel],
      comparisons: against(curl: .plain, aria2c: [aria2c], haul) + [
        Comparison(haul.quick, to: wget2),
        Comparison(haul.quick, to: axel),
        Comparison(haul.durable, toFastest: [.curl, wget2, axel, aria2c]),
        Comparison(haul.quickChecked, to: haul.quick, wall: 1.7),
        Comparison(haul.durableChecked, to: haul.durable, wall: 1.7),
        Comparison(haul.quickChecked, to: aria2cChecked),
        Comparison(unasked, to: haul.quick),
        Comparison(unasked, to: .curl),
      ],
      memoryLimit: 32)
  }

  /// Haul with and without waiting for the disk, with and without a digest.
  private struct Variants {
    var quick, durable, quickChecked, durableChecked: Contestant

    init(connections: Int) {
      quick = .haul(isDurable: false, connections: connections)
      durable = .haul(isDurable: true, connections: connections)
      quickChecked = .haul(isDurable: false, isChecked: true, connections: connections)
      durableChecked = .haul(isDurable: true, isChecked: true, connections: connections)
    }

    var all: [Contestant] { [quick, durable, quickChecked, durableChecked] }
  }

  private static func against(
    curl targets: Targets, aria2c: [Contestant], _ haul: Variants
  ) -> [Comparison] {
    [
      Comparison(haul.quick, to: .curl, wall: targets.quick.wall, cpu: targets.quick.cpu),
      Comparison(haul.quick, toFastest: aria2c, wall: targets.aria2c),
      Comparison(haul.durable, to: .curl, wall: targets.durable.wall, cpu: targets.durable.cpu),
      Comparison(haul.durable, toFastest: aria2c, wall: targets.aria2c),
    ]
  }
}
