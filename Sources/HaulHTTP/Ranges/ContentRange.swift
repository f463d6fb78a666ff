/// What a `Content-Range` field says about the bytes in an answer (RFC 9110 §14.4).
public enum ContentRange: Sendable, Hashable {
  /// The answer carries these bytes, counted from zero, of a representation of `total` bytes, or
  /// of unknown length when that is nil. Never empty, and never past the total.
  case range(Range<Int64>, total: Int64?)
  /// No byte of the range that was asked for exists; the representation has `total` bytes.
  case unsatisfied(total: Int64?)

  /// Reads a field value, such as `bytes 0-99/1234`, `bytes 0-99/*` or `bytes */1234`.
  ///
  /// The unit may be in any case, and white space may stand around the numbers.
  /// - Returns: nil for another unit, for several values, and for numbers that are negative, that
  ///   overflow, or that contradict each other (last before first, or not below the total).
  public static func parse(_ value: String) -> ContentRange? {
    var scanner = ByteScanner(value)
    scanner.takeSpace()
    guard scanner.takeWord() == "bytes", scanner.takeSpace() else { return nil }

    var range: Range<Int64>?
    if !scanner.take(UInt8(ascii: "*")) {
      guard let taken = takeRange(&scanner) else { return nil }
      range = taken
    }
    scanner.takeSpace()
    guard scanner.take(UInt8(ascii: "/")) else { return nil }
    scanner.takeSpace()

    var total: Int64?
    if !scanner.take(UInt8(ascii: "*")) {
      guard let number = scanner.takeNumber() else { return nil }
      total = number
    }
    scanner.takeSpace()
    guard scanner.isAtEnd else { return nil }

    guard let range else { return .unsatisfied(total: total) }
    if let total, range.upperBound > total { return nil }
    return .range(range, total: total)
  }

  private static func takeRange(_ scanner: inout ByteScanner) -> Range<Int64>? {
    guard let first = scanner.takeNumber() else { return nil }
    scanner.takeSpace()
    guard scanner.take(UInt8(ascii: "-")) else { return nil }
    scanner.takeSpace()
    guard let last = scanner.takeNumber(), last >= first, last < .max else { return nil }
    return first..<(last + 1)
  }
}
