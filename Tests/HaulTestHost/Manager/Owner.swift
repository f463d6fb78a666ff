import FoundationEssentials
import Haul
import HaulHTTP
import HaulRecords
import HaulTestKit

/// Somebody who has a list of downloads in a process of his own, and looks whether all is well with it.
final class Owner {
  let manager: DownloadManager
  let wishes: Wishes
  private(set) var ids: [DownloadID] = []

  init(state: String, downloads: String, wishes: String) throws {
    self.wishes = try Wishes(path: wishes)
    var configuration = DownloadConfiguration(stateFolder: state, downloads: downloads)
    configuration.logLevel = .debug
    configuration.log = { entry in
      Output.error.write("\(entry.level) \(entry.id.map { "\($0)" } ?? "-") \(entry.message)")
    }
    configuration.settings.parallel = 4
    manager = DownloadManager(configuration)
  }

  /// Opens the list, and adds what it has not.
  func open() async throws {
    let report = try await manager.open()
    Output.error.write(
      "opened: \(report.count), interrupted \(report.interrupted.count)")
    if !report.unreadable.isEmpty { throw Wrong("unreadable: \(report.unreadable)") }
    if let aside = report.setAside { throw Wrong("damaged: \(aside)") }
    var found: [Int: DownloadID] = [:]
    for item in try await items() {
      guard let number = wishes.number(of: item) else { throw Wrong("unknown: \(item.url)") }
      if let other = found.updateValue(item.id, forKey: number) {
        throw Wrong("two of \(item.url): \(other) \(item.id)")
      }
    }
    let missing = (0..<wishes.count).filter { found[$0] == nil }
    let added = try await manager.add(missing.map { wishes.request($0) })
    for (number, id) in zip(missing, added) { found[number] = id }
    ids = (0..<wishes.count).compactMap { found[$0] }
    guard ids.count == wishes.count else { throw Wrong("\(ids.count) ids") }
  }

  /// The whole list, each of it in a state that makes sense.
  func items() async throws -> [DownloadSnapshot] {
    var query = RecordQuery()
    query.limit = RecordQuery.largestLimit
    let page = try await manager.page(query)
    guard page.unreadable.isEmpty else { throw Wrong("unreadable: \(page.unreadable)") }
    for item in page.items {
      guard (item.state == .waiting) == (item.reason != nil) else {
        throw Wrong("\(item.id) \(item.state) for \(String(describing: item.reason))")
      }
      guard item.state != .failed || item.failure != nil else {
        throw Wrong("\(item.id) failed for nothing")
      }
      guard item.received >= 0, item.received <= item.total ?? .max else {
        throw Wrong("\(item.id): \(item.received) of \(String(describing: item.total))")
      }
    }
    return page.items
  }

  /// Puts another download in the place of one.
  func replace(_ number: Int, by id: DownloadID) { ids[number] = id }
}

/// Something that may not be.
struct Wrong: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
