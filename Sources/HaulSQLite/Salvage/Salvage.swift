public import HaulRecords

/// What came of a damaged database.
public struct Salvage: Sendable {
  /// Where the damaged database lies now; as it was, with its log.
  public var setAside: String
  /// How many records are in the new database.
  public var saved: Int
  /// What could not be read; it lies in the damaged one.
  public var lost: [UnreadableRecord]
}
