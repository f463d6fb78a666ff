public import HaulTransfer

/// What Haul's managers and handles see of the engine that fetches files.
public protocol Downloading: Sendable {
  /// Makes a download that has not started.
  ///
  /// `onEvent` hears what happens, in order, one call at a time, on threads of the engine; it must not
  /// block. The last event is `ended`, once.
  func download(
    _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) -> any RunningDownload

  /// What an earlier run left on disk of a file, without asking anybody for it; nil when there is nothing.
  ///
  /// - Throws: `TransferFailure` when the disk fails, or when somebody else fetches the file at this moment
  ///   (`in-use`).
  func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes?
}

/// One download of an engine.
public protocol RunningDownload: AnyObject, Sendable {
  /// Where it stands now.
  var progress: TransferProgress { get }
  /// Starts it; called once.
  func start()
  /// Stops it and keeps what is there; it ends with `stopped`, unless it was over or about to be.
  func stop()
}

extension Transfer: RunningDownload {}
