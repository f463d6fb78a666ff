extension DigestAlgorithm {
  /// Finds an algorithm by any of its common names in any case, such as `sha-256`, `SHA256`,
  /// `sha` (RFC 3230 for SHA-1) or `md5`.
  package init?(anyName name: String) {
    switch name.asciiLowercased {
    case "sha-256", "sha256": self = .sha256
    case "sha-512", "sha512": self = .sha512
    case "sha-1", "sha1", "sha": self = .sha1
    case "md5", "md-5": self = .md5
    default: return nil
    }
  }

  /// The order of resistance to forgery; higher is stronger.
  package var strength: Int {
    switch self {
    case .md5: 0
    case .sha1: 1
    case .sha256: 2
    case .sha512: 3
    }
  }
}

extension Digest: CustomStringConvertible {
  /// Reads a digest such as `sha-256=HEX`, also written `sha256:HEX` or `SHA256=HEX`, or in the
  /// form of RFC 9530, `sha-256=:BASE64:`.
  ///
  /// Nil for an unknown algorithm, and for a value that is not a digest of its length.
  public init?(parsing text: String) {
    let trimmed = text.trimmingFieldSpace
    let separator = trimmed.utf8.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
    guard let separator else { return nil }
    guard let algorithm = DigestAlgorithm(anyName: String(trimmed[..<separator])) else {
      return nil
    }
    let value = trimmed.utf8[separator...].dropFirst()
    if let encoded = Digest.betweenColons(value) {
      self.init(algorithm: algorithm, base64: encoded)
    } else {
      self.init(algorithm: algorithm, hex: value)
    }
  }

  /// Makes a digest from hexadecimal digits of either case, or nil when there are others, or not
  /// as many as the algorithm has.
  package init?(algorithm: DigestAlgorithm, hex: some Collection<UInt8>) {
    guard let bytes = Digest.decodeHex(hex) else { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// Makes a digest from its Base 64 form, or nil when that is malformed or of another length.
  init?(algorithm: DigestAlgorithm, base64: some Collection<UInt8>) {
    guard let bytes = Base64.decode(base64) else { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// The digest in lower-case hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The form that `init(parsing:)` reads: `sha-256=` and the digest in hexadecimal.
  public var description: String { "\(algorithm.rawValue)=\(hex)" }

  /// The content of a byte sequence of structured fields (RFC 9651 §3.3.5), or nil when there are
  /// no colons around it.
  static func betweenColons(_ text: Substring.UTF8View) -> Substring.UTF8View? {
    let colon = UInt8(ascii: ":")
    guard text.count >= 2, text.first == colon, text.last == colon else { return nil }
    return text.dropFirst().dropLast()
  }

  private static func decodeHex(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text {
      guard let value = byte.hexValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
