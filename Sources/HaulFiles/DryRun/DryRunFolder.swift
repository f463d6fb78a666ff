import HaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a dry run, over a real one or in the place of one that is missing.
final class DryRunFolder: DiskFolder {
  let path: String
  private let disk: DryRunDisk
  /// Nil for a folder that would have been made.
  private let real: (any DiskFolder)?
  /// A folder on the same volume.
  private let volume: any DiskFolder

  init(_ disk: DryRunDisk, path: String, real: any DiskFolder) {
    self.disk = disk
    self.path = path
    self.real = real
    volume = real
  }

  /// Makes a folder that does not exist.
  init(_ disk: DryRunDisk, path: String, parent: any DiskFolder) {
    self.disk = disk
    self.path = path
    real = nil
    volume = parent
  }

  func forEachName(_ body: (String) -> Void) throws(DiskError) {
    let changes = disk.state.withLock { $0.changes[path] ?? [:] }
    try real?.forEachName { name in
      if changes[name] == nil { body(name) }
    }
    for (name, change) in changes {
      if case .made = change { body(name) }
    }
  }

  func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile {
    if let change = change(of: name) {
      switch (change, mode) {
      case (.made, .createNew): throw error("open", name, EEXIST)
      case (.made(let status), _): return DryRunFile(status, real: nil)
      case (.removed, .read), (.removed, .update): throw error("open", name, ENOENT)
      case (.removed, .create), (.removed, .createNew): return make(name)
      }
    }
    let isMaking =
      switch mode {
      case .read, .update: false
      case .create, .createNew: true
      }
    guard let real else {
      guard isMaking else { throw error("open", name, ENOENT) }
      try volume.checkWritable()
      return make(name)
    }
    if isMaking, try real.status(name) == nil {
      try real.checkWritable()
      return make(name)
    }
    if case .createNew = mode { throw error("open", name, EEXIST) }
    let file = try real.open(name, .read)
    return DryRunFile(try file.status(), real: file)
  }

  private func make(_ name: String) -> DryRunFile {
    disk.state.withLock { state in
      let status = FileStatus(
        kind: .regular, device: .max, inode: state.nextInode, byteCount: 0, allocatedBytes: 0,
        modified: 0, linkCount: 1)
      state.nextInode -= 1
      state.changes[path, default: [:]][name] = .made(status)
      return DryRunFile(status, real: nil)
    }
  }

  func status(_ name: String) throws(DiskError) -> FileStatus? {
    switch change(of: name) {
    case .made(let status): status
    case .removed: nil
    case nil: try real?.status(name)
    }
  }

  func status() throws(DiskError) -> FileStatus { try volume.status() }

  func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError) {
    guard let status = try status(name) else { throw error("rename", name, ENOENT) }
    if let there = try self.status(newName) {
      guard replacing else { throw error("rename", newName, EEXIST) }
      guard there.kind != .folder else { throw error("rename", newName, EISDIR) }
    }
    disk.state.withLock { state in
      state.changes[path, default: [:]][name] = .removed
      state.changes[path]?[newName] = .made(status)
    }
  }

  func remove(_ name: String) throws(DiskError) {
    disk.state.withLock { $0.changes[path, default: [:]][name] = .removed }
  }

  func sync() throws(DiskError) {}

  func freeBytes() throws(DiskError) -> Int64 { try volume.freeBytes() }

  func checkWritable() throws(DiskError) { try volume.checkWritable() }

  private func change(of name: String) -> DryRunDisk.Change? {
    disk.state.withLock { $0.changes[path]?[name] }
  }

  private func error(_ call: String, _ name: String, _ number: Int32) -> DiskError {
    DiskError(call: call, path: path + "/" + name, errno: number)
  }
}
