import CZlib

/// Owns one stream of zlib.
@safe
final class InflateStream {
  enum Format: Int32 {
    case gzip = 31
    case zlib = 15
    case raw = -15
  }

  enum Step {
    /// Input or room for output is used up.
    case hungry
    /// The end mark of the format was reached.
    case ended
    /// The bytes are no valid stream.
    case corrupt
  }

  // On the heap, since zlib remembers the address and checks it.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ format: Format) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // Zeroed fields mean the default allocator; it fails only without memory.
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else {
      fatalError("zlib refuses to start")
    }
  }

  deinit {
    // The stream was made by `init` and is not shared.
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins anew, for the next member.
  func reset() {
    // The stream is initialised.
    _ = unsafe inflateReset(stream)
  }

  /// Decodes from one buffer into another; returns how much of each was used.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (used: Int, made: Int, step: Step) {
    let inputCount = min(input.count, 1 << 30)
    let outputCount = min(output.count, 1 << 30)
    // Both buffers live through the call, zlib stays within the counts, and it only reads the
    // input although its type says otherwise.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(inputCount)
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(outputCount)
    let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    let used = unsafe inputCount - Int(stream.pointee.avail_in)
    let made = unsafe outputCount - Int(stream.pointee.avail_out)
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.next_out = nil
    switch code {
    case Z_OK, Z_BUF_ERROR: return (used, made, .hungry)
    case Z_STREAM_END: return (used, made, .ended)
    default: return (used, made, .corrupt)
    }
  }
}
