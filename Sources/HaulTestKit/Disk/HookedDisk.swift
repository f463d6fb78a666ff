public import HaulSystem

/// A disk of which every call is first shown to a hook, which may fail it, hold it up, or do
/// something to the folder in between.
public final class HookedDisk: Disk {
  /// The calls that are shown.
  public typealias Call = SimulatedDisk.Call
  /// Hears a call before it is made, with the name in the folder or, for the folder itself and files
  /// without a name, the path of the folder.
  public typealias Hook = @Sendable (Call, _ name: String) throws(DiskError) -> Void

  private let disk: any Disk
  private let hook: Hook
  private let hasNameless: Bool

  /// Wraps a disk; `hasNameless` says whether it knows files without names.
  public init(_ disk: any Disk, hasNameless: Bool = true, _ hook: @escaping Hook) {
    self.disk = disk
    self.hasNameless = hasNameless
    self.hook = hook
  }

  /// The identity of this boot.
  public var bootID: [UInt8]? { disk.bootID }

  /// What stands under a name in a folder.
  public func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus? {
    try hook(.status, name)
    return try disk.status(name, inFolder: path)
  }

  /// What the folder of a path is.
  public func status(ofFolder path: String) throws(DiskError) -> FileStatus {
    try hook(.status, path)
    return try disk.status(ofFolder: path)
  }

  /// Opens a folder whose calls are shown as well.
  public func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder {
    try hook(.openFolder, path)
    return HookedFolder(
      try disk.openFolder(path, create: create), hasNameless: hasNameless, hook)
  }
}

private final class HookedFolder: DiskFolder {
  private let folder: any DiskFolder
  private let hasNameless: Bool
  private let hook: HookedDisk.Hook

  init(_ folder: any DiskFolder, hasNameless: Bool, _ hook: @escaping HookedDisk.Hook) {
    self.folder = folder
    self.hasNameless = hasNameless
    self.hook = hook
  }

  var path: String { folder.path }

  func forEachName(_ body: (String) -> Void) throws(DiskError) {
    try hook(.names, path)
    try folder.forEachName(body)
  }

  func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile {
    try hook(.open, name)
    return HookedFile(try folder.open(name, mode), name, hook)
  }

  func openNameless(permissions: UInt32) throws(DiskError) -> (any DiskFile)? {
    try hook(.openNameless, path)
    guard hasNameless, let file = try folder.openNameless(permissions: permissions) else {
      return nil
    }
    return HookedFile(file, path, hook)
  }

  func link(_ file: any DiskFile, as name: String) throws(DiskError) {
    try hook(.link, name)
    try folder.link((file as? HookedFile)?.file ?? file, as: name)
  }

  func status(_ name: String) throws(DiskError) -> FileStatus? {
    try hook(.status, name)
    return try folder.status(name)
  }

  func status() throws(DiskError) -> FileStatus { try folder.status() }

  func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError) {
    try hook(.rename, name)
    try folder.rename(name, to: newName, replacing: replacing)
  }

  func remove(_ name: String) throws(DiskError) {
    try hook(.remove, name)
    try folder.remove(name)
  }

  func sync() throws(DiskError) {
    try hook(.syncFolder, path)
    try folder.sync()
  }

  func checkWritable() throws(DiskError) { try folder.checkWritable() }

  func freeBytes() throws(DiskError) -> Int64 {
    try hook(.freeBytes, path)
    return try folder.freeBytes()
  }
}

private final class HookedFile: DiskFile {
  let file: any DiskFile
  private let name: String
  private let hook: HookedDisk.Hook

  init(_ file: any DiskFile, _ name: String, _ hook: @escaping HookedDisk.Hook) {
    self.file = file
    self.name = name
    self.hook = hook
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DiskError) -> Int {
    try hook(.read, name)
    // The caller's buffer is passed on.
    return try unsafe file.read(into: buffer, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError) {
    try hook(.write, name)
    // The caller's buffer is passed on.
    try unsafe file.write(bytes, at: offset)
  }

  func sync() throws(DiskError) {
    try hook(.sync, name)
    try file.sync()
  }

  func truncate(to byteCount: Int64) throws(DiskError) {
    try hook(.truncate, name)
    try file.truncate(to: byteCount)
  }

  func reserve(_ range: Range<Int64>) throws(DiskError) {
    try hook(.reserve, name)
    try file.reserve(range)
  }

  func setModified(_ seconds: Int64) throws(DiskError) {
    try hook(.setModified, name)
    try file.setModified(seconds)
  }

  func setPermissions(_ permissions: UInt32) throws(DiskError) {
    try hook(.setPermissions, name)
    try file.setPermissions(permissions)
  }

  func status() throws(DiskError) -> FileStatus {
    try hook(.status, name)
    return try file.status()
  }

  func lock() throws(DiskError) -> Bool {
    try hook(.lock, name)
    return try file.lock()
  }

  func unlock() { file.unlock() }

  func markHolder(_ identity: UInt64) throws(DiskError) {
    try hook(.markHolder, name)
    try file.markHolder(identity)
  }

  func isHeld(by identity: UInt64) throws(DiskError) -> Bool {
    try file.isHeld(by: identity)
  }

  func isHeld() throws(DiskError) -> Bool { try file.isHeld() }
}
