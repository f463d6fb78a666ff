internal import HaulHTTP

/// What an earlier run left of a file.
public struct StoredBytes: Sendable, Hashable {
  /// The bytes that are there.
  public var received: Int64
  /// The length of the file, or nil when the server never told it.
  public var total: Int64?

  /// Makes a description.
  public init(received: Int64, total: Int64?) {
    self.received = received
    self.total = total
  }
}

extension TransferEnvironment {
  /// What is on disk of a file, without asking anybody for it; nil when there is nothing. Bytes are
  /// counted as they were left: whether they are still right is looked at when the transfer runs.
  ///
  /// - Throws: `TransferFailure` when the disk fails, or when a transfer of the file runs (`in-use`).
  public func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes? {
    var destination = request.storeDestination
    // Whoever only looks leaves the note of a publishing to the transfer.
    destination.isRecorded = true
    let outcome = await withCheckedContinuation { [destination] done in
      store.find(SourceIdentity(request), at: destination) {
        done.resume(returning: $0)
      }
    }
    switch outcome {
    case .failure(let failure): throw TransferFailure(failure)
    case .success(.published(let file)):
      return StoredBytes(received: file.byteCount, total: file.byteCount)
    case .success(.part(let part)):
      let stored = StoredBytes(received: part.stored.byteCount, total: part.version.total)
      await withCheckedContinuation { done in part.close(.keep) { done.resume() } }
      return stored
    case .success(.nothing), .success(.existing), .success(.likely): return nil
    }
  }
}

extension SourceIdentity {
  /// The source that a request names.
  init(_ request: TransferRequest) {
    let source = request.keptUnder ?? request.url
    self.init(url: source.identityText, redactedURL: source.description)
  }
}
