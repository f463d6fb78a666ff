import FoundationEssentials
import Haul
import HaulHTTP
import HaulRecords

/// What a list of downloads of some length costs, none of which runs; to be built with `-c release`.
struct ListMeasure {
  let folder: String

  private func manager() -> DownloadManager {
    var configuration = DownloadConfiguration(stateFolder: folder + "/state", downloads: folder)
    configuration.settings.parallel = 0
    return DownloadManager(configuration)
  }

  func make(_ count: Int) async throws {
    let manager = manager()
    try await Meter.time("open an empty list") { _ = try await manager.open() }
    print("resident: \(Meter.residentMiB) MiB")
    var requests = try (0..<count).map { number in
      try DownloadRequest("https://files\(number % 50).example.org/pub/linux/disc-\(number).iso")
    }
    print("resident with the requests: \(Meter.residentMiB) MiB")
    try await Meter.time("add \(count) in one call") { _ = try await manager.add(requests) }
    requests = []
    print("resident: \(Meter.residentMiB) MiB, peak \(Meter.peakMiB) MiB")
    try await Meter.time("add one more") {
      _ = try await manager.add("https://files.example.org/last")
    }
    try await Meter.time("add one more") {
      _ = try await manager.add("https://files.example.org/very-last")
    }
    await Meter.time("close") { await manager.close() }
  }

  func open() async throws {
    let manager = manager()
    try await Meter.time("open, until the first page") {
      let report = try await manager.open()
      let page = try await manager.page()
      print("\(report.count) downloads, \(page.items.count) shown")
    }
    print("resident: \(Meter.residentMiB) MiB, peak \(Meter.peakMiB) MiB")
    let count = try await manager.totals().count
    try await pages(manager, count)
    try await changes(manager)
    print("resident: \(Meter.residentMiB) MiB, peak \(Meter.peakMiB) MiB")
    try await Meter.time("remove all") {
      manager.remove(.all)
      try await manager.stored()
    }
    print("\(try await manager.totals().count) left, peak \(Meter.peakMiB) MiB")
    await manager.close()
  }

  private func pages(_ manager: DownloadManager, _ count: Int) async throws {
    var query = RecordQuery()
    try await page("page of 100", manager, query)
    query.offset = count - 100
    try await page("page of 100 at the end", manager, query)
    (query.offset, query.isDescending) = (count / 2, true)
    try await page("page of 100 in the middle, from the end", manager, query)
    (query.offset, query.isDescending, query.states) = (0, false, [.waiting, .failed])
    try await page("page of 100 of two states", manager, query)
    query.offset = count - 100
    try await page("page of 100 of two states at the end", manager, query)
    (query.offset, query.states) = (0, [.failed])
    try await page("page of a state that none has", manager, query)
    (query.states, query.search) = (nil, "disc-99")
    try await page("page of 100 found by a text", manager, query)
    (query.search, query.sort) = ("", .name)
    try await page("page of 100 by name", manager, query)
    try await Meter.time("totals") { _ = try await manager.totals() }
  }

  private func page(
    _ name: String, _ manager: DownloadManager, _ query: RecordQuery
  ) async throws {
    try await Meter.time(name) { _ = try await manager.page(query) }
  }

  private func changes(_ manager: DownloadManager) async throws {
    var query = RecordQuery()
    query.limit = 1000
    let ids = try await manager.page(query).items.map(\.id)
    func change(_ name: String, _ body: () -> Void) async throws {
      try await Meter.time(name) {
        body()
        try await manager.stored()
      }
    }
    try await change("move one to the end") { manager.move(.ids([ids[0]]), to: .bottom) }
    try await page("page of 100 after that", manager, RecordQuery())
    try await change("move 1000 to the end") { manager.move(.ids(ids), to: .bottom) }
    try await change("move 1000 between two") {
      manager.move(.ids(Array(ids.dropFirst())), to: .before(ids[0]))
    }
    try await change("priority of 1000") { manager.setPriority(1, of: .ids(ids)) }
    try await change("pause one") { manager.pause(ids[0]) }
    try await change("remove one") { manager.remove(ids[0]) }
    try await page("page of 100 after that", manager, RecordQuery())
    try await change("pause all") { manager.pause(.all) }
    try await change("resume all") { manager.resume(.all) }
  }
}
