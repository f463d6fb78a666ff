import CHaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a system call until it is not interrupted, and turns -1 into an error.
@discardableResult
func systemCall<Value: SignedInteger>(
  _ call: String, _ path: @autoclosure () -> String, _ body: () -> Value
) throws(DiskError) -> Value {
  while true {
    let value = body()
    if value != -1 { return value }
    let number = errno
    if number != EINTR { throw DiskError(call: call, path: path(), errno: number) }
  }
}

/// Whether a name is one component of a path that stays in its folder.
func isSingleComponent(_ name: String) -> Bool {
  guard !name.isEmpty, name != ".", name != ".." else { return false }
  return name.utf8.allSatisfy { $0 != 0 && $0 != 0x2F }
}

/// A descriptor that is closed when its owner goes.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    // Not retried after EINTR: on Linux the descriptor is gone by then.
    _ = close(number)
  }
}

extension FileStatus {
  /// What stands under a name, itself and not what a link points to; nil when nothing does. Names
  /// are looked up from an open folder; `path` is for messages.
  static func of(
    _ name: String, in folder: Int32, path: @autoclosure () -> String
  ) throws(DiskError) -> FileStatus? {
    var raw = stat()
    do {
      try systemCall("stat", path()) {
        // `raw` is written by the call alone, and the string lives through it.
        unsafe fstatat(folder, name, &raw, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.errno == ENOENT { return nil }
      throw error
    }
    return FileStatus(raw)
  }

  /// What an open file or folder is.
  static func of(
    _ descriptor: Descriptor, path: @autoclosure () -> String
  ) throws(DiskError) -> FileStatus {
    var raw = stat()
    // `raw` is written by the call alone.
    try systemCall("fstat", path()) { unsafe fstat(descriptor.number, &raw) }
    return FileStatus(raw)
  }

  /// Takes over what the system says.
  init(_ raw: stat) {
    let kind: Kind =
      switch raw.st_mode & mode_t(S_IFMT) {
      case mode_t(S_IFREG): .regular
      case mode_t(S_IFDIR): .folder
      case mode_t(S_IFLNK): .link
      default: .other
      }
    #if os(Linux)
      let seconds = raw.st_mtim.tv_sec
    #else
      let seconds = raw.st_mtimespec.tv_sec
    #endif
    self.init(
      kind: kind, device: UInt64(truncatingIfNeeded: raw.st_dev),
      inode: UInt64(truncatingIfNeeded: raw.st_ino), byteCount: Int64(raw.st_size),
      allocatedBytes: Int64(raw.st_blocks).multipliedReportingOverflow(by: 512).partialValue,
      modified: Int64(seconds), linkCount: UInt64(truncatingIfNeeded: raw.st_nlink),
      permissions: UInt32(raw.st_mode) & 0o777)
  }
}
