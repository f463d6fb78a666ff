import HaulTestKit

/// All workloads, with the targets of the design.
enum Catalogue {
  static func workloads(_ scale: Scale) -> [Workload] {
    let listeners: [NginxServer.Listener] = [.plain, .tls, .http2]
    return [large(.plain, scale), largeOnEight(scale), large(.tls, scale), large(.http2, scale)]
      + [segments(scale), segmentsWithSlow(scale), limited(scale)]
      + listeners.flatMap { listener in
        [Workload.Destination.memory, .disk].flatMap { destination in
          [
            many(tiny(scale), listener, destination), many(medium(scale), listener, destination),
          ]
        }
      } + [version, oneKibibyte]
  }

  /// The name and the phrase for a listener.
  static func words(_ listener: NginxServer.Listener) -> (name: String, phrase: String) {
    switch listener {
    case .tls: ("tls", "HTTP/1.1 over TLS")
    case .http2: ("http2", "HTTP/2 over TLS")
    default: ("plain", "plain HTTP/1.1")
    }
  }

  private struct Kind {
    var name: String
    var files: FileSet
    /// The largest ratio to the fastest peer, in memory and on a disk.
    var targets: (memory: Double, disk: Double)
  }

  private static func tiny(_ scale: Scale) -> Kind {
    Kind(
      name: "10k", files: FileSet(count: scale.tinyCount, size: 10 << 10), targets: (0.9, 2.5))
  }

  private static func medium(_ scale: Scale) -> Kind {
    Kind(
      name: "1m", files: FileSet(count: scale.mediumCount, size: 1 << 20), targets: (1, 1.2))
  }

  private static func many(
    _ kind: Kind, _ listener: NginxServer.Listener, _ destination: Workload.Destination
  ) -> Workload {
    let isMemory = destination == .memory
    let haul = Contestant.haul(isDurable: !isMemory)
    let peers: [Contestant] = [.curl, .aria2c(), .wget2]
    return Workload(
      name: "\(kind.name)-\(words(listener).name)-\(isMemory ? "memory" : "disk")",
      title: "\(kind.files.count) × \(size(kind.files.size)), 16 at once, "
        + "\(words(listener).phrase), to \(isMemory ? "memory" : "a disk")",
      work: .fetch(kind.files, parallel: 16, from: .nginx(listener)),
      destination: destination,
      contestants: [haul] + peers,
      comparisons: [
        Comparison(
          haul, toFastest: peers, wall: isMemory ? kind.targets.memory : kind.targets.disk)
      ],
      memoryLimit: 40)
  }

  private static var version: Workload {
    let haul = Contestant.haul(isDurable: true)
    return Workload(
      name: "version", title: "`--version`", work: .version, destination: .memory,
      contestants: [haul, .curl, .aria2c(), .wget2],
      comparisons: [Comparison(haul, to: .curl, wall: 1.5)], isStart: true)
  }

  private static var oneKibibyte: Workload {
    let quick = Contestant.haul(isDurable: false)
    let durable = Contestant.haul(isDurable: true)
    return Workload(
      name: "1k", title: "1 KiB, plain HTTP/1.1, to a disk",
      work: .fetch(FileSet(count: 1, size: 1 << 10), parallel: 1, from: .nginx(.plain)),
      destination: .disk,
      contestants: [quick, durable, .curl, .aria2c(), .wget2],
      comparisons: [
        Comparison(quick, to: .curl, wall: 1.5), Comparison(durable, to: .curl, wall: 1.5),
      ],
      memoryLimit: 24, isStart: true)
  }

  static func size(_ bytes: Int64) -> String {
    switch bytes {
    case (1 << 30)...: "\(bytes >> 30) GiB"
    case (1 << 20)...: "\(bytes >> 20) MiB"
    default: "\(bytes >> 10) KiB"
    }
  }
}
