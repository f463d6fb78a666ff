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

  /// Removes the note that the file of a request with `Destination.isRecorded` was published at `path`: its
  /// owner has recorded that.
  ///
  /// A power cut may bring the note back; it says the same then.
  ///
  /// - Throws: `TransferFailure` when the disk fails; not when there is no note.
  func settle(_ request: TransferRequest, path: String) async throws(TransferFailure)

  /// Removes what is there of a file that is not finished, and the note of one that is; never the file.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `in-use` while somebody fetches the file; not when
  ///   there is nothing.
  func discard(_ request: TransferRequest) async throws(TransferFailure)

  /// What lies in a folder of parts and journals, of any source, in the order of their names.
  ///
  /// - Throws: `TransferFailure` when the folder cannot be read; not when it is missing.
  func leftovers(inFolder path: String) async throws(TransferFailure) -> [Leftover]

  /// Removes a part and its journal that were listed; never a published file.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `in-use`, with nothing removed, when somebody uses
  ///   them or they are not what was listed any more; not when they are gone.
  func discard(_ leftover: Leftover) async throws(TransferFailure)

  /// The bytes that may still be written into a folder, or into the nearest one above it that is there.
  ///
  /// - Throws: `TransferFailure` when that cannot be told.
  func freeBytes(inFolder path: String) async throws(TransferFailure) -> Int64

  /// Removes a finished file, durably.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `unsafe-target`, with nothing removed, when a
  ///   folder, a link, a part or anything else that is no finished file stands there; not when nothing does.
  func removeFile(at path: String) async throws(TransferFailure)
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
