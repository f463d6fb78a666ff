/// The one range that a request asks for: `bytes=FIRST-` or `bytes=FIRST-LAST`.
public struct OriginRange: Sendable, Hashable {
  /// The position of the first byte.
  public var first: Int64
  /// The position of the last byte, or nil for the end of the content.
  public var last: Int64?

  /// Makes a range.
  public init(first: Int64, last: Int64? = nil) {
    self.first = first
    self.last = last
  }

  /// Parses the value of a `Range` field; nil for suffixes, several ranges and anything else.
  public init?(_ value: String) {
    let parts = value.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), first >= 0 else { return nil }
    guard !ends[1].isEmpty else {
      self.init(first: first)
      return
    }
    guard let last = Int64(ends[1]), last >= first else { return nil }
    self.init(first: first, last: last)
  }

  /// The value of a `Range` field.
  public var fieldValue: String {
    "bytes=\(first)-\(last.map(String.init) ?? "")"
  }

  /// The positions that there are in content of this size; nil when the range begins behind it.
  public func positions(in size: Int64) -> Range<Int64>? {
    guard first < size else { return nil }
    return first..<min(size, (last ?? size - 1) + 1)
  }
}
