/// Reads the bytes of a text from front to back. No call moves past the end.
struct ByteScanner {
  private let bytes: [UInt8]
  private var position = 0

  /// Makes a scanner that stands before the first byte.
  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The next byte, which stays, or nil at the end.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether every byte was read.
  var isAtEnd: Bool { position == bytes.count }

  /// Reads one byte, or gives nil at the end.
  mutating func take() -> UInt8? {
    guard let byte = peek else { return nil }
    position += 1
    return byte
  }

  /// Reads this byte if it is the next one, and says whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  /// Reads bytes as long as they satisfy the condition.
  mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, condition(bytes[position]) { position += 1 }
    return bytes[start..<position]
  }

  /// Reads spaces and tabs, and says whether there were any.
  @discardableResult
  mutating func takeSpace() -> Bool {
    !take { $0.isFieldSpace }.isEmpty
  }

  /// Reads a decimal number without a sign; nil when there is no digit or it overflows.
  mutating func takeNumber() -> Int64? {
    Int64(decimalDigits: take { $0.isASCIIDigit })
  }

  /// Reads a word of ASCII letters, in lower case.
  mutating func takeWord() -> String {
    String(decoding: take { $0.isASCIILetter }.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension Int64 {
  /// The number that one or more decimal digits spell; nil for anything else, or on overflow.
  init?(decimalDigits digits: some Collection<UInt8>) {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard digit.isASCIIDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit - 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
