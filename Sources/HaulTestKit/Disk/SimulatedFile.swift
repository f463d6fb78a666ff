import HaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file of a simulated disk.
final class SimulatedFile: DiskFile {
  private let disk: SimulatedDisk
  private let path: String
  let node: UInt64
  private let handle: UInt64
  private let era: UInt64

  init(disk: SimulatedDisk, path: String, node: UInt64, handle: UInt64, era: UInt64) {
    self.disk = disk
    self.path = path
    self.node = node
    self.handle = handle
    self.era = era
  }

  deinit {
    disk.world.withLock { world in
      guard world.era == era else { return }
      if world.nodes[node]?.lockHolder == handle { world.nodes[node]?.lockHolder = nil }
      if let marks = world.nodes[node]?.marks {
        world.nodes[node]?.marks = marks.filter { $0.value != handle }
      }
    }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DiskError) -> Int {
    let bytes = try perform(.read) { node, _ throws(DiskError) in
      node.bytes(at: Int(offset), count: buffer.count)
    }
    // At most `buffer.count` bytes were taken.
    unsafe buffer.copyBytes(from: bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DiskError) {
    // The buffer lives through this call.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { copy, count in
      unsafe UnsafeMutableRawBufferPointer(copy).copyMemory(from: bytes)
      count = bytes.count
    }
    let torn: (inout SimulatedDisk.World, UInt64) -> Void = { [node] world, seed in
      let count = bytes.isEmpty ? 0 : Int(seed % UInt64(bytes.count))
      world.nodes[node]?.write(bytes, count: count, at: Int(offset))
    }
    try perform(.write, torn: torn) { node, world throws(DiskError) in
      guard world.hasRoom(for: node, growingTo: Int(offset) + bytes.count) else {
        throw DiskError(call: "pwrite", path: path, errno: ENOSPC)
      }
      node.write(bytes, count: bytes.count, at: Int(offset))
      world.time += 1
      node.modified = world.time
    }
  }

  func sync() throws(DiskError) {
    // A sync that fails by a fault loses what it should have written.
    let torn: (inout SimulatedDisk.World, UInt64) -> Void = { [node] world, seed in
      if seed == 0 { world.nodes[node]?.failSync() }
    }
    try perform(.sync, torn: torn) { node, _ throws(DiskError) in node.sync() }
  }

  func truncate(to byteCount: Int64) throws(DiskError) {
    try perform(.truncate) { node, world throws(DiskError) in
      world.time += 1
      node.modified = world.time
      node.resize(to: Int(byteCount))
    }
  }

  func reserve(_ range: Range<Int64>) throws(DiskError) {
    try perform(.reserve) { node, world throws(DiskError) in
      guard world.hasRoom(for: node, growingTo: Int(range.upperBound)) else {
        throw DiskError(call: "fallocate", path: path, errno: ENOSPC)
      }
      if node.content.count < Int(range.upperBound) { node.resize(to: Int(range.upperBound)) }
      node.reserved = max(node.reserved, Int(range.upperBound))
    }
  }

  func setModified(_ seconds: Int64) throws(DiskError) {
    try perform(.setModified) { node, _ throws(DiskError) in node.modified = seconds }
  }

  func setPermissions(_ permissions: UInt32) throws(DiskError) {
    try perform(.setPermissions) { node, _ throws(DiskError) in
      node.permissions = permissions & 0o777
    }
  }

  func status() throws(DiskError) -> FileStatus {
    let status = try disk.perform(.status, path, era: era) { [node] world throws(DiskError) in
      world.status(node)
    }
    guard let status else { throw DiskError(call: "fstat", path: path, errno: EIO) }
    return status
  }

  func lock() throws(DiskError) -> Bool {
    try perform(.lock) { [handle] node, _ throws(DiskError) in
      guard node.lockHolder == nil || node.lockHolder == handle else { return false }
      node.lockHolder = handle
      return true
    }
  }

  func unlock() {
    try? perform(.lock) { [handle] node, _ throws(DiskError) in
      if node.lockHolder == handle { node.lockHolder = nil }
      node.marks = node.marks.filter { $0.value != handle }
    }
  }

  func markHolder(_ identity: UInt64) throws(DiskError) {
    try perform(.markHolder) { [handle, path] node, _ throws(DiskError) in
      guard node.marks[identity] == nil || node.marks[identity] == handle else {
        throw DiskError(call: "fcntl", path: path, errno: EAGAIN)
      }
      node.marks[identity] = handle
    }
  }

  func isHeld(by identity: UInt64) throws(DiskError) -> Bool {
    try perform(.markHolder) { [handle] node, _ throws(DiskError) in
      node.marks[identity] != nil && node.marks[identity] != handle
    }
  }

  func isHeld() throws(DiskError) -> Bool {
    try perform(.markHolder) { [handle] node, _ throws(DiskError) in
      node.marks.values.contains { $0 != handle }
    }
  }

  /// Works on the node itself, which stays as long as the file is open.
  private func perform<Value>(
    _ call: SimulatedDisk.Call, torn: ((inout SimulatedDisk.World, UInt64) -> Void)? = nil,
    _ body: (inout SimulatedNode, inout SimulatedDisk.World) throws(DiskError) -> Value
  ) throws(DiskError) -> Value {
    try disk.perform(call, path, era: era, torn: torn) { [node] world throws(DiskError) in
      // Taken out meanwhile, so that its content is changed in place and not copied.
      guard var found = world.nodes.removeValue(forKey: node) else {
        throw DiskError(call: call.rawValue, path: path, errno: EIO)
      }
      defer { world.nodes[node] = found }
      return try body(&found, &world)
    }
  }
}

extension SimulatedDisk.World {
  /// Whether a node that is not among the others may have so many bytes.
  func hasRoom(for node: SimulatedNode, growingTo count: Int) -> Bool {
    count <= node.allocated || count <= max(0, capacity - used)
  }

  func status(_ number: UInt64) -> FileStatus? {
    guard let node = nodes[number] else { return nil }
    let links = folders.values.reduce(0) { sum, folder in
      sum + folder.names.values.count { $0 == number }
    }
    return FileStatus(
      kind: node.kind, device: 1, inode: number, byteCount: Int64(node.content.count),
      allocatedBytes: Int64(node.allocated), modified: node.modified, linkCount: UInt64(links),
      permissions: node.permissions)
  }
}
