import HaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A disk on which nothing changes: what is made, renamed or removed is only remembered, and what
/// is read comes from the real disk.
///
/// The finder and the chooser of names run on it as they are, so that a dry run decides as a real
/// one does.
final class DryRunDisk: Disk {
  /// What stands under a name of a folder, other than on the real disk.
  enum Change: Sendable {
    case removed
    case made(FileStatus)
  }

  struct State: Sendable {
    /// By the path of the folder and the name.
    var changes: [String: [String: Change]] = [:]
    /// Folders that would have been made.
    var folders: Set<String> = []
    /// Made files get numbers that no real one has.
    var nextInode = UInt64.max
  }

  let state = Mutex(State())
  private let disk: any Disk

  init(_ disk: any Disk) {
    self.disk = disk
  }

  var bootID: [UInt8]? { disk.bootID }

  func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus? {
    switch state.withLock({ $0.changes[path]?[name] }) {
    case .made(let status): status
    case .removed: nil
    case nil: try disk.status(name, inFolder: path)
    }
  }

  func status(ofFolder path: String) throws(DiskError) -> FileStatus {
    try disk.status(ofFolder: path)
  }

  func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder {
    do {
      return DryRunFolder(self, path: path, real: try disk.openFolder(path, create: false))
    } catch {
      let isKnown = state.withLock { $0.folders.contains(path) }
      guard error.errno == ENOENT, create || isKnown else { throw error }
    }
    state.withLock { _ = $0.folders.insert(path) }
    // For the room on its volume.
    return DryRunFolder(self, path: path, parent: try disk.nearestFolder(to: path))
  }

  /// Remembers that a part became a file, as at the end of a real run.
  func publish(
    _ part: String, _ journal: String, as name: String, _ status: FileStatus, in folder: String
  ) {
    state.withLock { state in
      state.changes[folder, default: [:]][part] = .removed
      state.changes[folder]?[journal] = .removed
      state.changes[folder]?[name] = .made(status)
    }
  }
}
