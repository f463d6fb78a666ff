/// The part of a record that a list keeps in memory for each item: 56 bytes, and no text.
public struct DownloadSummary: Sendable, Hashable, Identifiable {
  /// Its name for as long as it is in the list.
  public let id: DownloadID
  /// Its place in the list, smallest first; equal ones stand in the order of their ids.
  public var position: Int64
  /// The bytes that are there.
  public var received: Int64
  /// The server that it comes from.
  public var origin: OriginKey
  /// What it asks for, as a number; see `DownloadRecord.key`.
  public var key: UInt64
  /// The bytes of the whole file, or nil while nobody said.
  public var total: Int64?
  /// What it does.
  public var state: DownloadState
  /// Who goes first among those that wait; higher ones do.
  public var priority: Int16
  /// The number of its attempt.
  public var attempt: UInt32

  /// Makes a summary.
  public init(
    id: DownloadID, position: Int64, received: Int64, origin: OriginKey, key: UInt64,
    total: Int64?, state: DownloadState, priority: Int16, attempt: UInt32
  ) {
    self.id = id
    self.position = position
    self.received = received
    self.origin = origin
    self.key = key
    self.total = total
    self.state = state
    self.priority = priority
    self.attempt = attempt
  }

  /// - Throws: `RecordError` when a number is negative, or there are more bytes than in total.
  package static func check(received: Int64, total: Int64?) throws(RecordError) {
    guard received >= 0 else { throw RecordError("its count of received bytes is negative") }
    guard let total else { return }
    guard total >= 0 else { throw RecordError("its total is negative") }
    guard received <= total else { throw RecordError("it has more bytes than its total") }
  }
}
