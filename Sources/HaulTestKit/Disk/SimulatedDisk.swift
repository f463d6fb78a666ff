public import HaulSystem
import HaulTransfer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A disk in memory that can be full, can fail, and whose power can be cut.
///
/// Content that was not synced may be lost at a crash, wholly or page by page; names may be lost
/// until their folder is synced. Every call counts as one operation, so that a test can cut the
/// power at each of them in turn.
public final class SimulatedDisk: Disk {
  /// The calls that can be made to fail.
  public enum Call: String, Sendable, Hashable, CaseIterable {
    case openFolder, names, open, openNameless, link, status, rename, remove, syncFolder, freeBytes
    case read, write, sync, truncate, reserve, setModified, setPermissions, lock, markHolder
  }

  struct World: Sendable {
    var nodes: [UInt64: SimulatedNode] = [:]
    var folders: [String: SimulatedDirectory] = [:]
    var capacity: Int
    var operations = 0
    var crashAt: Int?
    var isDown = false
    /// Grows with each crash or kill; what was opened before is useless after.
    var era: UInt64 = 1
    var boot: UInt64 = 1
    var nextNumber: UInt64 = 1
    var faults: [Call: [(after: Int, errno: Int32)]] = [:]
    var counts: [Call: Int] = [:]
    var tearing: UInt64 = 0
    var time: Int64 = 1_000
  }

  let world: Mutex<World>

  /// Makes an empty disk with room for so many bytes.
  public init(capacity: Int = 1 << 40) {
    world = Mutex(World(capacity: capacity))
  }

  /// The number of calls so far.
  public var operations: Int { world.withLock { $0.operations } }

  /// Whether the power was cut by `cutPower(atOperation:)` and is not back yet.
  public var isDown: Bool { world.withLock { $0.isDown } }

  /// The bytes that all files together may have.
  public var capacity: Int {
    get { world.withLock { $0.capacity } }
    set { world.withLock { $0.capacity = newValue } }
  }

  /// The number of this boot.
  public var bootID: [UInt8]? { world.withLock { Array("boot \($0.boot)".utf8) } }

  /// Cuts the power when the operation of this number is reached; a write of that moment is torn.
  public func cutPower(atOperation number: Int) {
    world.withLock { $0.crashAt = number }
  }

  /// Makes the n-th call of a kind from now on fail, counted from 1.
  public func fail(_ call: Call, nth: Int, errno: Int32) {
    world.withLock { world in
      world.faults[call, default: []].append((world.counts[call, default: 0] + nth, errno))
    }
  }

  /// Cuts the power, if it is not cut yet, and boots again; the seed says what survives.
  public func crash(seed: UInt64) {
    world.withLock { world in
      var random = Draws(seed: seed)
      // All kept, all lost, or each thing by a coin.
      let mode = random.next() % 4
      func isKept() -> Bool {
        switch mode {
        case 0: false
        case 1: true
        default: random.next() & 1 == 0
        }
      }
      let isOrdered = random.next() & 1 == 0
      for path in world.folders.keys.sorted() {
        world.folders[path]?.crash(isOrdered: isOrdered, isKept: isKept)
      }
      let linked = Set(world.folders.values.flatMap(\.names.values))
      world.nodes = world.nodes.filter { linked.contains($0.key) }
      for number in world.nodes.keys.sorted() { world.nodes[number]?.crash(isKept: isKept) }
      world.boot += 1
      world.begin()
    }
  }

  /// Kills the process: everything written stays, locks are released.
  public func kill() {
    world.withLock { world in
      let linked = Set(world.folders.values.flatMap(\.names.values))
      world.nodes = world.nodes.filter { linked.contains($0.key) }
      for number in world.nodes.keys {
        world.nodes[number]?.lockHolder = nil
        world.nodes[number]?.marks = [:]
      }
      world.begin()
    }
  }

  /// Opens a folder; the parents of a simulated folder need not exist.
  public func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder {
    let era = try perform(.openFolder, path) { world throws(DiskError) in
      if world.folders[path] == nil {
        guard create else { throw DiskError(call: "open", path: path, errno: ENOENT) }
        world.folders[path] = SimulatedDirectory()
      }
      return world.era
    }
    return SimulatedFolder(disk: self, path: path, era: era)
  }

  /// What stands under a name in a folder.
  public func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus? {
    try perform(.status, path + "/" + name) { world throws(DiskError) in
      world.folders[path]?.names[name].flatMap { world.status($0) }
    }
  }

  /// What the folder of a path is.
  public func status(ofFolder path: String) throws(DiskError) -> FileStatus {
    try perform(.status, path) { world throws(DiskError) in
      guard world.folders[path] != nil else {
        throw DiskError(call: "stat", path: path, errno: ENOENT)
      }
      return SimulatedFolder.status(ofPath: path)
    }
  }

  /// Counts a call, lets it fail if it has to, and carries it out.
  func perform<Value>(
    _ call: Call, _ path: String, era: UInt64? = nil,
    torn: ((inout World, UInt64) -> Void)? = nil,
    _ body: (inout World) throws(DiskError) -> Value
  ) throws(DiskError) -> Value {
    let result: Result<Value, DiskError> = world.withLock { world in
      guard !world.isDown, era == nil || era == world.era else {
        return .failure(DiskError(call: call.rawValue, path: path, errno: EIO))
      }
      world.operations += 1
      if let crashAt = world.crashAt, world.operations >= crashAt {
        world.tearing &+= 0x9E37_79B9
        torn?(&world, world.tearing &* UInt64(crashAt))
        world.isDown = true
        return .failure(DiskError(call: call.rawValue, path: path, errno: EIO))
      }
      world.counts[call, default: 0] += 1
      let count = world.counts[call, default: 0]
      if let fault = world.faults[call]?.first(where: { $0.after == count }) {
        if call == .sync { torn?(&world, 0) }
        return .failure(DiskError(call: call.rawValue, path: path, errno: fault.errno))
      }
      do throws(DiskError) {
        return .success(try body(&world))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension SimulatedDisk.World {
  /// Starts after a crash or a kill.
  mutating func begin() {
    era += 1
    isDown = false
    crashAt = nil
  }

  var used: Int { nodes.values.reduce(0) { $0 + $1.allocated } }
}

/// Draws that a seed determines (SplitMix64).
struct Draws {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
