public import HaulHTTP
public import HaulRecords
internal import HaulTransfer

extension DownloadManager {
  /// Adds a download; it survives a power cut when this returns.
  ///
  /// - Returns: Its id; with the policy `join` perhaps that of one that was there.
  /// - Throws: `invalid` when the request asks for what is not possible, `duplicate` with the policy
  ///   `refuse`, and what befalls the list. Nothing was added then.
  @discardableResult
  public func add(_ request: DownloadRequest) async throws(DownloadManagerFailure) -> DownloadID {
    guard let id = try await add([request]).first else { throw .closed }
    return id
  }

  /// Adds the download of an address to the folder of downloads; it survives a power cut when this returns.
  ///
  /// - Throws: `invalid` when the text is no address of `http` or `https`, and what befalls the list.
  @discardableResult
  public func add(_ address: String) async throws(DownloadManagerFailure) -> DownloadID {
    let request: DownloadRequest
    do throws(AddressError) { request = try DownloadRequest(address) } catch {
      throw DownloadManagerFailure(code: .invalid, message: "\(error)")
    }
    return try await add(request)
  }

  /// Adds downloads, all or none, in one step; they survive a power cut when this returns.
  ///
  /// - Returns: Their ids, in the order of the requests.
  /// - Throws: What `add` of one throws; the `index` says which request it is about.
  public func add(
    _ requests: [DownloadRequest]
  ) async throws(DownloadManagerFailure) -> [DownloadID] {
    try await call { core, moment throws(DownloadManagerFailure) in
      let outcome = try core.add(requests, moment)
      return (outcome.answer, outcome.actions)
    }
  }

  /// Gives a download another address. What was received is kept, and used as far as the new address has
  /// the same file; an attempt that runs goes on there. Secrets for another server are dropped.
  ///
  /// - Throws: `unknownID`, and what befalls the list.
  public func setURL(
    _ url: HTTPURL, of id: DownloadID
  ) async throws(DownloadManagerFailure) {
    try await call { core, moment throws(DownloadManagerFailure) in
      ((), try core.setURL(id, url, moment))
    }
  }

  /// Limits the bytes in a second of one download, at once and in later attempts; nil for no limit.
  ///
  /// - Throws: `invalid` for a limit below 1, `unknownID`, and what befalls the list.
  public func setRateLimit(
    _ bytesPerSecond: Int64?, of id: DownloadID
  ) async throws(DownloadManagerFailure) {
    try await call { core, moment throws(DownloadManagerFailure) in
      ((), try core.setRateLimit(id, bytesPerSecond))
    }
  }
}
