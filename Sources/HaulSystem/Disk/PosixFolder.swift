import CHaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open folder; every name is looked up by its descriptor, so that it may be renamed meanwhile.
final class PosixFolder: DiskFolder {
  let path: String
  private let descriptor: Descriptor

  init(path: String, descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func forEachName(_ body: (String) -> Void) throws(DiskError) {
    // A new open file description: `fdopendir` takes the descriptor over, and has a position.
    let number = try systemCall("open", path) {
      // The literal lives through the call.
      unsafe haul_openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    guard let stream = unsafe fdopendir(number) else {
      let failure = errno
      close(number)
      throw DiskError(call: "opendir", path: path, errno: failure)
    }
    // The stream was opened above and is closed once, here.
    defer { unsafe _ = closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw DiskError(call: "readdir", path: path, errno: errno) }
        return
      }
      // `d_name` is a string that ends with a zero, valid until the next `readdir`. Names that are
      // not UTF-8 cannot be ours and cannot collide with ours.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(validatingCString: characters)
        }
      }
      if let name, name != ".", name != ".." { body(name) }
    }
  }

  func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile {
    try check(name, "open")
    let place = place(name)
    // Without O_NONBLOCK a pipe planted under the name would hang the caller.
    let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let (flags, permissions): (Int32, UInt32) =
      switch mode {
      case .read: (O_RDONLY, 0)
      case .update: (O_RDWR, 0)
      case .create(let permissions): (O_RDWR | O_CREAT, permissions)
      case .createNew(let permissions): (O_RDWR | O_CREAT | O_EXCL, permissions)
      }
    let number = try systemCall("open", place) {
      // The string lives through the call.
      unsafe haul_openat(descriptor.number, name, flags | common, mode_t(permissions))
    }
    let file = PosixFile(path: place, descriptor: Descriptor(number))
    switch try file.status().kind {
    case .regular: return file
    case .folder: throw DiskError(call: "open", path: place, errno: EISDIR)
    case .link, .other: throw DiskError(call: "open", path: place, errno: ENXIO)
    }
  }

  func openUnnamed() throws(DiskError) -> any DiskFile {
    let file = try withoutName { haul_open_unnamed(descriptor.number) }
    if let file { return file }
    return try openNamedForAMoment()
  }

  func openNameless(permissions: UInt32) throws(DiskError) -> (any DiskFile)? {
    try withoutName { haul_open_nameless(descriptor.number, mode_t(permissions)) }
  }

  private func withoutName(_ open: () -> Int32) throws(DiskError) -> PosixFile? {
    do {
      let number = try systemCall("open", path, open)
      return PosixFile(path: path, descriptor: Descriptor(number))
    } catch {
      // Kernels and file systems that know nothing of it say so in several ways.
      guard [EOPNOTSUPP, ENOTSUP, EISDIR, EINVAL, ENOENT, ENOSYS].contains(error.errno) else {
        throw error
      }
      return nil
    }
  }

  func link(_ file: any DiskFile, as name: String) throws(DiskError) {
    try check(name, "link")
    guard let file = file as? PosixFile else {
      throw DiskError(call: "link", path: place(name), errno: EXDEV)
    }
    try systemCall("link", place(name)) {
      // The string lives through the call.
      unsafe haul_link_open_file(file.descriptor.number, descriptor.number, name)
    }
  }

  func status() throws(DiskError) -> FileStatus {
    try FileStatus.of(descriptor, path: path)
  }

  func status(_ name: String) throws(DiskError) -> FileStatus? {
    try check(name, "stat")
    return try FileStatus.of(name, in: descriptor.number, path: place(name))
  }

  func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError) {
    try check(name, "rename")
    try check(newName, "rename")
    let folder = descriptor.number
    if replacing {
      // The strings live through the call.
      try systemCall("rename", place(newName)) { unsafe renameat(folder, name, folder, newName) }
      return
    }
    do {
      // The strings live through the call.
      try systemCall("rename", place(newName)) {
        unsafe haul_rename_noreplace(folder, name, newName)
      }
    } catch {
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.errno) else { throw error }
      // The file system cannot do it at once; a link does not replace either.
      try systemCall("link", place(newName)) { unsafe linkat(folder, name, folder, newName, 0) }
      try systemCall("unlink", place(newName)) { unsafe unlinkat(folder, name, 0) }
    }
  }

  func remove(_ name: String) throws(DiskError) {
    try check(name, "unlink")
    do {
      // The string lives through the call.
      try systemCall("unlink", place(name)) { unsafe unlinkat(descriptor.number, name, 0) }
    } catch {
      if error.errno != ENOENT { throw error }
    }
  }

  func sync() throws(DiskError) {
    do {
      try systemCall("fsync", path) { fsync(descriptor.number) }
    } catch {
      // Some network file systems refuse to sync a folder; there is nothing else to ask for.
      if error.errno != EINVAL { throw error }
    }
  }

  func checkWritable() throws(DiskError) {
    try systemCall("open", path) {
      // The literal lives through the call.
      unsafe faccessat(descriptor.number, ".", W_OK | X_OK, AT_EACCESS)
    }
  }

  func freeBytes() throws(DiskError) -> Int64 {
    var raw = statvfs()
    // `raw` is written by the call alone.
    try systemCall("statvfs", path) { unsafe fstatvfs(descriptor.number, &raw) }
    // Some file systems (in memory, in user space) have no size to tell, rather than no room.
    if raw.f_blocks == 0 { return .max }
    let (bytes, overflow) = UInt64(raw.f_bavail).multipliedReportingOverflow(
      by: UInt64(raw.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// The path of a name in this folder, for messages.
  private func place(_ name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  private func check(_ name: String, _ call: String) throws(DiskError) {
    guard isSingleComponent(name) else {
      throw DiskError(call: call, path: place(name), errno: EINVAL)
    }
  }
}
