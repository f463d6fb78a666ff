import CHaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The disks of this machine, by POSIX calls.
///
/// Calls that a signal interrupts are made again, and short writes are continued.
public struct PosixDisk: Disk {
  /// Makes the disk; it has no state.
  public init() {}

  /// The random number that Linux draws at each boot.
  public var bootID: [UInt8]? {
    let path = "/proc/sys/kernel/random/boot_id"
    let number = unsafe haul_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(number)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      // The call writes at most the size of the buffer.
      unsafe read(descriptor.number, buffer.baseAddress, buffer.count)
    }
    guard count >= 36 else { return nil }
    return Array(bytes.prefix(36))
  }

  /// Opens a folder; links in its path are followed, since the owner chose it.
  ///
  /// - Throws: `ENOENT` when it is missing and not to be made, `ENOTDIR` when something else
  ///   stands there, and whatever else the system says.
  public func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder {
    let path = path.isEmpty ? "." : path
    guard !path.utf8.contains(0) else {
      throw DiskError(call: "open", path: path, errno: EINVAL)
    }
    do {
      return try Self.open(path)
    } catch {
      guard create, error.errno == ENOENT else { throw error }
    }
    try Self.makeFolders(path)
    return try Self.open(path)
  }

  /// What stands under a name in the folder that a path leads to now, by one call.
  ///
  /// - Throws: `EINVAL` for a name that is not one component, and whatever else the system says.
  public func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus? {
    let folder = path.isEmpty ? "." : path
    let whole = folder.hasSuffix("/") ? folder + name : folder + "/" + name
    guard isSingleComponent(name), !folder.utf8.contains(0) else {
      throw DiskError(call: "stat", path: whole, errno: EINVAL)
    }
    return try FileStatus.of(whole, in: AT_FDCWD, path: whole)
  }

  /// What the folder is that a path leads to now, by one call.
  ///
  /// - Throws: `ENOENT` when there is none, and whatever else the system says.
  public func status(ofFolder path: String) throws(DiskError) -> FileStatus {
    let path = path.isEmpty ? "." : path
    guard !path.utf8.contains(0) else {
      throw DiskError(call: "stat", path: path, errno: EINVAL)
    }
    var raw = stat()
    // `raw` is written by the call alone, and the string lives through it.
    try systemCall("stat", path) { unsafe stat(path, &raw) }
    return FileStatus(raw)
  }

  private static func open(_ path: String) throws(DiskError) -> PosixFolder {
    let number = try systemCall("open", path) {
      // The string lives through the call.
      unsafe haul_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    return PosixFolder(path: path, descriptor: Descriptor(number))
  }

  private static func makeFolders(_ path: String) throws(DiskError) {
    var made = path.utf8.first == 0x2F ? "/" : ""
    // By scalars: a slash with a combining mark behind it is another character to Swift.
    for component in path.unicodeScalars.split(separator: "/") {
      made += String(component)
      do {
        // The string lives through the call.
        try systemCall("mkdir", made) { unsafe mkdir(made, 0o777) }
      } catch {
        // A parent may be read-only, on a read-only volume, or made by someone else meanwhile.
        // Whether it is there is seen when the whole path is opened.
        let isHarmless = [EEXIST, EROFS, EACCES, EPERM, EISDIR].contains(error.errno)
        guard isHarmless, try isThere(made) else { throw error }
      }
      made += "/"
    }
  }

  private static func isThere(_ path: String) throws(DiskError) -> Bool {
    var raw = stat()
    do {
      // `raw` is written by the call alone, and the string lives through it.
      try systemCall("stat", path) { unsafe stat(path, &raw) }
      return true
    } catch {
      return false
    }
  }
}
