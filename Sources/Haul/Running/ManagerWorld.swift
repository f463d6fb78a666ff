internal import HaulRecords
internal import HaulTransfer

/// What a manager needs of the world around it.
struct ManagerWorld: Sendable {
  var engine: any Downloading
  var secrets: any SecretStore
  var bases: DownloadBases
  var clock: any Clock
  /// The bytes of a file that stands there; nil when that cannot be told.
  var byteCount: @Sendable (String) -> Int64? = { _ in nil }
  /// Gives 64 random bits with each call.
  var bits: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// Hears what the engine tells of an attempt.
  var onEvent: @Sendable (DownloadID, UInt32, TransferEvent) -> Void
}

/// What is to be done outside of the manager's own state; nothing of it waits.
enum ManagerEffect: Sendable {
  case start(any RunningDownload)
  case stop(any RunningDownload)
  /// The record of a file is stored: its note may go; then somebody else may fetch from its source, who
  /// would take the file for his otherwise.
  case settle(TransferRequest, path: String)
  /// What was received goes; then somebody else may fetch from this source.
  case discard(TransferRequest)
  /// A file goes, if it is as long as it was, and its note with it; then somebody else may fetch from its source.
  case removeFile(TransferRequest, path: String, byteCount: Int64?)
  /// Look whether there is room for so many bytes.
  case lookForRoom(DownloadID, folder: String, byteCount: Int64)
}
