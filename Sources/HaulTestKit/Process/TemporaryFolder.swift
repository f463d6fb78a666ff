internal import Glibc

/// A new folder that is removed, with everything in it, when the last reference goes.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// fetch(origin.url("/file"), into: folder.path)
/// #expect(folder.names() == ["file"])
/// ```
public final class TemporaryFolder: Sendable {
  /// The absolute path, without a slash at its end.
  public let path: String

  /// Makes a folder in the folder for temporary files.
  ///
  /// - Throws: `KitError` when it cannot be made.
  public init() throws {
    // The result is nil or a string that lives until the environment changes; it is copied.
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/haul-test-XXXXXX".utf8CString)
    // The template ends with a zero byte and is changed in place.
    guard unsafe mkdtemp(&template) != nil else { throw KitError.call("mkdtemp", errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, or in one below it, sorted; empty when there is no such folder.
  public func names(in below: String = "") -> [String] {
    Self.names(in: below.isEmpty ? path : path(below))
  }

  /// Writes a file, replacing what stands there.
  ///
  /// - Throws: `KitError` when it cannot be written.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try OriginContent(bytes).write(to: path(name))
  }

  /// The bytes of a file, or nil when it cannot be read.
  public func read(_ name: String) -> [UInt8]? {
    // The path is a C string during the call.
    let number = unsafe open(path(name), O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(number)
    var bytes: [UInt8] = []
    while let more = file.read() { bytes += more }
    return bytes
  }

  /// Makes a folder below this one; its parents have to exist.
  ///
  /// - Throws: `KitError` when it cannot be made.
  public func makeFolder(_ name: String) throws {
    // The path is a C string during the call.
    guard unsafe mkdir(path(name), 0o755) == 0 else { throw KitError.call("mkdir", errno) }
  }

  /// Makes a symbolic link, whose target need not exist.
  ///
  /// - Throws: `KitError` when it cannot be made.
  public func makeLink(_ name: String, to target: String) throws {
    // Both are C strings during the call.
    guard unsafe symlink(target, path(name)) == 0 else { throw KitError.call("symlink", errno) }
  }

  /// The names in a folder, sorted.
  static func names(in path: String) -> [String] {
    // The stream is used by this thread only and closed once.
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      // The name ends with a zero byte, within the entry.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    // Links are removed without following them, full folders after what is in them; the path is
    // a C string during each call.
    if unsafe unlink(path) == 0 || rmdir(path) == 0 { return }
    // A test may have taken the permissions away.
    _ = unsafe chmod(path, 0o700)
    for name in names(in: path) { remove("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }
}
