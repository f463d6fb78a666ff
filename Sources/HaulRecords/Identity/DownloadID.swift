/// The name of one download, for as long as it is in the list: 64 random bits, never all zero.
///
/// It is shown and exchanged as 16 hexadecimal digits in lower case.
///
///     let id = DownloadID.random()
///     DownloadID(text: id.description) == id  // true
public struct DownloadID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The bits; not zero.
  public let rawValue: UInt64

  /// Makes an id of its bits, or nil when they are zero.
  public init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Draws an id. Two of a million ids are the same once in 37 million lists.
  ///
  /// - Parameter next: Gives 64 random bits with each call.
  /// - Returns: The first one that is not zero.
  public static func random(
    by next: () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> DownloadID {
    while true {
      if let id = DownloadID(rawValue: next()) { return id }
    }
  }

  /// Reads exactly 16 hexadecimal digits in lower case; nil for anything else, and for zero.
  public init?(text: String) {
    let digits = text.utf8
    guard digits.count == 16 else { return nil }
    var bits: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = bits << 4 | UInt64(digit - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = bits << 4 | UInt64(digit - 0x57)
      default: return nil
      }
    }
    self.init(rawValue: bits)
  }

  /// 16 hexadecimal digits in lower case.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The bits as databases keep them, which know signed numbers only.
  public var signed: Int64 { Int64(bitPattern: rawValue) }

  /// The order of the signed numbers, so that a database sorts as this does.
  public static func < (one: DownloadID, other: DownloadID) -> Bool { one.signed < other.signed }
}
