import Haul
import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// An engine without network and disk, whose downloads receive a megabyte a second for ever.
struct SteadyEngine: Downloading {
  let clock = SystemClock()

  func download(
    _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) -> any RunningDownload {
    SteadyDownload(request, clock, onEvent)
  }

  func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes? { nil }
  func settle(_ request: TransferRequest, path: String) async throws(TransferFailure) {}
  func discard(_ request: TransferRequest) async throws(TransferFailure) {}
  func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover] { [] }
  func discard(_ leftover: Leftover) async throws(TransferFailure) {}
  func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64 { 1 << 40 }
  func removeFile(at path: String) async throws(TransferFailure) {}
}

final class SteadyDownload: RunningDownload {
  private static let rate = 1e6
  private let path: String
  private let clock: SystemClock
  private let begun: Instant
  private let onEvent: @Sendable (TransferEvent) -> Void

  init(
    _ request: TransferRequest, _ clock: SystemClock,
    _ onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) {
    path = request.destination.folder + "/" + request.url.lastPathSegment
    self.clock = clock
    begun = clock.now
    self.onEvent = onEvent
  }

  var progress: TransferProgress {
    let received = Int64(clock.now.seconds(since: begun) * Self.rate)
    return TransferProgress(
      state: .receiving, received: received, total: 1 << 40, path: path, connections: 4)
  }

  func start() { onEvent(.started(path: path, total: 1 << 40, resumedFrom: 0)) }
  func stop() { onEvent(.ended(.stopped(received: progress.received, isResumable: true))) }
}
