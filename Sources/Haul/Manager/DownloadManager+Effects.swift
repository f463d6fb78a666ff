internal import HaulRecords
internal import HaulTransfer

extension DownloadManager {
  /// Bytes that stay free on a disk that was full, beyond those that are missing.
  private static let reserve: Int64 = 16 << 20

  /// Does something outside of the manager's state; it never waits.
  func carryOut(_ effect: ManagerEffect) {
    switch effect {
    case .start(let running): running.start()
    case .stop(let running): running.stop()
    case .settle(let request, let path):
      tidy(request) { engine throws(TransferFailure) in
        try await engine.settle(request, path: path)
      }
    case .discard(let request):
      tidy(request) { engine throws(TransferFailure) in try await engine.discard(request) }
    case .removeFile(let request, let path, let byteCount):
      tidy(request) { engine throws(TransferFailure) in
        try await engine.settle(request, path: path)
        // Somebody may have put another file there.
        if let there = Self.byteCount(of: path), let byteCount, there != byteCount {
          throw TransferFailure(
            code: .unsafeTarget,
            message: "\u{201C}\(path)\u{201D} is not the file that was fetched any more, and stays."
          )
        }
        try await engine.removeFile(at: path)
      }
    case .lookForRoom(let id, let folder, let byteCount):
      let (wanted, overflow) = byteCount.addingReportingOverflow(Self.reserve)
      Task.detached { [weak self, engine] in
        guard !overflow, let free = try? await engine.freeBytes(inFolder: folder), free >= wanted
        else { return }
        self?.post { core, moment in core.keeper.list.room(id, moment) }
      }
    }
  }

  /// What fails is logged; it stays on disk, and is found as left over.
  private func tidy(
    _ request: TransferRequest,
    _ body: @escaping @Sendable (any Downloading) async throws(TransferFailure) -> Void
  ) {
    Task.detached { [weak self, engine] in
      var failure: TransferFailure?
      do throws(TransferFailure) { try await body(engine) } catch { failure = error }
      let message = failure?.message
      self?.post { core, _ in
        if let message { core.note(.warning, nil, message) }
        core.tidied(request.sourceKey)
        return []
      }
    }
  }
}
