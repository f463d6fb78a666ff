/// Reads a checksum file line by line.
struct ChecksumReader {
  /// Where in a signed message (RFC 9580 §7) a line stands.
  private enum Place { case unsigned, signed, signature, outside }

  private(set) var entries: [ChecksumFile.Entry] = []
  private(set) var unknownAlgorithms: [String] = []
  /// The algorithm of untagged lines where it is one that is not computed.
  private let untagged: String?
  private var place = Place.unsigned

  init(untagged: String?) {
    self.untagged = untagged
  }

  /// Takes one line without its end.
  mutating func take(_ line: ArraySlice<UInt8>) {
    if line.starts(with: "-----".utf8) {
      takeArmour(String(decoding: line, as: UTF8.self).trimmingFieldSpace)
      return
    }
    switch place {
    case .unsigned: read(line)
    case .signed: read(line.starts(with: "- ".utf8) ? line.dropFirst(2) : line)
    case .signature, .outside: break
    }
  }

  private mutating func takeArmour(_ line: String) {
    switch line {
    case "-----BEGIN PGP SIGNED MESSAGE-----":
      // What stands before is not signed, and not meant.
      if place == .unsigned { entries = [] }
      place = .signed
    case "-----BEGIN PGP SIGNATURE-----": place = .signature
    case "-----END PGP SIGNATURE-----": place = .outside
    default: break
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    switch ChecksumLine(line, untagged: untagged) {
    case .entry(let entry): entries.append(entry)
    case .unknown(let name):
      if unknownAlgorithms.count < 3, !unknownAlgorithms.contains(name) {
        unknownAlgorithms.append(name)
      }
    case nil: break
    }
  }
}
