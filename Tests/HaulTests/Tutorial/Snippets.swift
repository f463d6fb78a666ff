// What README.md and docs/TUTORIAL.md show of Swift, between marks that name the snippet. A snippet may have
// several pieces. This file imports what an app imports, and nothing more.

// snippet: list, one-file, row, view
import Haul

// end

#if canImport(SwiftUI)
  // snippet: view
  import SwiftUI

// end
#endif

// snippet: list
/// The downloads of an app: three at a time. They go on after the app was killed.
struct Downloads {
  var manager = DownloadManager.shared

  func add(_ address: String) async throws -> DownloadID {
    try await manager.add(address)
  }

  func toggle(_ download: DownloadSnapshot) {
    if download.state == .paused {
      manager.resume(download.id)
    } else {
      manager.pause(download.id)
    }
  }

  /// Draws the list as it is, then as it changes, until the task is cancelled.
  func show(_ draw: (String) -> Void) async {
    for await (page, totals) in manager.pages() {
      for download in page.items {
        let percent = download.fraction.map { "\(Int($0 * 100)) %" } ?? "\(download.received) bytes"
        draw("\(download.name): \(download.state) \(percent) \(download.failure?.message ?? "")")
      }
      draw("\(totals.counts[.finished] ?? 0) of \(totals.count) finished")
    }
  }
}
// end

struct Snippets {
  static func oneFile() async throws {
    // snippet: one-file
    let download = try FileDownload("https://example.org/film.mp4", to: "/films/film.mp4")
    download.start { print($0.state, $0.fraction ?? 0) }
    let file = try await download.result()
    // end
    _ = file
  }

  // snippet: one-file-again
  func goOn(_ download: FileDownload, _ draw: (Double) -> Void) async throws -> String? {
    if let stored = try await download.stored(), let total = stored.total {
      draw(Double(stored.received) / Double(total))
    }
    download.start()
    for await snapshot in download.snapshots { draw(snapshot.fraction ?? 0) }
    return try await download.result().path
  }
  // end

  static func oneFileOptions(_ hex: String) throws -> FileDownload? {
    // snippet: one-file-options
    guard let digest = Digest(parsing: "sha-256=\(hex)") else { return nil }  // never without it
    let download = try FileDownload("https://example.org/disc.iso", to: "/films/") {
      $0.digest = digest
      $0.maximumByteCount = 8 << 30
    }
    // end
    return download
  }

  static func configuration(_ container: String) -> DownloadManager {
    // snippet: configuration
    var configuration = DownloadConfiguration(
      stateFolder: "\(container)/state", downloads: "\(container)/Downloads")
    configuration.bases["films"] = "\(container)/Films"
    configuration.settings.parallel = 4
    let manager = DownloadManager(configuration)
    // end
    return manager
  }

  static func commands(_ manager: DownloadManager, _ id: DownloadID, _ other: DownloadID)
    async throws
  {
    // snippet: commands
    manager.pause(id)  // what was received is kept
    manager.resume(id)
    manager.pause(.all)
    manager.start(.states([.paused, .failed]))
    manager.move([id], to: .top)
    manager.move([id], to: .after(other))
    manager.setPriority(10, of: [other])
    manager.cancel(id)  // it stays in the list, and what was received is given up
    manager.remove(other)  // a finished file stays
    manager.remove(.states([.finished]), files: true)  // this takes the files, too
    try await manager.stored()  // all of that survives the process now
    // end
  }

  static func launch(_ manager: DownloadManager, _ draw: (String) -> Void) async throws {
    // snippet: launch
    let report = try await manager.open()
    draw("\(report.count) downloads, \(report.interrupted.count) of them go on")
    if let aside = report.setAside { draw("The list was damaged; it lies in \(aside).") }
    let found = try await manager.restored()
    for leftover in found.leftovers { draw("\(leftover.received) bytes of nobody") }
    // end
  }

  // snippet: options
  func request(_ address: String, mirror: String, digest: Digest) throws -> DownloadRequest {
    var request = try DownloadRequest(address)
    request.folder = try RecordPath(base: "films", relative: "2026")
    request.name = "film.mp4"
    request.priority = 5
    request.onDuplicate = .refuse
    request.options.digests = [digest]
    request.options.mirrors = [try HTTPURL(parsing: mirror)]
    request.options.headers = [HeaderField(name: "Accept-Language", value: "en")]
    request.options.namePolicy = .overwrite
    request.options.rateLimit = 2 << 20  // bytes in a second
    return request
  }
  // end

  static func secrets(_ request: inout DownloadRequest) {
    // snippet: secrets
    request.secrets.credentials = SecretCredentials(user: "me", password: "hunter2")
    request.secrets.fields = [SecretField(name: "X-Api-Key", value: "k3y")]
    // end
  }

