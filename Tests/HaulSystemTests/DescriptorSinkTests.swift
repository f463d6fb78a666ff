import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HaulSystem

/// Writing to what others hold the other end of.
@Suite(.timeLimit(.minutes(1))) struct DescriptorSinkTests {
  init() {
    // As the program does.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Two descriptors that are closed with the test; what is written to one is read from the other.
  final class Ends: Sendable {
    let reading: Int32
    let writing: Int32
    private let isReaderGone = Atomic(false)

    init(_ kind: Kind) {
      var ends: [Int32] = [-1, -1]
      switch kind {
      // The array has room for two descriptors.
      case .pipe, .pieces: _ = unsafe pipe(&ends)
      case .socket:
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        ends.reverse()
      }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      closeReader()
      close(writing)
    }

    func closeReader() {
      if !isReaderGone.exchange(true, ordering: .relaxed) { close(reading) }
    }

    /// Reads up to the end, or so many bytes.
    func read(_ count: Int = .max) -> [UInt8] {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while bytes.count < count {
        let wanted = min(piece.count, count - bytes.count)
        // At most as many bytes are written as the array has room for.
        let got = unsafe Glibc.read(reading, &piece, wanted)
        guard got > 0 else { break }
        bytes += piece[..<got]
      }
      return bytes
    }
  }

  enum Kind: CaseIterable { case pipe, pieces, socket }

  func sink(_ ends: Ends, _ kind: Kind) throws -> DescriptorSink {
    try DescriptorSink(ends.writing, name: "the other", mayReopen: kind != .pieces)
  }

  static let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  @discardableResult
  func write(_ bytes: [UInt8], to sink: DescriptorSink) -> DiskError? {
    // The array lives through the call.
    unsafe bytes.withUnsafeBytes { buffer in
      do throws(DiskError) {
        unsafe try sink.write(buffer)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Runs on a thread of its own, and returns what came of it once that is asked for.
  final class Background: Sendable {
    private let result = Mutex<DiskError?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> DiskError?) {
      DispatchQueue(label: "test").async { [self] in
        let outcome = body()
        result.withLock { $0 = outcome }
        isDone.signal()
      }
    }

    func wait() -> DiskError? {
      isDone.wait()
      return result.withLock { $0 }
    }
  }

  @Test(arguments: Kind.allCases)
  func everythingArrivesInOrder(_ kind: Kind) throws {
    let ends = Ends(kind)
    let sink = try sink(ends, kind)
    let writer = Background { write(Self.bytes, to: sink) }
    #expect(ends.read(Self.bytes.count) == Self.bytes)
    #expect(writer.wait() == nil)
    #expect(sink.byteCount == Int64(Self.bytes.count))
    try sink.check()
    try sink.finish()
    // Whoever shares the descriptor finds it as it was.
    #expect(fcntl(ends.writing, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test(arguments: Kind.allCases)
  func aWriteThatWaitsIsCancelled(_ kind: Kind) throws {
    let ends = Ends(kind)
    let sink = try sink(ends, kind)
    let writer = Background { write(Self.bytes, to: sink) }
    // Once it holds these, it goes on to what does not fit.
    let first = ends.read(10_000)
    sink.cancel()
    #expect(writer.wait()?.errno == ECANCELED)
    let count = sink.byteCount
    #expect(count < Int64(Self.bytes.count))
    #expect(write([1], to: sink)?.errno == ECANCELED)
    #expect(sink.byteCount == count)
    // It counts exactly what went out.
    let all = first + ends.read(Int(count) - first.count)
    #expect(all == Array(Self.bytes.prefix(Int(count))))
  }

  @Test(arguments: Kind.allCases)
  func aReaderWhoIsGoneIsNoticed(_ kind: Kind) throws {
    let ends = Ends(kind)
    let sink = try sink(ends, kind)
    try sink.check()
    #expect(write([1, 2, 3], to: sink) == nil)
    ends.closeReader()
    #expect(throws: DiskError(call: "write", path: "the other", errno: EPIPE)) { try sink.check() }
    // What went out before that is as good as it was.
    try sink.finish()
    #expect(write([4], to: sink)?.errno == EPIPE)
    #expect(sink.byteCount == 3)
  }

  @Test(arguments: Kind.allCases)
  func aReaderWhoGoesWhileAWriteWaitsEndsIt(_ kind: Kind) throws {
    let ends = Ends(kind)
    let sink = try sink(ends, kind)
    let writer = Background { write(Self.bytes, to: sink) }
    _ = ends.read(10_000)
    ends.closeReader()
    #expect([EPIPE, ECONNRESET].contains(writer.wait()?.errno))
  }

  /// A part of a write could fail, and the next one succeed: a hole in what went out.
  @Test func afterAFailureNothingGoesOut() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let sink = try DescriptorSink(descriptor, name: "full")
    #expect(write([1], to: sink)?.errno == ENOSPC)
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    dup2(null, descriptor)
    #expect(write([1], to: sink)?.errno == ENOSPC)
    #expect(sink.byteCount == 0)
  }

  @Test func aFileIsWrittenWhereItStands() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path + "/log"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let sink = try DescriptorSink(descriptor, name: "log")
    for _ in 0..<2 { #expect(write([1, 2, 3], to: sink) == nil) }
    try sink.check()
    try sink.finish()
    let file = try temporary.folder.open("log", .read)
    #expect(try file.status().byteCount == 6)
  }

  @Test func whatCannotBeWrittenToIsNoSink() throws {
    let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    #expect(throws: DiskError(call: "write", path: "it", errno: EBADF)) {
      try DescriptorSink(descriptor, name: "it")
    }
    close(descriptor)
    #expect(throws: DiskError(call: "fcntl", path: "it", errno: EBADF)) {
      try DescriptorSink(1_000_000, name: "it")
    }
  }

  @Test(arguments: [true, false])
  func aFileWithoutANameIsSeenByNobody(_ isNamedForAMoment: Bool) throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.folder
    let file =
      try isNamedForAMoment ? folder.openNamedForAMoment() : folder.openUnnamed()
    #expect(try folder.names() == [])
    #expect(try file.status().linkCount == 0)
    let text: [UInt8] = [7, 8, 9]
    // The array lives through the call.
    let failure: DiskError? = unsafe text.withUnsafeBytes { bytes in
      do throws(DiskError) {
        unsafe try file.write(bytes, at: 5)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure == nil)
    #expect(try file.status().byteCount == 8)
  }
}
