internal import Glibc

extension OriginContent {
  /// Whether the file at this path holds exactly this content.
  public func matches(path: String) -> Bool {
    difference(path: path) == nil
  }

  /// What is different between this content and the file at this path, or nil.
  ///
  /// ```swift
  /// #expect(file.content.difference(path: path) == nil)
  /// ```
  public func difference(path: String) -> String? {
    // The mode names a constant.
    guard let file = unsafe fopen(path, "rb") else { return "\(path) cannot be opened" }
    // The stream was opened above and is closed once.
    defer { unsafe fclose(file) }
    unsafe fseeko(file, 0, SEEK_END)
    let length = unsafe Int64(ftello(file))
    unsafe rewind(file)
    var position: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var found: String?
    // Blocks are at most as long as the buffer, and valid during the call of the closure.
    unsafe forEachBlock(in: 0..<min(size, length)) { block in
      let count = unsafe fread(&buffer, 1, block.count, file)
      let isEqual = unsafe buffer.withUnsafeBytes { read in
        guard let left = read.baseAddress, let right = block.baseAddress,
          count == block.count
        else { return false }
        return unsafe memcmp(left, right, count) == 0
      }
      if !isEqual {
        let first = (0..<count).first { unsafe buffer[$0] != block[$0] } ?? count
        found = "the byte at \(position + Int64(first)) is another"
      }
      position += Int64(count)
      return isEqual
    }
    if found == nil, length != size { return "\(length) bytes long instead of \(size)" }
    return found
  }

  /// Writes the content, or a part of it, to a new file at this path.
  ///
  /// - Throws: `KitError` when the file cannot be written.
  public func write(to path: String, range: Range<Int64>? = nil) throws {
    // The mode names a constant.
    guard let file = unsafe fopen(path, "wb") else { throw KitError.call("fopen", errno) }
    // The block is valid for its count during the call of the closure.
    let isWhole = unsafe forEachBlock(in: range) { block in
      unsafe fwrite(block.baseAddress, 1, block.count, file) == block.count
    }
    // The stream was opened above and is closed once.
    guard unsafe fclose(file) == 0, isWhole else { throw KitError.call("fwrite", errno) }
  }
}
