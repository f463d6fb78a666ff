internal import HaulHTTP

/// The housekeeping of the store; see `StoreHousekeeping` for the rules.
extension TransferEnvironment {
  /// Removes the note that the file of a request was published at `path`: its owner has recorded it.
  ///
  /// - Throws: `TransferFailure` when the disk fails; not when there is no note.
  public func settle(
    _ request: TransferRequest, path: String
  ) async throws(TransferFailure) {
    try await ask { store.settle(SourceIdentity(request), path: path, completion: $0) }
  }

  /// Removes what is there of a file that is not finished, and the note of one that is; never the file.
  ///
  /// - Throws: `TransferFailure` when the disk fails, or somebody fetches the file (`in-use`); not when
  ///   there is nothing.
  public func discard(_ request: TransferRequest) async throws(TransferFailure) {
    try await ask {
      store.discard(SourceIdentity(request), at: request.storeDestination, completion: $0)
    }
  }

  /// What lies in a folder of parts and journals, of any source, in the order of their names.
  ///
  /// - Throws: `TransferFailure` when the folder cannot be read; not when it is missing.
  public func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover] {
    try await ask { store.leftovers(inFolder: path, completion: $0) }
  }

  /// Removes a part and its journal that were listed; never a published file.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `in-use` when somebody uses them or they are not
  ///   what was listed any more; not when they are gone.
  public func discard(_ leftover: Leftover) async throws(TransferFailure) {
    try await ask { store.discard(leftover, completion: $0) }
  }

  /// The bytes that may still be written into a folder, or into the nearest one above it that is there.
  ///
  /// - Throws: `TransferFailure` when that cannot be told.
  public func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64 {
    try await ask { store.freeBytes(inFolder: path, completion: $0) }
  }

  /// Removes a finished file, durably.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `unsafe-target` when no plain file stands there;
  ///   not when nothing does.
  public func removeFile(at path: String) async throws(TransferFailure) {
    try await ask { store.removeFile(at: path, completion: $0) }
  }

  private func ask<Value: Sendable>(
    _ job: (@escaping @Sendable (FileOutcome<Value>) -> Void) -> Void
  ) async throws(TransferFailure) -> Value {
    let outcome = await withCheckedContinuation { done in job { done.resume(returning: $0) } }
    return try outcome.mapError { TransferFailure($0) }.get()
  }
}
