private let table: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { value, _ in
    value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
  }
}

/// The checksum of gzip (RFC 1952 §8).
func crc32(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(UInt32.max) { value, byte in
    table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
  }
}

/// The checksum of so many zero bytes, in time logarithmic in their number.
///
/// A zero byte changes the register linearly over GF(2); the change of `2n` bytes is that of `n`
/// bytes applied twice.
func crc32(zeros count: Int) -> UInt32 {
  var matrix = (0..<32).map { bit in
    let value = UInt32(1) << UInt32(bit)
    return table[Int(value & 0xFF)] ^ (value >> 8)
  }
  var register = UInt32.max
  var left = count
  while left > 0 {
    if left & 1 == 1 { register = product(matrix, register) }
    matrix = matrix.map { product(matrix, $0) }
    left >>= 1
  }
  return ~register
}

private func product(_ matrix: [UInt32], _ vector: UInt32) -> UInt32 {
  (0..<32).reduce(0) { sum, bit in vector >> UInt32(bit) & 1 == 1 ? sum ^ matrix[bit] : sum }
}
