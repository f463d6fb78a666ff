import HaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Opening a part so that nobody else writes to it.
enum PartLock {
  /// What came of it.
  enum Outcome {
    case locked(any DiskFile, FileStatus)
    /// Another open file of the same source has it.
    case heldBySameSource
    case heldByOther
    case missing
    /// Something that is not a file of ours stands there, and is left alone.
    case blocked
  }

  /// Opens, marks and locks a part.
  ///
  /// The mark comes before the lock: of two processes that start at once with the same source one
  /// gets it, and the other learns that. After locking, the open file is compared with the name,
  /// since its former holder may have published or removed it in between.
  static func acquire(
    _ name: String, in folder: any DiskFolder, identity: UInt64, create: Bool
  ) throws(DiskError) -> Outcome {
    for _ in 0..<1000 {
      let file: any DiskFile
      do {
        file = try folder.open(name, create ? .create(permissions: 0o666) : .update)
      } catch {
        switch error.errno {
        case ENOENT where !create: return .missing
        case ELOOP, EISDIR, ENXIO, EMLINK: return .blocked
        case EACCES, EPERM:
          guard try folder.status(name) != nil else { throw error }
          return .blocked
        default: throw error
        }
      }
      do {
        try file.markHolder(identity)
      } catch {
        if error.errno == EAGAIN { return .heldBySameSource }
        throw error
      }
      guard try file.lock() else { return .heldByOther }
      let status = try file.status()
      if let there = try folder.status(name), there.inode == status.inode,
        there.device == status.device
      {
        return .locked(file, status)
      }
    }
    throw DiskError(call: "flock", path: name, errno: EAGAIN)
  }
}
