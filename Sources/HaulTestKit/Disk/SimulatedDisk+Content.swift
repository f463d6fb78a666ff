public import HaulSystem
import Synchronization

extension SimulatedDisk {
  /// The names in a folder, sorted; empty when there is no such folder. Counts as no operation.
  public func names(in folder: String) -> [String] {
    world.withLock { ($0.folders[folder]?.names.keys).map { $0.sorted() } ?? [] }
  }

  /// The content of a file as programs see it, or nil. Counts as no operation.
  public func content(_ name: String, in folder: String) -> [UInt8]? {
    world.withLock { world in
      world.folders[folder]?.names[name].flatMap { world.nodes[$0]?.content }
    }
  }

  /// Puts a file there, durably. Counts as no operation.
  public func put(
    _ content: [UInt8], as name: String, in folder: String, kind: FileStatus.Kind = .regular
  ) {
    world.withLock { world in
      let number = world.nextNumber
      world.nextNumber += 1
      var node = SimulatedNode(kind: kind)
      node.write(content, count: content.count, at: 0)
      node.sync()
      world.nodes[number] = node
      world.folders[folder, default: SimulatedDirectory()].link(name, number)
      world.folders[folder]?.sync()
    }
  }

  /// Changes one byte of a file behind everybody's back.
  public func damage(_ name: String, in folder: String, at offset: Int) {
    world.withLock { world in
      guard let number = world.folders[folder]?.names[name],
        offset < world.nodes[number]?.content.count ?? 0
      else { return }
      world.nodes[number]?.flip(offset)
    }
  }

  /// Removes a folder with everything in it.
  public func removeFolder(_ path: String) {
    world.withLock { $0.folders[path] = nil }
  }
}
