import HaulSystem
import Synchronization

/// Remembers for which source a file was fetched or kept in this run, and who may replace one.
///
/// Two addresses may end in the same name, and lead to files of the same size and time. Comparing
/// size and time only, the second one would be taken for there when the first one was fetched.
final class FileOwners: Sendable {
  private struct FileKey: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private let owners = Mutex<[FileKey: UInt64]>([:])
  private let names = Mutex<[String: UInt64]>([:])

  /// Gives a source the right to replace what stands at a path; false when another source of this run
  /// has it, whose file would be lost.
  func mayReplace(_ path: String, for source: UInt64) -> Bool {
    names.withLock { names in
      let owner = names[path] ?? source
      names[path] = owner
      return owner == source
    }
  }

  /// Whether no other source has a file.
  func mayBelong(_ file: FileStatus, to source: UInt64) -> Bool {
    let key = FileKey(device: file.device, inode: file.inode)
    return owners.withLock { $0[key] ?? source } == source
  }

  /// Gives a file to a source; false when another one has it.
  func claim(_ file: FileStatus, for source: UInt64) -> Bool {
    let key = FileKey(device: file.device, inode: file.inode)
    return owners.withLock { owners in
      if let owner = owners[key] { return owner == source }
      owners[key] = source
      return true
    }
  }
}
