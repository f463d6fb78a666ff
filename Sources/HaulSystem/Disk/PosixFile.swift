import CHaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file.
final class PosixFile: DiskFile {
  private let path: String
  let descriptor: Descriptor
  /// Set for ever by a sync that failed: the kernel may have dropped the pages, and would then
  /// report the next sync as a success.
  private let hasFailedSync = Atomic(false)

  init(path: String, descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DiskError) -> Int {
    var done = 0
    while done < buffer.count {
      let position = try sum(offset, done, "pread")
      let count = try systemCall("pread", path) {
        // `done` bytes of the buffer are filled, and the rest of it is what may be written.
        unsafe pread(
          descriptor.number, buffer.baseAddress?.advanced(by: done), buffer.count - done, position)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError) {
    var done = 0
    while done < bytes.count {
      let position = try sum(offset, done, "pwrite")
      let count = try systemCall("pwrite", path) {
        // The rest of the buffer begins after the `done` bytes that are written.
        unsafe pwrite(
          descriptor.number, bytes.baseAddress?.advanced(by: done), bytes.count - done, position)
      }
      guard count > 0 else { throw DiskError(call: "pwrite", path: path, errno: EIO) }
      done += count
    }
  }

  func sync() throws(DiskError) {
    guard !hasFailedSync.load(ordering: .acquiring) else {
      throw DiskError(call: "fdatasync", path: path, errno: EIO)
    }
    do {
      #if os(Linux)
        try systemCall("fdatasync", path) { fdatasync(descriptor.number) }
      #else
        try systemCall("fsync", path) { fsync(descriptor.number) }
      #endif
    } catch {
      hasFailedSync.store(true, ordering: .releasing)
      throw error
    }
  }

  func truncate(to byteCount: Int64) throws(DiskError) {
    try systemCall("ftruncate", path) { ftruncate(descriptor.number, off_t(byteCount)) }
  }

  func reserve(_ range: Range<Int64>) throws(DiskError) {
    guard !range.isEmpty else { return }
    let (length, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflow else { throw DiskError(call: "fallocate", path: path, errno: EINVAL) }
    do {
      try systemCall("fallocate", path) {
        haul_fallocate(descriptor.number, range.lowerBound, length)
      }
    } catch {
      if ![EOPNOTSUPP, ENOTSUP, ENOSYS, EINVAL].contains(error.errno) { throw error }
    }
  }

  func setModified(_ seconds: Int64) throws(DiskError) {
    #if os(Linux)
      let omitted = (1 << 30) - 2
    #else
      let omitted = -2
    #endif
    let times = [
      timespec(tv_sec: 0, tv_nsec: omitted), timespec(tv_sec: Int(seconds), tv_nsec: 0),
    ]
    // The array holds the two times that the call reads.
    try systemCall("futimens", path) { unsafe futimens(descriptor.number, times) }
  }

  func setPermissions(_ permissions: UInt32) throws(DiskError) {
    try systemCall("fchmod", path) { fchmod(descriptor.number, mode_t(permissions & 0o777)) }
  }

  func status() throws(DiskError) -> FileStatus {
    try FileStatus.of(descriptor, path: path)
  }

  func lock() throws(DiskError) -> Bool {
    do {
      try systemCall("flock", path) { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.errno == EWOULDBLOCK { return false }
      throw error
    }
  }

  func unlock() {
    // What cannot be released now goes with the descriptor.
    _ = flock(descriptor.number, LOCK_UN)
    haul_unlock_bytes(descriptor.number)
  }

  func markHolder(_ identity: UInt64) throws(DiskError) {
    do {
      try systemCall("fcntl", path) { haul_lock_byte(descriptor.number, Self.mark(identity)) }
    } catch {
      if error.errno == EACCES { throw DiskError(call: "fcntl", path: path, errno: EAGAIN) }
      if error.errno == EAGAIN { throw error }
      // No such locks here: the mark is a courtesy, the lock that counts is `flock`.
    }
  }

  func isHeld(by identity: UInt64) throws(DiskError) -> Bool {
    haul_byte_is_locked(descriptor.number, Self.mark(identity)) == 1
  }

  func isHeld() throws(DiskError) -> Bool {
    let answer = haul_any_byte_is_locked(descriptor.number, Self.mark(0))
    guard answer < 0 else { return answer == 1 }
    guard try lock() else { return true }
    unlock()
    return false
  }

  /// A byte in the upper half of all offsets, where no file reaches.
  private static func mark(_ identity: UInt64) -> Int64 {
    Int64(1 << 62) | Int64(identity & ((1 << 62) - 1))
  }

  private func sum(_ offset: Int64, _ count: Int, _ call: String) throws(DiskError) -> off_t {
    let (position, overflow) = offset.addingReportingOverflow(Int64(count))
    guard !overflow, position >= 0 else {
      throw DiskError(call: call, path: path, errno: EINVAL)
    }
    return off_t(position)
  }
}
