/// Bytes coded with gzip (RFC 1952), made without a library.
public enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// The bytes in stored blocks: a right gzip stream, slightly longer than its content.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += littleEndian(UInt32(count) | UInt32(~count) << 16)
      result += block
    } while !rest.isEmpty
    return result + littleEndian(crc32(bytes))
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// A gzip stream of about a thousandth of its content: so many zero bytes.
  ///
  /// One block with a code of one bit for "repeat the last byte 258 times" and one for its
  /// distance, hence 1,032 bytes of content for each byte of zero bits (RFC 1951 §3.2.7).
  public static func bomb(byteCount: Int) -> [UInt8] {
    precondition(byteCount > 0)
    var bits = BitWriter(header)
    bits.append(1, count: 1)
    bits.append(2, count: 2)
    // Codes for 286 lengths and literals, 1 distance, and 18 lengths of the code for those.
    bits.append(29, count: 5)
    bits.append(0, count: 5)
    bits.append(14, count: 4)
    // In the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: "18" has one bit, 1 and 2 two.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] {
      bits.append(UInt32(length), count: 3)
    }
    // Length 2 for literal 0 and for the end of the block, 1 for symbol 285 and for distance 1.
    bits.appendCode([1, 1])
    bits.appendZeroLengths(138)
    bits.appendZeroLengths(117)
    bits.appendCode([1, 1])
    bits.appendZeroLengths(28)
    bits.appendCode([1, 0])
    bits.appendCode([1, 0])
    let repeats = (byteCount - 1) / 258
    let literals = byteCount - repeats * 258
    bits.appendCode([1, 0])
    bits.appendZeros(2 * repeats)
    for _ in 1..<max(1, literals) { bits.appendCode([1, 0]) }
    bits.appendCode([1, 1])
    return bits.finish() + littleEndian(crc32(zeros: byteCount))
      + littleEndian(UInt32(truncatingIfNeeded: byteCount))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// Writes bits, least significant first (RFC 1951 §3.1.1).
private struct BitWriter {
  private var bytes: [UInt8]
  private var pending: UInt8 = 0
  private var used = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func append(_ value: UInt32, count: Int) {
    for index in 0..<count { appendBit(UInt8(truncatingIfNeeded: value >> index) & 1) }
  }

  mutating func appendCode(_ bits: [UInt8]) {
    for bit in bits { appendBit(bit) }
  }

  /// The symbol "18": from 11 to 138 lengths of zero.
  mutating func appendZeroLengths(_ count: Int) {
    appendBit(0)
    append(UInt32(count - 11), count: 7)
  }

  mutating func appendZeros(_ count: Int) {
    var left = count
    while left > 0, used != 0 || left < 8 {
      appendBit(0)
      left -= 1
    }
    bytes += [UInt8](repeating: 0, count: left / 8)
    for _ in 0..<(left % 8) { appendBit(0) }
  }

  mutating func finish() -> [UInt8] {
    while used != 0 { appendBit(0) }
    return bytes
  }

  private mutating func appendBit(_ bit: UInt8) {
    pending |= bit << used
    used += 1
    guard used == 8 else { return }
    bytes.append(pending)
    pending = 0
    used = 0
  }
}
