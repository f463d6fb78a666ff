import HaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open folder of a simulated disk.
final class SimulatedFolder: DiskFolder {
  let path: String
  private let disk: SimulatedDisk
  private let era: UInt64

  init(disk: SimulatedDisk, path: String, era: UInt64) {
    self.disk = disk
    self.path = path
    self.era = era
  }

  func forEachName(_ body: (String) -> Void) throws(DiskError) {
    let names = try disk.perform(.names, path, era: era) { world throws(DiskError) in
      try Array(directory(world).names.keys)
    }
    for name in names { body(name) }
  }

  func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile {
    let (node, handle) = try disk.perform(.open, path(name), era: era) {
      world throws(DiskError) in
      let number: UInt64
      switch (try directory(world).names[name], mode) {
      case (.some, .createNew): throw error("open", name, EEXIST)
      case (.some(let found), _): number = found
      case (nil, .create(let permissions)), (nil, .createNew(let permissions)):
        number = world.nextNumber
        world.nextNumber += 1
        world.time += 1
        world.nodes[number] = SimulatedNode(modified: world.time)
        world.nodes[number]?.permissions = permissions
        world.folders[path]?.link(name, number)
      case (nil, .read), (nil, .update): throw error("open", name, ENOENT)
      }
      switch world.nodes[number]?.kind {
      case .regular: break
      case .folder: throw error("open", name, EISDIR)
      case .link: throw error("open", name, ELOOP)
      case .other, nil: throw error("open", name, ENXIO)
      }
      world.nextNumber += 1
      return (number, world.nextNumber)
    }
    return SimulatedFile(disk: disk, path: path(name), node: node, handle: handle, era: era)
  }

  func openNameless(permissions: UInt32) throws(DiskError) -> (any DiskFile)? {
    let (node, handle) = try disk.perform(.openNameless, path, era: era) {
      world throws(DiskError) in
      _ = try directory(world)
      world.time += 1
      let number = world.nextNumber
      world.nodes[number] = SimulatedNode(modified: world.time)
      world.nextNumber += 2
      return (number, number + 1)
    }
    return SimulatedFile(disk: disk, path: path, node: node, handle: handle, era: era)
  }

  func link(_ file: any DiskFile, as name: String) throws(DiskError) {
    try disk.perform(.link, path(name), era: era) { world throws(DiskError) in
      guard let file = file as? SimulatedFile, world.nodes[file.node] != nil else {
        throw error("link", name, EXDEV)
      }
      guard try directory(world).names[name] == nil else { throw error("link", name, EEXIST) }
      world.folders[path]?.link(name, file.node)
    }
  }

  func status() throws(DiskError) -> FileStatus {
    try disk.perform(.status, path, era: era) { world throws(DiskError) in
      _ = try directory(world)
      return Self.status(ofPath: path)
    }
  }

  /// Paths are never used for another folder here, so that they tell folders apart.
  static func status(ofPath path: String) -> FileStatus {
    FileStatus(
      kind: .folder, device: 1, inode: UInt64(bitPattern: Int64(path.hashValue)), byteCount: 0,
      allocatedBytes: 0, modified: 0, linkCount: 1)
  }

  func status(_ name: String) throws(DiskError) -> FileStatus? {
    try disk.perform(.status, path(name), era: era) { world throws(DiskError) in
      guard let number = try directory(world).names[name] else { return nil }
      return world.status(number)
    }
  }

  func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError) {
    try disk.perform(.rename, path(newName), era: era) { world throws(DiskError) in
      let names = try directory(world).names
      guard let number = names[name] else { throw error("rename", name, ENOENT) }
      if let taken = names[newName] {
        guard replacing else { throw error("rename", newName, EEXIST) }
        guard world.nodes[taken]?.kind != .folder else { throw error("rename", newName, EISDIR) }
      }
      world.folders[path]?.rename(name, to: newName, number)
    }
  }

  func remove(_ name: String) throws(DiskError) {
    try disk.perform(.remove, path(name), era: era) { world throws(DiskError) in
      guard let number = try directory(world).names[name] else { return }
      guard world.nodes[number]?.kind != .folder else { throw error("unlink", name, EISDIR) }
      world.folders[path]?.unlink(name)
    }
  }

  func sync() throws(DiskError) {
    try disk.perform(.syncFolder, path, era: era) { world throws(DiskError) in
      _ = try directory(world)
      world.folders[path]?.sync()
    }
  }

  func freeBytes() throws(DiskError) -> Int64 {
    try disk.perform(.freeBytes, path, era: era) { world throws(DiskError) in
      Int64(max(0, world.capacity - world.used))
    }
  }

  func checkWritable() throws(DiskError) {}

  private func directory(
    _ world: SimulatedDisk.World
  ) throws(DiskError) -> SimulatedDirectory {
    guard let directory = world.folders[path] else {
      throw DiskError(call: "open", path: path, errno: ENOENT)
    }
    return directory
  }

  private func path(_ name: String) -> String { path + "/" + name }

  private func error(_ call: String, _ name: String, _ number: Int32) -> DiskError {
    DiskError(call: call, path: path(name), errno: number)
  }
}
