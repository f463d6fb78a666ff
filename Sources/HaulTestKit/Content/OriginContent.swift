internal import Glibc

/// Content of any size whose every byte can be computed, so that a test can compare a file of
/// many GiB without keeping a copy.
///
/// Word `i` of generated content is SplitMix64 (Steele, Lea, Flood 2014) of the seed and `i`,
/// with the version xored into each byte: two versions differ in *every* byte, and content of the
/// same seed and version but another size has the same beginning.
public struct OriginContent: Sendable, Hashable {
  /// The length in bytes.
  public let size: Int64
  /// The seed; ignored for literal content.
  public let seed: UInt64
  /// The version; different versions differ in every byte. Ignored for literal content.
  public let version: UInt8
  private let literal: [UInt8]?

  /// Makes generated content.
  public init(size: Int64, seed: UInt64 = 1, version: UInt8 = 0) {
    precondition(size >= 0)
    self.size = size
    self.seed = seed
    self.version = version
    literal = nil
  }

  /// Makes content of given bytes.
  public init(_ bytes: [UInt8]) {
    size = Int64(bytes.count)
    seed = 0
    version = 0
    literal = bytes
  }

  /// Makes content of a text, as UTF-8.
  public init(text: String) {
    self.init(Array(text.utf8))
  }

  /// The next version: of the same size, other in every byte. Literal bytes are inverted.
  public var changed: OriginContent {
    if let literal { return OriginContent(literal.map { ~$0 }) }
    return OriginContent(size: size, seed: seed, version: version &+ 1)
  }

  /// The same content with another size; the part that both have is the same.
  public func resized(to size: Int64) -> OriginContent {
    if let literal { return OriginContent(Array(literal.prefix(Int(size)))) }
    return OriginContent(size: size, seed: seed, version: version)
  }

  /// The bytes at these positions.
  public func bytes(in range: Range<Int64>? = nil) -> [UInt8] {
    let range = range ?? 0..<size
    precondition(range.lowerBound >= 0 && range.upperBound <= size)
    let count = Int(range.upperBound - range.lowerBound)
    // `fill` initialises the `count` bytes.
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      unsafe fill(
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
        from: range.lowerBound)
      filled = count
    }
  }

  /// Calls the body with the bytes at these positions, in blocks of at most 256 KiB, until it
  /// returns false; says whether it never did.
  @discardableResult
  public func forEachBlock(
    in range: Range<Int64>? = nil, _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows -> Bool {
    let range = range ?? 0..<size
    precondition(range.lowerBound >= 0 && range.upperBound <= size)
    let block = Int(min(256 * 1024, range.upperBound - range.lowerBound))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 8)
    // The block is freed once, after the last use.
    defer { unsafe buffer.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      let count = min(block, Int(range.upperBound - position))
      // `count` is at most the size of the block, and `fill` initialises that many bytes.
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      unsafe fill(part, from: position)
      guard try unsafe body(UnsafeRawBufferPointer(part)) else { return false }
      position += Int64(count)
    }
    return true
  }

  /// Fills a buffer with the bytes from a position on.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from position: Int64) {
    if let literal {
      // As many bytes are copied as the buffer holds; the callers check the range.
      unsafe literal.withUnsafeBytes { source in
        let start = Int(position)
        unsafe buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[start..<start + buffer.count]))
      }
      return
    }
    let count = buffer.count
    var done = 0
    // Single bytes up to a word's start, whole words, single bytes.
    while done < count, (position + Int64(done)) & 7 != 0 {
      unsafe buffer[done] = byte(at: position + Int64(done))
      done += 1
    }
    var index = UInt64(position + Int64(done)) >> 3
    let start = buffer.baseAddress
    while done + 8 <= count, let start = unsafe start {
      // Eight bytes from `done` lie within the buffer, and the store needs no alignment.
      unsafe (start + done).storeBytes(of: word(index).littleEndian, as: UInt64.self)
      index &+= 1
      done += 8
    }
    while done < count {
      unsafe buffer[done] = byte(at: position + Int64(done))
      done += 1
    }
  }

  private func byte(at position: Int64) -> UInt8 {
    UInt8(truncatingIfNeeded: word(UInt64(position) >> 3) >> UInt64((position & 7) * 8))
  }

  // Plain operators and a shift without checks: this is the loop that matters, in debug builds, too.
  @inline(__always)
  private func word(_ index: UInt64) -> UInt64 {
    var z = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    z = z ^ (z &>> 31)
    // Exclusive-or with a repeated byte changes every byte, and differently for each version.
    return z ^ (UInt64(version) &* 0x0101_0101_0101_0101)
  }
}
