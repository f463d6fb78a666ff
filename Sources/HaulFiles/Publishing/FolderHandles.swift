import HaulSystem
import HaulTransfer
import Synchronization

/// Which folder it is, whatever its path.
struct FolderKey: Hashable, Sendable {
  private var device: UInt64
  private var inode: UInt64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}

/// Keeps the folder open into which small files go by the thousands, for a second at most.
final class FolderHandles: Sendable {
  /// An open folder.
  struct Handle: Sendable {
    let folder: any DiskFolder
    let key: FolderKey
    /// Whether the volume has so much room that small files need not ask for it one by one.
    let isRoomy: Bool
    fileprivate let closes: Instant
  }

  /// Bytes that no crowd of small files fills in a second.
  private static let roomy: Int64 = 4 << 30
  private static let lifetime = 1.0

  private let clock: any Clock
  private let last = Mutex<(path: String, handle: Handle)?>(nil)

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Opens a folder, which is made when it is missing, or hands out the one that is still open, even
  /// if it was moved meanwhile.
  func open(_ path: String, on disk: any Disk) throws(DiskError) -> Handle {
    let now = clock.now
    if let handle = last.withLock({ $0?.path == path ? $0?.handle : nil }), now < handle.closes {
      return handle
    }
    let folder = try disk.openFolder(path, create: true)
    let handle = Handle(
      folder: folder, key: FolderKey(try folder.status()),
      isRoomy: try folder.freeBytes() > Self.roomy, closes: now.advanced(seconds: Self.lifetime))
    last.withLock { $0 = (path, handle) }
    return handle
  }

  /// Whether the path still leads to the folder. One that was moved is let go.
  func isInPlace(_ handle: Handle, at path: String, on disk: any Disk) -> Bool {
    if let there = try? disk.status(ofFolder: path), FolderKey(there) == handle.key { return true }
    last.withLock { if $0?.handle.key == handle.key { $0 = nil } }
    return false
  }
}
