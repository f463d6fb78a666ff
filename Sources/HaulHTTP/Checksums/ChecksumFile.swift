/// The digests that a checksum file such as `SHA256SUMS` lists.
///
/// Read are the lines that `sha256sum` and its relatives write (`HEX  name`, `HEX *name`, with
/// escaped names after a backslash), tagged ones (`SHA256 (name) = HEX`, as of BSD, `cksum` and
/// OpenSSL), and single digests without a name. Everything else is passed over: comments, lines of
/// algorithms that Haul does not compute, and lines that are malformed or too long. A signature is
/// not checked; where there is a signed message (RFC 9580 §7), only its lines count.
///
///     let file = ChecksumFile(parsing: bytes, named: "SHA256SUMS")
///     let digest = try file.digest(for: url, ownName: nil, isOnlyFile: true)
public struct ChecksumFile: Sendable {
  /// The largest file that is worth reading, in bytes.
  public static let maximumByteCount = 4 << 20
  /// Longer lines are passed over.
  static let maximumLineBytes = 16 * 1024

  /// One line: a digest, and what it is of.
  struct Entry: Sendable, Hashable {
    /// The parts of the path that is named; empty where no file is.
    var path: [String]
    var digest: Digest

    var name: String? { path.last }
  }

  /// The lines that were read, in order.
  let entries: [Entry]
  /// Algorithms of lines that were passed over; a few.
  let unknownAlgorithms: [String]
  /// Whether it is a web page, as servers send in the place of a file.
  let isWebPage: Bool
  /// Where in `entries` those of a name stand, whatever the folders before it.
  let positions: [String: [Int]]

  /// Reads a checksum file.
  ///
  /// No content is an error: `digest(for:ownName:isOnlyFile:)` says what is missing.
  /// - Parameters:
  ///   - bytes: Its content; what goes beyond `maximumByteCount` is not read.
  ///   - name: Its name or address, which may name the algorithm: `B2SUMS`, `file.sha3`. Otherwise
  ///     the length of a digest without a tag tells the algorithm.
  public init(parsing bytes: [UInt8], named name: String) {
    let hint = ChecksumAlgorithm.named(in: name)
    var reader = ChecksumReader(untagged: hint)
    let text = Self.text(bytes.prefix(Self.maximumByteCount))
    for line in text.split(separator: 0x0A) where line.count <= Self.maximumLineBytes {
      reader.take(line.last == 0x0D ? line.dropLast() : line)
    }
    entries = reader.entries
    unknownAlgorithms = reader.unknownAlgorithms
    isWebPage = Self.looksLikeWebPage(text)
    var positions: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      if let name = entry.name { positions[name, default: []].append(index) }
    }
    self.positions = positions
  }

  /// The bytes as UTF-8, without a mark at their start. Some shells of Windows write UTF-16.
  private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return bytes.dropFirst(3) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex + 2
    while index + 1 < bytes.endIndex {
      let (one, two) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? two << 8 | one : one << 8 | two)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)[...]
  }

  private static func looksLikeWebPage(_ text: ArraySlice<UInt8>) -> Bool {
    let start = text.drop { $0 <= 0x20 }.prefix(14).map(\.asciiLowercased)
    return start.starts(with: "<!doctype html".utf8) || start.starts(with: "<html".utf8)
  }
}
