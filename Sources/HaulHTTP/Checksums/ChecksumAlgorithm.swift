/// How the digests of a checksum file are computed.
enum ChecksumAlgorithm {
  /// The algorithm of a tag such as `SHA256`, `SHA2-256` or `MD5`; nil for others.
  static func tagged(_ tag: String) -> DigestAlgorithm? {
    switch tag.asciiLowercased {
    case "sha2-256": .sha256
    case "sha2-512": .sha512
    case let name: DigestAlgorithm(anyName: name)
    }
  }

  /// The only algorithm of those that are computed whose digests have so many hexadecimal digits.
  static func computed(digits: Int) -> DigestAlgorithm? {
    DigestAlgorithm.allCases.first { $0.byteCount * 2 == digits }
  }

  /// The usual algorithm of so many hexadecimal digits, where it is one that is not computed.
  static func unknown(digits: Int) -> String? {
    switch digits {
    case 56: "SHA-224"
    case 96: "SHA-384"
    default: nil
    }
  }

  /// The algorithm that the name of a checksum file gives away, where it is one that is not
  /// computed: its digests may be as long as those of one that is.
  ///
  /// The mention that ends last counts: `sm3-tools.sha256` holds SHA-256.
  static func named(in name: String) -> String? {
    let letters = name.utf8.filter { $0.isASCIIDigit || $0.isASCIILetter }.map(\.asciiLowercased)
    var best: (end: Int, algorithm: String?)?
    for (word, algorithm) in words {
      guard let end = lastEnd(of: Array(word.utf8), in: letters) else { continue }
      if end > best?.end ?? -1 { best = (end, algorithm) }
    }
    return best?.algorithm
  }

  private static let words: [(String, String?)] = [
    ("sha256", nil), ("sha512", nil), ("sha1", nil), ("md5", nil),
    ("sha512256", "SHA-512/256"), ("sha512224", "SHA-512/224"), ("sha224", "SHA-224"),
    ("sha384", "SHA-384"), ("sha3", "SHA-3"), ("sha3224", "SHA-3"), ("sha3256", "SHA-3"),
    ("sha3384", "SHA-3"), ("sha3512", "SHA-3"), ("b2sum", "BLAKE2"), ("blake2", "BLAKE2"),
    ("b3sum", "BLAKE3"), ("blake3", "BLAKE3"), ("rmd160", "RIPEMD-160"),
    ("ripemd160", "RIPEMD-160"), ("whirlpool", "Whirlpool"), ("sm3", "SM3"),
  ]

  private static func lastEnd(of word: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= word.count else { return nil }
    for start in stride(from: text.count - word.count, through: 0, by: -1)
    where text[start..<start + word.count].elementsEqual(word) {
      return start + word.count
    }
    return nil
  }
}
