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
      work { engine throws(TransferFailure) in try await engine.settle(request, path: path) }
    case .discard(let request):
      work { engine throws(TransferFailure) in
        try await engine.discard(request)
      } then: { core in
        core.discarded(request.sourceKey)
      }
    case .removeFile(let id, let path):
      work(id) { engine throws(TransferFailure) in try await engine.removeFile(at: path) }
    case .lookForRoom(let id, let folder, let byteCount):
      let (wanted, overflow) = byteCount.addingReportingOverflow(Self.reserve)
      Task.detached { [weak self, engine] in
        guard !overflow, let free = try? await engine.freeBytes(inFolder: folder), free >= wanted
        else { return }
        self?.post { core, moment in core.keeper.list.room(id, moment) }
      }
    }
  }

  /// What failed is logged; it stays on disk, and is found as left over.
  private func work(
    _ id: DownloadID? = nil,
    _ body: @escaping @Sendable (any Downloading) async throws(TransferFailure) -> Void,
    then: @escaping @Sendable (inout ManagerCore) -> Void = { _ in }
  ) {
    Task.detached { [weak self, engine] in
      var failure: TransferFailure?
      do throws(TransferFailure) { try await body(engine) } catch { failure = error }
      let message = failure?.message
      self?.post { core, _ in
        if let message { core.note(.warning, id, message) }
        then(&core)
        return []
      }
    }
  }
}

extension ManagerCore {
  /// What was received from a source is gone; somebody else may begin there.
  mutating func discarded(_ source: String) {
    let count = (discarding[source] ?? 1) - 1
    discarding[source] = count > 0 ? count : nil
  }
}
