/// Which part of the list is asked for.
///
///     var query = RecordQuery()
///     query.states = [.failed]
///     query.sort = .added
///     query.isDescending = true
public struct RecordQuery: Sendable, Hashable {
  /// What the list is sorted by. Records that are equal in it stand in the order of the list.
  public enum Sort: String, Sendable, Hashable, CaseIterable {
    /// The place in the list.
    case position
    /// The time at which it was added.
    case added
    /// The name that is shown; ASCII letters without regard to case.
    case name
    /// The bytes that are there.
    case received
    /// The bytes of the whole file; unknown ones count as smaller than all others.
    case total
    /// The raw value of the state, as text.
    case state
  }

  /// The most records of one page.
  public static let largestLimit = 1000

  /// The states asked for, or nil for all.
  public var states: Set<DownloadState>?
  /// What address or name contain, byte for byte but for the case of ASCII letters; empty for all.
  public var search = ""
  /// What the list is sorted by.
  public var sort = Sort.position
  /// Whether the largest comes first. It turns the whole order round, also that of equal ones.
  public var isDescending = false
  /// How many records are passed over; a negative number counts as 0.
  public var offset = 0
  /// How many records are wanted; it counts as at least 0 and at most `largestLimit`.
  public var limit = 100

  /// Asks for the first hundred of the whole list.
  public init() {}

  /// The number of records to pass over.
  package var boundedOffset: Int { max(0, offset) }
  /// The number of records to bring.
  package var boundedLimit: Int { min(max(0, limit), Self.largestLimit) }
  /// What is searched for, with its ASCII letters in lower case.
  package var foldedSearch: String { search.foldingASCIICase }
}

extension String {
  /// The text with its ASCII letters in lower case.
  package var foldingASCIICase: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
