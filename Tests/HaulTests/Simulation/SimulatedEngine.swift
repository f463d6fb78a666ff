import HaulHTTP
import HaulTransfer
import Synchronization

@testable import Haul

/// The engine of a simulated world: downloads move only when the world says so, and files stay where they
/// are when the manager is killed.
final class SimulatedEngine: Downloading {
  /// What lies on the disk of one source.
  struct Source: Sendable, Hashable {
    var received: Int64 = 0
    var hasNote = false
    var path: String?
  }

  struct State: Sendable {
    var sources: [String: Source] = [:]
    var running: [SimulatedDownload] = []
    var faults: [String] = []
    var files: Set<String> = []
  }

  static let total: Int64 = 1000
  let state = Mutex(State())

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  func download(
    _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) -> any RunningDownload { SimulatedDownload(request, self, onEvent) }

  func begin(_ download: SimulatedDownload) {
    let source = state.withLock { state -> Source in
      if state.running.contains(where: { $0.key == download.key }) {
        state.faults.append("two at once of \(download.key)")
      }
      state.running.append(download)
      return state.sources[download.key, default: Source()]
    }
    // As the store does: what was published and not yet recorded is found again.
    if source.hasNote, let path = source.path, state.withLock({ $0.files.contains(path) }) {
      download.end(found: path)
    }
  }

  func end(_ download: SimulatedDownload, received: Int64) {
    state.withLock { state in
      state.running.removeAll { $0 === download }
      state.sources[download.key, default: Source()].received = received
    }
  }

  func publish(_ download: SimulatedDownload) -> String {
    state.withLock { state in
      state.running.removeAll { $0 === download }
      var source = state.sources[download.key, default: Source()]
      var path = "\(download.key.split(separator: "\n")[0])/\(download.request.url.lastPathSegment)"
      if source.hasNote, source.path.map(state.files.contains) == true {
        state.faults.append("\(path) is published although it was found")
      }
      // One whose record was removed and whose file was kept.
      while !state.files.insert(path).inserted { path += "+" }
      source.received = 0
      source.hasNote = true
      source.path = path
      state.sources[download.key] = source
      return path
    }
  }

  /// The process is gone.
  func kill() { state.withLock { $0.running = [] } }

  func settled(_ request: TransferRequest) {
    state.withLock { $0.sources[request.sourceKey]?.hasNote = false }
  }

  func discarded(_ request: TransferRequest) {
    state.withLock { state in
      if state.running.contains(where: { $0.key == request.sourceKey }) {
        state.faults.append("\(request.sourceKey) is given up while it runs")
      }
      state.sources[request.sourceKey]?.received = 0
      state.sources[request.sourceKey]?.hasNote = false
    }
  }

  /// Its record is gone, and the process died before its file went.
  func orphaned(_ path: String) { state.withLock { _ = $0.files.remove(path) } }

  func removed(_ path: String) {
    state.withLock { state in
      if state.files.remove(path) == nil { state.faults.append("\(path) is removed and not there") }
    }
  }

  func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes? { nil }
  func settle(_ request: TransferRequest, path: String) async throws(TransferFailure) {}
  func discard(_ request: TransferRequest) async throws(TransferFailure) {}
  func discard(_ leftover: Leftover) async throws(TransferFailure) {}
  func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover] { [] }
  func removeFile(at path: String) async throws(TransferFailure) {}
  func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64 { 0 }
}

/// One download of a simulated engine.
final class SimulatedDownload: RunningDownload {
  private struct State {
    var received: Int64 = 0
    var isStopping = false
    var isOver = false
  }

  let request: TransferRequest
  let key: String
  private let engine: SimulatedEngine
  private let onEvent: @Sendable (TransferEvent) -> Void
  private let state = Mutex(State())

  init(
    _ request: TransferRequest, _ engine: SimulatedEngine,
    _ onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) {
    self.request = request
    key = request.sourceKey
    self.engine = engine
    self.onEvent = onEvent
    let received = engine.state.withLock { $0.sources[key]?.received ?? 0 }
    state.withLock { $0.received = received }
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  var progress: TransferProgress {
    state.withLock {
      TransferProgress(
        state: .receiving, received: $0.received, total: SimulatedEngine.total, connections: 1)
    }
  }

  func start() { engine.begin(self) }
  func stop() { state.withLock { $0.isStopping = true } }

  /// Bytes arrive; the manager hears of the name with the first of them.
  func receive(_ count: Int64) {
    let isFirst = state.withLock { state in
      defer { state.received = min(SimulatedEngine.total, state.received + count) }
      return state.received == 0
    }
    if isFirst {
      onEvent(
        .started(
          path: "\(request.destination.folder)/\(request.url.lastPathSegment)",
          total: SimulatedEngine.total, resumedFrom: 0))
    }
  }

  func verify() { onEvent(.verifying) }

  func finish() {
    guard over() else { return }
    let path = engine.publish(self)
    onEvent(.ended(Self.finished(path)))
  }

  /// The file was published by an attempt whose end was not recorded.
  func end(found path: String) {
    guard over() else { return }
    engine.state.withLock { $0.running.removeAll { $0 === self } }
    onEvent(.ended(Self.finished(path)))
  }

  func stopNow() {
    guard over() else { return }
    let received = progress.received
    engine.end(self, received: received)
    onEvent(.ended(.stopped(received: received, isResumable: true)))
  }

  func fail(_ code: TransferFailure.Code, status: Int?) {
    guard over() else { return }
    engine.end(self, received: progress.received)
    var failure = TransferFailure(code: code, status: status, message: "It failed.")
    failure.isResumable = true
    onEvent(.ended(.failed(failure)))
  }

  private func over() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }

  private static func finished(_ path: String) -> TransferResult {
    .finished(
      FinishedTransfer(
        path: path, wantedName: path, byteCount: SimulatedEngine.total, seconds: 1,
        verification: .length))
  }
}
