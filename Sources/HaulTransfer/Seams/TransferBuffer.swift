/// Memory for bytes on their way from the network to the disk.
///
/// It has one owner at a time: the receiving connection fills it, then hands it to the part,
/// which returns it when the bytes are written.
@safe
public final class TransferBuffer: @unchecked Sendable {
  // Sendable: the owner changes only by handing the reference over, and a former owner does not
  // touch it again.

  /// The size of a buffer in bytes; writes of this size, aligned to it, are the cheapest.
  public static let capacity = 256 * 1024

  /// The number of bytes filled so far.
  public private(set) var count = 0
  /// The number of bytes that may be filled; at most `capacity`.
  public private(set) var limit = TransferBuffer.capacity
  private let base: UnsafeMutableRawPointer

  /// Allocates an empty buffer.
  public init() {
    unsafe base = .allocate(byteCount: Self.capacity, alignment: 4096)
  }

  deinit {
    // The memory was allocated by `init` and is not shared beyond this object.
    unsafe base.deallocate()
  }

  /// Empties the buffer and sets how many bytes it may take.
  public func reset(limit: Int = TransferBuffer.capacity) {
    precondition(limit > 0 && limit <= Self.capacity)
    count = 0
    self.limit = limit
  }

  /// Lowers how many bytes it may take, to no fewer than it has.
  func restrict(to limit: Int) {
    precondition(limit >= count && limit <= self.limit)
    self.limit = limit
  }

  /// Whether it can take no more.
  public var isFull: Bool { count == limit }

  /// Copies as many bytes as fit, and returns their number.
  public func fill(from bytes: RawSpan) -> Int {
    let taken = min(limit - count, bytes.byteCount)
    guard taken > 0 else { return 0 }
    unsafe bytes.extracting(first: taken).withUnsafeBytes { source in
      // `taken` bytes lie within the span and within the allocation, by the minimum above.
      if let start = source.baseAddress {
        unsafe base.advanced(by: count).copyMemory(from: start, byteCount: taken)
      }
    }
    count += taken
    return taken
  }

  /// Lets a producer write into the free space; the body returns how many bytes it wrote.
  public func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    // The free space lies within the allocation, since `count <= limit <= capacity`.
    let free = unsafe UnsafeMutableRawBufferPointer(
      start: base.advanced(by: count), count: limit - count)
    let written = unsafe body(free)
    precondition(written >= 0 && written <= limit - count)
    count += written
    return written
  }

  /// The filled bytes.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    // `count` bytes from the start are initialised.
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }
}
