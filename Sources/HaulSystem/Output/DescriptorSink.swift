import CHaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open descriptor, such as standard output.
///
/// It stays open, and its flags as they are: other processes may share them. The process has to
/// ignore `SIGPIPE`.
public final class DescriptorSink: ByteSink {
  /// How a write is kept from waiting where `cancel` could not reach it.
  private enum Means {
    /// It waits for nobody but the disk.
    case plain
    /// Each call says that it must not wait.
    case socket
    /// The same pipe or terminal, opened once more for writing without waiting.
    case reopened(Descriptor)
    /// Pieces that fit as soon as anything fits.
    case pieces(Int)
  }

  /// What it is called in messages.
  public let name: String
  private let descriptor: Int32
  private let means: Means
  private let isFile: Bool
  private let isTerminal: Bool
  /// A pipe in which a byte lies once it was cancelled, so that a thread that waits wakes up.
  private let alarm: (reading: Descriptor, writing: Descriptor)
  private let isCancelled = Atomic(false)
  private let written = Atomic<Int64>(0)
  private let failure = Mutex<DiskError?>(nil)

  /// Makes a sink of a descriptor, which has to stay open as long as the sink lives.
  ///
  /// - Throws: `EBADF` when it is not open for writing; `EMFILE` when there are no more descriptors.
  public convenience init(_ descriptor: Int32, name: String) throws(DiskError) {
    try self.init(descriptor, name: name, mayReopen: true)
  }

  init(_ descriptor: Int32, name: String, mayReopen: Bool) throws(DiskError) {
    let flags = try systemCall("fcntl", name) { fcntl(descriptor, F_GETFL) }
    guard flags & O_ACCMODE != O_RDONLY else {
      throw DiskError(call: "write", path: name, errno: EBADF)
    }
    var status = stat()
    // `status` is written by the call alone.
    try systemCall("fstat", name) { unsafe fstat(descriptor, &status) }
    self.name = name
    self.descriptor = descriptor
    let kind = status.st_mode & mode_t(S_IFMT)
    isFile = kind == mode_t(S_IFREG)
    isTerminal = isatty(descriptor) == 1
    means =
      switch kind {
      case mode_t(S_IFIFO) where mayReopen:
        Self.reopened(descriptor) ?? .pieces(Self.pipePiece)
      case mode_t(S_IFIFO): .pieces(Self.pipePiece)
      case mode_t(S_IFSOCK): .socket
      case mode_t(S_IFCHR) where isatty(descriptor) == 1 && mayReopen:
        Self.reopened(descriptor) ?? .pieces(Self.terminalPiece)
      default: .plain
      }
    alarm = try Self.makeAlarm(name)
  }

  /// POSIX `PIPE_BUF` on Linux: where a pipe can be written to at all, so much has room.
  private static let pipePiece = 4096
  /// A terminal's driver takes so much once it is ready.
  private static let terminalPiece = 256

  private static func reopened(_ descriptor: Int32) -> Means? {
    #if os(Linux)
      // Not `O_NONBLOCK` on the descriptor itself: it would hold for all who share it.
      let number = unsafe haul_openat(
        // The string lives through the call.
        AT_FDCWD, "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0)
      return number < 0 ? nil : .reopened(Descriptor(number))
    #else
      return nil
    #endif
  }

  private static func makeAlarm(
    _ name: String
  ) throws(DiskError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    // The array has room for the two descriptors that are written.
    try systemCall("pipe", name) { unsafe pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// How many bytes went out.
  public var byteCount: Int64 { written.load(ordering: .acquiring) }

  /// Makes a `write` that waits, and every later one, fail with `ECANCELED`.
  public func cancel() {
    guard isCancelled.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
    // One byte always fits into an empty pipe.
    _ = Self.write(alarm.writing.number, [0])
  }

  /// Gives out all bytes, as slowly as they are taken.
  ///
  /// - Throws: `EILSEQ`, before any of these bytes goes out, when there is a zero byte among them and a
  ///   terminal would get it: what is no text only upsets it.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(DiskError) {
    try throwIfFailed()
    do {
      // The caller's buffer, which lives through this call.
      if isTerminal { unsafe try throwIfNoText(bytes) }
      var done = 0
      while done < bytes.count {
        // What is left of the caller's buffer, which lives through this call.
        done += unsafe try writeSome(UnsafeRawBufferPointer(rebasing: bytes[done...]))
      }
    } catch {
      failure.withLock { $0 = error }
      throw error
    }
  }

  /// Looks whether somebody still reads, without waiting.
  public func check() throws(DiskError) {
    try throwIfFailed()
    try throwIfCancelled()
    if case .plain = means { return }
    var ends = [pollfd(fd: descriptor, events: 0, revents: 0)]
    // The array has the one entry that is passed.
    try systemCall("poll", name) { unsafe poll(&ends, 1, 0) }
    guard ends[0].revents & Int16(POLLERR | POLLHUP) == 0 else { throw error("write", EPIPE) }
  }

  /// Asks for failures that the system has not told yet.
  public func finish() throws(DiskError) {
    try throwIfFailed()
    guard isFile else { return }
    // File systems on a network tell some failures only when a descriptor is closed.
    let copy = try systemCall("fcntl", name) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    // Not made again after EINTR: the descriptor is gone by then.
    if close(copy) == -1, errno != EINTR { throw error("write", errno) }
  }

  private func throwIfFailed() throws(DiskError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func throwIfNoText(_ bytes: UnsafeRawBufferPointer) throws(DiskError) {
    // The caller's buffer, which lives through this call.
    if unsafe bytes.contains(0) { throw error("write", EILSEQ) }
  }

  private func throwIfCancelled() throws(DiskError) {
    if isCancelled.load(ordering: .acquiring) { throw error("write", ECANCELED) }
  }

  private func error(_ call: String, _ number: Int32) -> DiskError {
    DiskError(call: call, path: name, errno: number)
  }

  /// Writes the beginning of some bytes, or waits until that makes sense; how many went out.
  private func writeSome(_ bytes: UnsafeRawBufferPointer) throws(DiskError) -> Int {
    try throwIfCancelled()
    if case .pieces = means { try waitForRoom() }
    // The buffer lives through the calls.
    let count =
      switch means {
      case .plain: unsafe Self.write(descriptor, bytes)
      case .socket: unsafe haul_send_now(descriptor, bytes.baseAddress, bytes.count)
      case .reopened(let other): unsafe Self.write(other.number, bytes)
      case .pieces(let size):
        unsafe Self.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
      }
    if count > 0 {
      written.wrappingAdd(Int64(count), ordering: .acquiringAndReleasing)
      return count
    }
    switch errno {
    case EINTR: break
    case EAGAIN, EWOULDBLOCK: try waitForRoom()
    case let number: throw error("write", count == 0 ? EIO : number)
    }
    return 0
  }

  private func waitForRoom() throws(DiskError) {
    var ends = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: alarm.reading.number, events: Int16(POLLIN), revents: 0),
    ]
    // The array has the two entries that are passed. That the reader is gone ends the wait as well,
    // and the write that follows tells it.
    try systemCall("poll", name) { unsafe poll(&ends, 2, -1) }
    try throwIfCancelled()
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    // The array lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0) }
  }
}
