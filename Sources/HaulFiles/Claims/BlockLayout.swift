/// How a part is divided for its checksums.
enum BlockLayout {
  /// The bytes of a block; also the unit of reading back.
  static let size: Int64 = 1 << 20

  static func index(of offset: Int64) -> Int64 { offset / size }

  static func range(of block: Int64) -> Range<Int64> {
    let start = block * size
    return start..<start + size
  }
}

/// Some bytes within one block, and their checksum.
struct BlockFragment: Sendable, Hashable {
  var offset: Int64
  /// From 1 to the size of a block.
  var length: Int64
  var checksum: UInt64

  var range: Range<Int64> { offset..<offset + length }
}
