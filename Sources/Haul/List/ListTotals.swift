public import HaulRecords

/// What a list holds, all together.
public struct ListTotals: Sendable, Hashable {
  /// How many downloads are in each state.
  public private(set) var counts: [DownloadState: Int] = [:]
  /// The bytes that are there, of all downloads.
  public private(set) var received: Int64 = 0
  /// The bytes of all files whose length is known.
  public private(set) var known: Int64 = 0
  /// How many downloads there are whose length is not known.
  public private(set) var unknownCount = 0

  /// The totals of an empty list.
  public init() {}

  /// How many downloads there are.
  public var count: Int { counts.values.reduce(0, +) }

  /// The bytes of all files, or nil while the length of one is not known, and for an empty list.
  public var total: Int64? { unknownCount == 0 && count > 0 ? known : nil }

  /// How much of it is there, from 0 to 1; nil while the length of one file is not known, and for an
  /// empty list. Files that are all empty are whole.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
  }

  mutating func add(_ summary: DownloadSummary) { count(summary, 1) }

  mutating func remove(_ summary: DownloadSummary) { count(summary, -1) }

  /// Sums that no real list reaches wrap around, and are right again when their parts are gone.
  private mutating func count(_ summary: DownloadSummary, _ sign: Int64) {
    let count = counts[summary.state, default: 0] + Int(sign)
    counts[summary.state] = count > 0 ? count : nil
    received &+= sign &* summary.received
    if let total = summary.total {
      known &+= sign &* total
    } else {
      unknownCount += Int(sign)
    }
  }
}
