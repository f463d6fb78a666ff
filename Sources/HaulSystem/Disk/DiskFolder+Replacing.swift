#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DiskFolder {
  /// The bytes of a whole file; nil when there is none of this name.
  ///
  /// - Throws: `EFBIG` when it has more bytes than `limit`, and what the disk says; a symbolic link or
  ///   a folder of this name is an error.
  package func contents(of name: String, atMost limit: Int64) throws(DiskError) -> [UInt8]? {
    guard try status(name) != nil else { return nil }
    let file = try open(name, .read)
    let count = try file.status().byteCount
    guard count <= limit else {
      throw DiskError(call: "pread", path: path + "/" + name, errno: EFBIG)
    }
    return try file.bytes(at: 0, count: Int(count))
  }

  /// Puts a file under a name in one step: a crash leaves the old one or the new one, whole. It is
  /// durable, name and all, when this returns.
  ///
  /// The bytes go into `NAME.new` first, which has these permissions from its first moment on,
  /// whatever the umask is; one that an earlier run left is removed.
  ///
  /// - Throws: What the disk says. The old file is then still there, unless it was the folder that
  ///   could not be made durable: which of the two a power cut leaves is open then.
  package func replace(
    _ name: String, with bytes: [UInt8], permissions: UInt32
  ) throws(DiskError) {
    let draft = name + ".new"
    try remove(draft)
    do {
      let file = try open(draft, .createNew(permissions: permissions))
      try file.setPermissions(permissions)
      try file.write(bytes, at: 0)
      try file.sync()
      try rename(draft, to: name, replacing: true)
    } catch {
      // What is left of it goes at the next attempt at the latest.
      try? remove(draft)
      throw error
    }
    try sync()
  }
}
