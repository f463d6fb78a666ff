import Foundation
import HaulHTTP
import HaulTransfer
import Synchronization

@testable import Haul

/// An engine whose downloads do what a test says. Two of the same source at once, a second start, or
/// anything after the end are faults.
final class FakeEngine: Downloading {
  private struct State {
    var downloads: [FakeDownload] = []
    var stored: [String: StoredBytes] = [:]
    var discarded: [String] = []
    var settled: [String] = []
    var removed: [String] = []
    var leftovers: [Leftover] = []
    var freeBytes: Int64 = 1 << 40
    var faults: [String] = []
  }

  private let state = Mutex(State())

  /// Those that have started and not ended, in the order of their starts.
  var running: [FakeDownload] { state.withLock { $0.downloads }.filter(\.isRunning) }
  var startedCount: Int { state.withLock { $0.downloads.count } }
  var faults: [String] { state.withLock { $0.faults } }
  var discarded: [String] { state.withLock { $0.discarded } }
  var settled: [String] { state.withLock { $0.settled } }
  var removed: [String] { state.withLock { $0.removed } }

  func setFreeBytes(_ count: Int64) { state.withLock { $0.freeBytes = count } }

  /// What the disk has of an address.
  func store(_ url: String, _ bytes: StoredBytes?) { state.withLock { $0.stored[url] = bytes } }

  /// The one that runs of an address.
  func running(_ name: String) -> FakeDownload? {
    running.first { $0.request.url.identityText.hasSuffix(name) }
  }

  /// The names of what lies in each folder.
  var leftoverNames: [String] {
    state.withLock { $0.leftovers }.compactMap {
      $0.url?.split(separator: "/").last.map(String.init)
    }
  }

  /// What lies in each folder of parts and journals.
  func leave(_ leftovers: [Leftover]) { state.withLock { $0.leftovers = leftovers } }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  func download(
    _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) -> any RunningDownload {
    let download = FakeDownload(request, self, onEvent)
    state.withLock { state in
      if state.downloads.contains(where: {
        $0.isRunning && $0.request.sourceKey == request.sourceKey
      }) {
        state.faults.append("two at once of \(request.url)")
      }
      state.downloads.append(download)
    }
    return download
  }

  func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes? {
    state.withLock { $0.stored[request.url.identityText] }
  }

  func settle(_ request: TransferRequest, path: String) async throws(TransferFailure) {
    state.withLock { $0.settled.append(path) }
  }

  func discard(_ request: TransferRequest) async throws(TransferFailure) {
    if running.contains(where: { $0.request.sourceKey == request.sourceKey }) {
      fault("\(request.url) is given up while it runs")
    }
    state.withLock { $0.discarded.append(request.url.identityText) }
  }

  func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover] {
    state.withLock { $0.leftovers }.filter { leftover in
      let there = leftover.journalPath ?? leftover.partPath ?? ""
      return there.split(separator: "/").dropLast() == path.split(separator: "/")[...]
    }
  }

  func discard(_ leftover: Leftover) async throws(TransferFailure) {
    state.withLock { $0.leftovers.removeAll { $0 == leftover } }
  }

  func removeFile(at path: String) async throws(TransferFailure) {
    state.withLock { $0.removed.append(path) }
  }

  func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64 {
    state.withLock { $0.freeBytes }
  }
}

/// One download of a fake engine.
final class FakeDownload: RunningDownload {
  private enum Phase { case new, running, stopping, ended }

  private struct State {
    var phase = Phase.new
    var progress = TransferProgress(state: .connecting, received: 0, connections: 1)
    /// Whether it takes its time to stop.
    var stopsLate = false
  }

  let request: TransferRequest
  private let engine: FakeEngine
  private let onEvent: @Sendable (TransferEvent) -> Void
  private let state = Mutex(State())

  init(
    _ request: TransferRequest, _ engine: FakeEngine,
    _ onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) {
    self.request = request
    self.engine = engine
    self.onEvent = onEvent
  }

  var progress: TransferProgress { state.withLock { $0.progress } }

  var isRunning: Bool {
    state.withLock { state in
      switch state.phase {
      case .running, .stopping: true
      case .new, .ended: false
      }
    }
  }

  /// Where its file goes.
  var path: String {
    let name = request.destination.name ?? request.url.lastPathSegment
    return request.destination.folder + "/" + name
  }

  func start() {
    state.withLock { state in
      if case .new = state.phase { state.phase = .running } else { engine.fault("a second start") }
    }
  }

  func stop() {
    let endsNow = state.withLock { state in
      guard case .running = state.phase else { return false }
      state.phase = .stopping
      return !state.stopsLate
    }
    if endsNow { end(.stopped(received: progress.received, isResumable: true)) }
  }

  /// From now on a stop is only carried out by `end`.
  func stopLate() { state.withLock { $0.stopsLate = true } }

  func receive(_ count: Int64, of total: Int64?) {
    let isFirst = state.withLock { state in
      defer {
        state.progress.state = .receiving
        state.progress.received = count
        state.progress.total = total
        state.progress.path = path
      }
      return state.progress.path == nil
    }
    if isFirst { onEvent(.started(path: path, total: total, resumedFrom: 0)) }
  }

  func verify() { onEvent(.verifying) }

  func finish(_ byteCount: Int64 = 100) {
    end(
      .finished(
        FinishedTransfer(
          path: path, wantedName: path, byteCount: byteCount, seconds: 1, verification: .length)))
  }

  func fail(_ code: TransferFailure.Code, status: Int? = nil, keeps: Bool = true) {
    var failure = TransferFailure(
      code: code, status: status, message: "It failed: \(code.rawValue).")
    failure.isResumable = keeps
    end(.failed(failure))
  }

  func end(_ result: TransferResult) {
    let isFirst = state.withLock { state in
      defer { state.phase = .ended }
      if case .ended = state.phase { return false }
      return true
    }
    guard isFirst else { return engine.fault("a second end") }
    onEvent(.ended(result))
  }
}
