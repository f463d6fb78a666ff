import Haul

/// Where there is no terminal: a line for each change, until nothing runs or waits any more, or a signal ends it.
func printChanges(of manager: DownloadManager) async throws(DownloadManagerFailure) {
  let (inputs, continuation) = AsyncStream.makeStream(of: DownloadEvent?.self)
  let signals = Signals { _ in continuation.yield(nil) }
  defer { signals.cancel() }
  let events = manager.events()
  let following = Task { for await event in events { continuation.yield(event) } }
  defer { following.cancel() }

  var told: [DownloadID: String] = [:]
  for download in try await manager.page().items { tell(download, &told) }
  if try await isIdle(manager) { return }
  for await input in inputs {
    guard let event = input else { return }
    switch event.kind {
    case .changed(let id), .ended(let id, _, _, _):
      if let download = try await manager.snapshot(of: id) { tell(download, &told) }
    case .added(let ids):
      for id in ids {
        if let download = try await manager.snapshot(of: id) { tell(download, &told) }
      }
    case .removed(let id): write("\(id) removed\n")
    case .storageFailed(let failure): write("the list cannot be stored: \(failure.message)\n")
    case .storageRecovered: write("the list is stored again\n")
    }
    if try await isIdle(manager) { return }
  }
}

private func tell(_ download: DownloadSnapshot, _ told: inout [DownloadID: String]) {
  let line = "\(Row.name(of: download)): \(Row.status(of: download))"
  if told.updateValue(line, forKey: download.id) != line { write("\(line)\n") }
}

private func isIdle(_ manager: DownloadManager) async throws(DownloadManagerFailure) -> Bool {
  let counts = try await manager.totals().counts
  return [.waiting, .downloading, .verifying].allSatisfy { counts[$0] == nil }
}
