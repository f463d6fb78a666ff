/// What one line of a checksum file says.
enum ChecksumLine {
  case entry(ChecksumFile.Entry)
  /// A digest of an algorithm that is not computed.
  case unknown(String)

  /// Reads a line without its end; nil when it says nothing.
  ///
  /// `untagged` is the algorithm of lines without a tag where it is one that is not computed.
  init?(_ line: ArraySlice<UInt8>, untagged: String?) {
    var line = line.trimmingBlanks
    // A backslash at the start says that those in the name are escapes.
    let isEscaped = line.first == Self.backslash
    if isEscaped { line = line.dropFirst() }
    guard let found = Self.plain(line, isEscaped, untagged) ?? Self.tagged(line, isEscaped) else {
      return nil
    }
    self = found
  }

  private static let backslash = UInt8(ascii: "\\")

  /// `HEX  name`, `HEX *name`, or `HEX` alone.
  private static func plain(
    _ line: ArraySlice<UInt8>, _ isEscaped: Bool, _ untagged: String?
  ) -> ChecksumLine? {
    let digits = line.prefix { $0.hexValue != nil }
    var rest = line.dropFirst(digits.count)
    guard rest.first?.isFieldSpace ?? true else { return nil }
    if let unknown = ChecksumAlgorithm.unknown(digits: digits.count) { return .unknown(unknown) }
    guard let algorithm = ChecksumAlgorithm.computed(digits: digits.count),
      let digest = Digest(algorithm: algorithm, hex: digits)
    else { return nil }
    if let untagged { return .unknown(untagged) }
    // One blank ends the digest, and a second one or an asterisk says how the file was read. Where
    // columns are lined up with more blanks, they are no part of the name.
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "*") || rest.first?.isFieldSpace ?? false {
      rest = rest.dropFirst()
    }
    return entry(rest.trimmingBlanks, isEscaped, digest)
  }

  /// `SHA256 (name) = HEX`; also without the spaces, and with Base 64.
  private static func tagged(_ line: ArraySlice<UInt8>, _ isEscaped: Bool) -> ChecksumLine? {
    let symbols = "-_/".utf8
    let tag = line.prefix { $0.isASCIIDigit || $0.isASCIILetter || symbols.contains($0) }
    let rest = line.dropFirst(tag.count).trimmingBlanks
    guard !tag.isEmpty, tag.count <= 24, rest.first == UInt8(ascii: "("),
      // A name may hold brackets; a digest does not.
      let close = rest.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let name = rest[rest.startIndex + 1..<close]
    var value = rest[(close + 1)...].trimmingBlanks
    guard value.first == UInt8(ascii: "=") else { return nil }
    value = value.dropFirst().trimmingBlanks
    let tagText = String(decoding: tag, as: UTF8.self)
    guard let algorithm = ChecksumAlgorithm.tagged(tagText) else { return .unknown(tagText) }
    guard
      let digest = Digest(algorithm: algorithm, hex: value)
        ?? Digest(algorithm: algorithm, base64: value)
    else { return nil }
    return entry(name, isEscaped, digest)
  }

  /// Nil for a name that cannot be read.
  private static func entry(
    _ name: ArraySlice<UInt8>, _ isEscaped: Bool, _ digest: Digest
  ) -> ChecksumLine? {
    guard let bytes = isEscaped ? unescaped(name) : Array(name),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    // What was read from standard input has no name.
    if text == "-" { return .entry(ChecksumFile.Entry(path: [], digest: digest)) }
    // Paths of Windows are never escaped.
    let path = text.split { $0 == "/" || (!isEscaped && $0 == "\\") }
    let parts = path.filter { $0 != "." }.map(String.init)
    guard text.isEmpty || !parts.isEmpty else { return nil }
    return .entry(ChecksumFile.Entry(path: parts, digest: digest))
  }

  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case backslash: bytes.append(backslash)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      default: return nil
      }
    }
    return bytes
  }
}

extension ArraySlice<UInt8> {
  /// Without spaces and tabs at both ends.
  fileprivate var trimmingBlanks: ArraySlice<UInt8> {
    var slice = drop(while: \.isFieldSpace)
    while slice.last?.isFieldSpace ?? false { slice.removeLast() }
    return slice
  }
}
