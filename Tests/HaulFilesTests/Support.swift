import Glibc
import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// A folder that exists for one test.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = "/tmp/haul-files-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    _ = try? PosixDisk().openFolder(path, create: true)
  }

  deinit {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    if let folder = try? PosixDisk().openFolder(path, create: false) {
      for name in (try? folder.names()) ?? [] {
        if let status = try? folder.status(name), status.kind == .folder {
          remove(path + "/" + name)
        } else {
          try? folder.remove(name)
        }
      }
    }
    // The string lives through the call.
    _ = unsafe rmdir(path)
  }

  var names: [String] {
    ((try? PosixDisk().openFolder(path, create: false).names()) ?? []).sorted()
  }

  func content(_ name: String) -> [UInt8]? {
    guard let folder = try? PosixDisk().openFolder(path, create: false),
      let file = try? folder.open(name, .read), let status = try? file.status()
    else { return nil }
    return try? file.bytes(at: 0, count: Int(status.byteCount))
  }

  func put(_ name: String, _ bytes: [UInt8]) throws {
    let folder = try PosixDisk().openFolder(path, create: true)
    try folder.remove(name)
    try folder.open(name, .create(permissions: 0o644)).write(bytes, at: 0)
  }
}

/// Content that can be told from any other by its seed.
func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 8)
  while bytes.count < count {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: state >> UInt64(shift)))
    }
  }
  bytes.removeLast(bytes.count - count)
  return bytes
}

extension PartFile {
  /// Writes bytes in pieces as a connection would.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int64, piece: Int = 256 * 1024) throws {
    try unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = min(piece, buffer.count - done)
        // `done` and `count` lie within the buffer by the minimum above.
        let slice = unsafe UnsafeRawBufferPointer(rebasing: buffer[done..<done + count])
        try unsafe write(slice, at: offset + Int64(done))
        done += count
      }
    }
  }
}

/// Whether both hold the same bytes; `==` takes a thousand times longer without optimisation.
func same(_ left: [UInt8]?, _ right: ArraySlice<UInt8>) -> Bool {
  guard let left, left.count == right.count else { return false }
  return unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      // Both have `left.count` bytes.
      guard let a = left.baseAddress, let b = right.baseAddress else { return true }
      return unsafe memcmp(a, b, left.count) == 0
    }
  }
}

/// The synchronous store over any disk, as one process would have it.
struct Bench: Sendable {
  let context: FilesContext
  var destination: Destination
  var source = SourceIdentity(
    url: "https://user:secret@example.org/file.bin", redactedURL: "https://example.org/file.bin")

  init(_ disk: any Disk = PosixDisk(), folder: String, isDurable: Bool = true) {
    context = FilesContext(
      disk: disk, crypto: SystemCrypto(), clock: SystemClock(),
      index: FolderIndex(clock: SystemClock(), lifetime: 0))
    destination = Destination(folder: folder, isDurable: isDurable)
  }

  func find() throws(FileFailure) -> PartFinder.Found {
    try PartFinder(context: context, source: source, destination: destination).find()
  }

  func create(
    _ name: String = "file.bin", _ version: FileVersion = FileVersion(), mayAdopt: Bool = false
  ) throws(FileFailure) -> NameChooser.Created {
    try NameChooser(
      context: context, source: source, destination: destination, suggestedName: name,
      version: version, mayAdopt: mayAdopt
    ).create()
  }

  /// Creates a part that must not be skipped.
  func make(
    _ name: String = "file.bin", _ version: FileVersion = FileVersion(), mayAdopt: Bool = false
  ) throws -> PartFile {
    guard case .part(let part) = try create(name, version, mayAdopt: mayAdopt) else {
      throw TestFailure("was skipped")
    }
    return part
  }

  /// Finds a part, which must be there.
  func resume() throws -> PartFile {
    guard case .part(let part) = try find() else { throw TestFailure("no part was found") }
    return part
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A version with a strong validator.
func version(_ total: Int, tag: String = "\"a\"") -> FileVersion {
  FileVersion(total: Int64(total), validator: .entityTag(tag), lastModified: 1_700_000_000)
}
