extension DiskFile {
  /// The bytes at an offset; fewer than asked only at the end of the file.
  package func bytes(at offset: Int64, count: Int) throws(DiskError) -> [UInt8] {
    var failure: DiskError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      // `read` writes within the buffer and returns how many bytes it initialised.
      do throws(DiskError) {
        filled = unsafe try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes bytes at an offset.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(DiskError) {
    let result: Result<Void, DiskError> = unsafe bytes.withUnsafeBytes { buffer in
      // The buffer lives through the call.
      do throws(DiskError) {
        unsafe try write(buffer, at: offset)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
