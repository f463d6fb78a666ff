public import HaulTransfer

extension DownloadEngine {
  /// Removes the note that the file of a request was published at `path`.
  public func settle(_ request: TransferRequest, path: String) async throws(TransferFailure) {
    try await environment.settle(request, path: path)
  }

  /// Removes what is there of a file that is not finished, and the note of one that is.
  public func discard(_ request: TransferRequest) async throws(TransferFailure) {
    try await environment.discard(request)
  }

  /// What lies in a folder of parts and journals.
  public func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover] {
    try await environment.leftovers(inFolder: path)
  }

  /// Removes a part and its journal that were listed.
  public func discard(_ leftover: Leftover) async throws(TransferFailure) {
    try await environment.discard(leftover)
  }

  /// The bytes that may still be written into a folder.
  public func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64 {
    try await environment.freeBytes(inFolder: path)
  }

  /// Removes a finished file, durably.
  public func removeFile(at path: String) async throws(TransferFailure) {
    try await environment.removeFile(at: path)
  }
}
