import Glibc
import HaulMetalink

/// The files to fetch, read as they are needed: first those of the command line, then those of a
/// Metalink document, then a list.
final class JobList {
  private var urls: ArraySlice<String>
  private var described: ArraySlice<MetalinkFile>
  private let descriptor: Int32?
  private var pending: ArraySlice<UInt8> = []
  private var isAtEnd = false
  private var lineNumber = 0
  private var readError: Int32?

  /// - Throws: `UsageError` when the list cannot be opened.
  init(_ options: GetOptions) throws(UsageError) {
    urls = options.urls[...]
    described = options.described[...]
    guard let path = options.inputFile else {
      descriptor = nil
      return
    }
    if path == "-" {
      descriptor = 0
      return
    }
    // The text is passed as a string that ends with NUL.
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else {
      guard !path.contains("://") else {
        throw UsageError(
          "-i takes a file; for a list on a server: haul get -o - URL | haul get -i -")
      }
      throw UsageError("the list “\(path)” cannot be read (\(Values.describe(errno)))")
    }
    descriptor = opened
  }

  deinit {
    if let descriptor, descriptor > 0 { close(descriptor) }
  }

  /// The next file, or nil at the end. It may wait for a line.
  ///
  /// - Throws: `UsageError` for a line that cannot be read; the next call goes on after it.
  func next() throws(UsageError) -> Job? {
    if let url = urls.popFirst() { return Job(url: url) }
    if let file = described.popFirst() { return Job(file) }
    while let bytes = try nextLine() {
      lineNumber += 1
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw UsageError(
          "line \(lineNumber) of the list is not UTF-8; in an address, other bytes are "
            + "percent-encoded, as %FF")
      }
      if let job = try Job(line: line, number: lineNumber) { return job }
    }
    if let readError {
      self.readError = nil
      throw UsageError("the list cannot be read to its end (\(Values.describe(readError)))")
    }
    return nil
  }

  /// The longest line that is taken, in bytes.
  private static let longestLine = 128 * 1024
  /// Whether the rest of a line that is too long is being passed over.
  private var isPassingOver = false

  /// The bytes of the next line, without its end.
  private func nextLine() throws(UsageError) -> ArraySlice<UInt8>? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let line = pending[..<end]
        pending = pending[(end + 1)...]
        if isPassingOver {
          isPassingOver = false
          continue
        }
        return line
      }
      if pending.count > Self.longestLine {
        pending = []
        if isPassingOver { continue }
        isPassingOver = true
        lineNumber += 1
        throw UsageError(
          "line \(lineNumber) of the list has more than \(Self.longestLine) bytes")
      }
      if isAtEnd {
        defer { pending = [] }
        return pending.isEmpty || isPassingOver ? nil : pending
      }
      fill()
    }
  }

  private func fill() {
    guard let descriptor else {
      isAtEnd = true
      return
    }
    var failure: Int32?
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      var got = -1
      repeat {
        // The buffer has the capacity that is passed.
        got = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      } while got < 0 && errno == EINTR
      count = max(0, got)
      if got < 0 { failure = errno }
    }
    readError = failure
    if chunk.isEmpty { isAtEnd = true }
    pending += chunk
  }
}
