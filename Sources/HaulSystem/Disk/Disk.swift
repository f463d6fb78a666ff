/// A system call that failed.
public struct DiskError: Error, Sendable, Hashable {
  /// The call, as in the manual: `open`, `fdatasync`.
  public var call: String
  /// What it was made on.
  public var path: String
  /// The error number.
  public var errno: Int32

  /// Makes an error.
  public init(call: String, path: String, errno: Int32) {
    self.call = call
    self.path = path
    self.errno = errno
  }
}

/// What `stat` says of a file, as far as Haul asks.
public struct FileStatus: Sendable, Hashable {
  /// What kind of thing stands under a name.
  public enum Kind: Sendable, Hashable {
    case regular, folder, link, other
  }

  /// The kind of thing.
  public var kind: Kind
  /// The volume and the number of the file on it; together they name it.
  public var device: UInt64
  /// The number of the file on its volume.
  public var inode: UInt64
  /// The length in bytes.
  public var byteCount: Int64
  /// The bytes that the file takes up on its volume.
  public var allocatedBytes: Int64
  /// The time of the last change of its content, in seconds since 1970.
  public var modified: Int64
  /// The number of names it has; zero once it was deleted.
  public var linkCount: UInt64
  /// Who may do what: the nine lowest bits of the mode.
  public var permissions: UInt32

  /// Makes a status.
  public init(
    kind: Kind, device: UInt64, inode: UInt64, byteCount: Int64, allocatedBytes: Int64,
    modified: Int64, linkCount: UInt64, permissions: UInt32 = 0o644
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.byteCount = byteCount
    self.allocatedBytes = allocatedBytes
    self.modified = modified
    self.linkCount = linkCount
    self.permissions = permissions
  }
}

/// How a file is opened.
public enum OpenMode: Sendable, Hashable {
  /// For reading; it must exist.
  case read
  /// For reading and writing; it must exist.
  case update
  /// For reading and writing; made when missing, with these permissions under the umask.
  case create(permissions: UInt32)
  /// For reading and writing; it must not exist.
  case createNew(permissions: UInt32)
}

/// The system calls on files, all of them, behind one seam.
///
/// Names are single components inside an open folder; a symbolic link at the last component is
/// never followed, so nothing outside that folder can be reached. Calls block; none of them may
/// be made on a thread that must not.
public protocol Disk: Sendable {
  /// Opens a folder. With `create` it is made together with its parents when missing.
  func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder
  /// What stands under a name in the folder that a path leads to now; nil when nothing does, or
  /// when there is no such folder.
  func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus?
  /// What the folder is that a path leads to now; links in it are followed.
  func status(ofFolder path: String) throws(DiskError) -> FileStatus
  /// The identity of this boot of the machine, or nil where it cannot be known.
  var bootID: [UInt8]? { get }
}

/// An open folder. It is closed when the last reference goes.
public protocol DiskFolder: AnyObject, Sendable {
  /// The path it was opened by.
  var path: String { get }
  /// Tells the names in the folder, without `.` and `..`, in no order, each as it is read.
  func forEachName(_ body: (String) -> Void) throws(DiskError)
  /// Opens a file.
  func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile
  /// Makes a file without a name, for reading and writing, that goes when it is closed and that
  /// nobody else can open. Where the file system has none, it has a name for a moment.
  func openUnnamed() throws(DiskError) -> any DiskFile
  /// Makes a file that has no name yet, with these permissions under the umask; it goes when it is
  /// closed before it got one. Nil where the file system has no such files.
  func openNameless(permissions: UInt32) throws(DiskError) -> (any DiskFile)?
  /// Gives a file that was made without a name one; fails with `EEXIST` when it is taken.
  func link(_ file: any DiskFile, as name: String) throws(DiskError)
  /// What stands under a name, itself and not what a link points to; nil when nothing does.
  func status(_ name: String) throws(DiskError) -> FileStatus?
  /// What the open folder is, whatever its path leads to by now.
  func status() throws(DiskError) -> FileStatus
  /// Renames; fails with `EEXIST` when the new name is taken and `replacing` is not set.
  func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError)
  /// Removes a name; a name that is not there is not an error.
  func remove(_ name: String) throws(DiskError)
  /// Makes the names in the folder durable.
  func sync() throws(DiskError)
  /// The bytes that an unprivileged process may still allocate on the volume.
  func freeBytes() throws(DiskError) -> Int64
  /// Fails as making a file in the folder would, as far as that can be told without making one.
  func checkWritable() throws(DiskError)
}

extension DiskFolder {
  /// Makes a file without a name.
  public func openUnnamed() throws(DiskError) -> any DiskFile { try openNamedForAMoment() }

  /// Makes a file under a name that nobody can guess, and removes the name at once.
  func openNamedForAMoment() throws(DiskError) -> any DiskFile {
    let name = ".haul-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let file = try open(name, .createNew(permissions: 0o600))
    try remove(name)
    return file
  }

  /// There are no files without a name here.
  public func openNameless(permissions: UInt32) throws(DiskError) -> (any DiskFile)? { nil }

  /// Nothing was made that could get a name.
  public func link(_ file: any DiskFile, as name: String) throws(DiskError) {
    throw DiskError(call: "link", path: path + "/" + name, errno: 95)
  }
}

extension DiskFolder {
  /// The names in the folder, in no order.
  public func names() throws(DiskError) -> [String] {
    var names: [String] = []
    try forEachName { names.append($0) }
    return names
  }
}

/// An open file. It is closed, and its locks are released, when the last reference goes.
public protocol DiskFile: AnyObject, Sendable {
  /// Reads up to the size of the buffer at an offset; fewer only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DiskError) -> Int
  /// Writes all bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError)
  /// Makes content and length durable (`fdatasync`).
  func sync() throws(DiskError)
  /// Sets the length.
  func truncate(to byteCount: Int64) throws(DiskError)
  /// Reserves room; does nothing where the file system cannot (`EOPNOTSUPP`).
  func reserve(_ range: Range<Int64>) throws(DiskError)
  /// Sets the time of the last change, in seconds since 1970.
  func setModified(_ seconds: Int64) throws(DiskError)
  /// Sets who may do what (`fchmod`), whatever the umask is.
  func setPermissions(_ permissions: UInt32) throws(DiskError)
  /// What the open file is, whatever its name is by now.
  func status() throws(DiskError) -> FileStatus
  /// Takes the exclusive lock, without waiting (`flock`); false when another holds it.
  func lock() throws(DiskError) -> Bool
  /// Releases the lock and every mark, also where a child process still has a copy of the
  /// descriptor, as between `fork` and `exec`.
  func unlock()
  /// Marks who holds the file: an exclusive lock of one byte far beyond its end, by an open file
  /// description (`F_OFD_SETLK`). Fails with `EAGAIN` when another open file has the mark of this
  /// identity; does nothing where such locks do not exist.
  func markHolder(_ identity: UInt64) throws(DiskError)
  /// Whether another open file holds the mark of this identity; false where it cannot be known.
  func isHeld(by identity: UInt64) throws(DiskError) -> Bool
  /// Whether another open file holds any mark. Where marks do not exist the lock is asked instead, and so
  /// taken for a moment when it is free.
  func isHeld() throws(DiskError) -> Bool
}
