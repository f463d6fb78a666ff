/// FNV-1a with 64 bits: a number for some bytes that is the same in every run and on every machine.
///
/// It tells texts apart that nobody chose in order to be mistaken for each other.
struct StableHash {
  /// The number of all bytes so far.
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds bytes.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
