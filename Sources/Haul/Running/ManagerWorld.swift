internal import HaulRecords
internal import HaulTransfer

/// What a manager needs of the world around it.
struct ManagerWorld: Sendable {
  var engine: any Downloading
  var secrets: any SecretStore
  var bases: DownloadBases
  var clock: any Clock
  /// Hears what the engine tells of an attempt.
  var onEvent: @Sendable (DownloadID, UInt32, TransferEvent) -> Void
  /// Hears what may be worth writing down.
  var log: @Sendable (DownloadLogEntry) -> Void
}

/// What is to be done outside of the manager's own state; nothing of it waits.
enum ManagerEffect: Sendable {
  case start(any RunningDownload)
  case stop(any RunningDownload)
  /// The record of a file is stored: its note may go.
  case settle(TransferRequest, path: String)
  /// What was received goes; then somebody else may fetch from this source.
  case discard(TransferRequest)
  case removeFile(DownloadID, path: String)
  /// Look whether there is room for so many bytes.
  case lookForRoom(DownloadID, folder: String, byteCount: Int64)
}