  static func address(_ manager: DownloadManager, _ id: DownloadID, _ signed: String) async throws {
    // snippet: address
    try await manager.setURL(try HTTPURL(parsing: signed), of: id)
    // end
  }

  // snippet: waiting
  /// Waits for the end of one download.
  func path(of id: DownloadID, in manager: DownloadManager) async -> String? {
    var last: DownloadSnapshot?
    for await snapshot in manager.snapshots(of: id) { last = snapshot }
    return last?.state == .finished ? last?.path : nil
  }
  // end

  // snippet: events
  func notify(_ events: AsyncStream<DownloadEvent>, _ tell: (String) -> Void) async {
    for await event in events {
      switch event.kind {
      case .ended(let id, _, .finished, _): tell("\(id) is there")
      case .ended(let id, _, .failed(isTriedAgain: false), let failure):
        tell("\(id) failed: \(failure?.message ?? "")")
      case .storageFailed(let failure): tell("The list cannot be stored: \(failure.message)")
      default: break
      }
    }
  }
  // end

  static func observe(_ manager: DownloadManager, _ id: DownloadID) {
    // snippet: observe
    let observation = manager.observe(id) { snapshot in  // on the main queue
      print(snapshot.received, snapshot.rate ?? 0, snapshot.secondsLeft ?? .infinity)
    }
    // end
    // snippet: observe-end
    observation.cancel()  // or let go of it
    // end
  }

  // snippet: failures
  func add(_ address: String, to manager: DownloadManager) async -> String {
    do throws(DownloadManagerFailure) {
      return "\(try await manager.add(address))"
    } catch {
      switch error.code {
      case .invalid, .duplicate: return error.message
      case .inUse: return "The app runs already."
      case .diskFull: return "There is no room for the list."
      default: return "[\(error.code.rawValue)] \(error.message)"
      }
    }
  }
  // end

  static func settings(_ manager: DownloadManager) {
    // snippet: settings
    manager.updateSettings {
      $0.parallel = 4
      $0.perHost = 2
      $0.rateLimit = 5 << 20  // bytes in a second, all together
      $0.schedule = DownloadSchedule(from: 23 * 60, to: 6 * 60)  // at night
    }
    // end
    // snippet: online
    manager.updateSettings { $0.isOnline = false }  // what runs stops, and waits for the network
    // end
  }

  static func log(_ configuration: inout DownloadConfiguration) {
    // snippet: log
    configuration.logLevel = .warning
    configuration.log = { entry in
      print(entry.level, entry.id?.description ?? "-", entry.message)
    }
    // end
  }

  static func metrics(_ manager: DownloadManager, _ draw: (String) -> Void) async throws {
    // snippet: metrics
    let metrics = try await manager.metrics()
    draw("\(metrics.finished) files, \(metrics.receivedBytes) bytes, \(metrics.attempts) attempts")
    for (code, count) in metrics.failures { draw("\(code): \(count)") }
    // end
  }

  static func memory(_ configuration: inout DownloadConfiguration) {
    // snippet: memory
    configuration.database = MemoryDatabase()
    configuration.secrets = MemorySecrets()
    // end
  }
}

// snippet: row
/// A row of a table, which shows now this download, now that one.
final class Row: Sendable {
  @MainActor var title = ""

  @MainActor func show(_ snapshot: DownloadSnapshot) {
    title = "\(snapshot.name) \(snapshot.state)"
  }

  func bind(to id: DownloadID, in manager: DownloadManager) {
    manager.bind(self, to: id) { row, snapshot in
      MainActor.assumeIsolated { row.show(snapshot) }
    }
  }
}
// end

// snippet: token
/// Keeps secrets where another store keeps them, and gives each attempt the token of the moment.
struct TokenSecrets: SecretStore {
  let kept: any SecretStore
  let token: @Sendable () -> String

  func secrets(of id: DownloadID) throws(SecretFailure) -> ItemSecrets? {
    guard var secrets = try kept.secrets(of: id) else { return nil }
    secrets.fields = secrets.fields.map {
      $0.name == "Authorization" ? SecretField(name: $0.name, value: token()) : $0
    }
    return secrets
  }

  func store(_ secrets: [DownloadID: ItemSecrets]) throws(SecretFailure) {
    try kept.store(secrets)
  }

  func ids() throws(SecretFailure) -> [DownloadID] { try kept.ids() }
}
// end

#if canImport(SwiftUI)
  // snippet: view
  struct DownloadList: View {
    @State private var list = DownloadListModel(in: .shared)

    var body: some View {
      List(list.page.items) { download in
        VStack(alignment: .leading) {
          Text(download.name)
          ProgressView(value: download.fraction)
          Text(download.failure?.message ?? download.reason?.rawValue ?? download.state.rawValue)
        }
        .onTapGesture { DownloadManager.shared.pause(download.id) }
      }
    }
  }
// end
#endif
