import Dispatch
import Haul
import HaulRecords
import Synchronization

/// What downloads cost that run and are watched, but for their bytes; to be built with `-c release`.
struct RunningMeasure {
  let folder: String
  let count: Int
  let observers: Int

  func run() async throws {
    var configuration = DownloadConfiguration(stateFolder: folder + "/state", downloads: folder)
    configuration.settings.parallel = count
    configuration.engine = SteadyEngine()
    let manager = DownloadManager(configuration)
    let ids = try await manager.add(
      (0..<count).map { try DownloadRequest("https://files.example.org/disc-\($0).iso") })
    try await manager.stored()
    try await measure("\(count) that run, and nobody watches")

    let told = Counter()
    var observations: [DownloadObservation] = []
    let queue = DispatchQueue(label: "observers")
    for number in 0..<observers {
      observations.append(
        manager.observe(ids[number % count], on: queue) { _ in told.add() })
    }
    try await measure("\(observers) observers of one each", told)
    for observation in observations { observation.cancel() }
    observations = []

    for (name, limit) in [("100", 100), ("all", RecordQuery.largestLimit)] {
      var query = RecordQuery()
      query.limit = limit
      let watching = (0..<observers).map { _ in
        Task { [query] in for await _ in manager.pages(query) { told.add() } }
      }
      try await measure("\(observers) observers of a page of \(name)", told)
      for task in watching { task.cancel() }
    }
    print("peak \(Meter.peakMiB) MiB")
    await manager.close()
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }; return count
      }
    }
  }

  private func measure(_ name: String, _ told: Counter? = nil) async throws {
    // What begins is not what is measured.
    try await Task.sleep(for: .seconds(1))
    _ = told?.take()
    let before = Meter.processorMilliseconds
    try await Task.sleep(for: .seconds(10))
    let used = Meter.processorMilliseconds - before
    let heard = told.map { ", \($0.take() / 10) calls a second" } ?? ""
    print("\(name): \(used / 100) % of a core\(heard)")
  }
}
