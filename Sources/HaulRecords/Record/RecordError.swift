/// Why something is no record: a part of a sentence that says what is wrong, and repeats nothing of
/// the record, which may hold secrets.
public struct RecordError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, such as “its state is unknown”.
  public let reason: String

  /// Makes an error of its reason.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}
