/// Appends numbers in little-endian order and byte strings with their lengths.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }

  mutating func append(raw: some Sequence<UInt8>) {
    bytes.append(contentsOf: raw)
  }

  /// The length in two bytes, then the bytes. Longer ones are the caller's mistake and are cut.
  mutating func append(short: some Collection<UInt8>) {
    let cut = short.prefix(Int(UInt16.max))
    append(UInt16(cut.count))
    append(raw: cut)
  }

  mutating func pad(to count: Int) {
    if bytes.count < count {
      bytes += [UInt8](repeating: 0, count: count - bytes.count)
    }
  }
}

/// Reads what `ByteWriter` wrote from bytes that may be anything; nil when they end too early.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func number<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let count = Value.bitWidth / 8
    guard let raw = take(count) else { return nil }
    var value: Value = 0
    for byte in raw.reversed() { value = (value << 8) | Value(truncatingIfNeeded: byte) }
    return value
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func short() -> ArraySlice<UInt8>? {
    guard let count = number(UInt16.self) else { return nil }
    return take(Int(count))
  }

  mutating func text() -> String? {
    guard let raw = short() else { return nil }
    return String(validating: raw, as: UTF8.self)
  }
}
