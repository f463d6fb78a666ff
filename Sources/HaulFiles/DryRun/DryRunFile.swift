import HaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of a dry run: reads come from the real one, if there is one, and writes go nowhere.
final class DryRunFile: DiskFile {
  private struct State: Sendable {
    var status: FileStatus
    /// Nil for a file that would have been made, or once it would have been emptied.
    var real: (any DiskFile)?
  }

  private let state: Mutex<State>

  init(_ status: FileStatus, real: (any DiskFile)?) {
    state = Mutex(State(status: status, real: real))
  }

  private var real: (any DiskFile)? { state.withLock { $0.real } }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DiskError) -> Int {
    guard let real else { return 0 }
    // The caller's buffer is passed on.
    return try unsafe real.read(into: buffer, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError) {}

  func sync() throws(DiskError) {}

  func truncate(to byteCount: Int64) throws(DiskError) {
    state.withLock { state in
      state.status.byteCount = byteCount
      guard byteCount == 0 else { return }
      state.status.allocatedBytes = 0
      state.real = nil
    }
  }

  func reserve(_ range: Range<Int64>) throws(DiskError) {}

  func setModified(_ seconds: Int64) throws(DiskError) {
    state.withLock { $0.status.modified = seconds }
  }

  func setPermissions(_ permissions: UInt32) throws(DiskError) {
    state.withLock { $0.status.permissions = permissions & 0o777 }
  }

  func status() throws(DiskError) -> FileStatus { state.withLock { $0.status } }

  /// Says whether the lock could be had. It is not kept, so that a real run is not in anyone's way.
  func lock() throws(DiskError) -> Bool {
    guard let real else { return true }
    let isFree = try real.lock()
    if isFree { real.unlock() }
    return isFree
  }

  func unlock() {}

  func markHolder(_ identity: UInt64) throws(DiskError) {
    guard let real, try real.isHeld(by: identity) else { return }
    throw DiskError(call: "fcntl", path: "", errno: EAGAIN)
  }

  func isHeld(by identity: UInt64) throws(DiskError) -> Bool {
    try real?.isHeld(by: identity) ?? false
  }

  func isHeld() throws(DiskError) -> Bool { try real?.isHeld() ?? false }
}
