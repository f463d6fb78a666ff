/// A folder of the simulated disk: the names that programs see, and those that a power cut leaves.
struct SimulatedDirectory: Sendable {
  private enum Change: Sendable {
    case link(String, UInt64)
    case unlink(String)
    case rename(String, String, UInt64)
  }

  private(set) var names: [String: UInt64] = [:]
  private var durable: [String: UInt64] = [:]
  private var changes: [Change] = []

  mutating func link(_ name: String, _ node: UInt64) { apply(.link(name, node)) }
  mutating func unlink(_ name: String) { apply(.unlink(name)) }
  mutating func rename(_ name: String, to newName: String, _ node: UInt64) {
    apply(.rename(name, newName, node))
  }

  /// Brings every change to the disk.
  mutating func sync() {
    durable = names
    changes = []
  }

  /// What is left after the power was cut: a first part of the changes, or any of them.
  mutating func crash(isOrdered: Bool, isKept: () -> Bool) {
    var rest = durable
    for change in changes {
      if isKept() {
        Self.perform(change, on: &rest)
      } else if isOrdered {
        break
      }
    }
    names = rest
    durable = rest
    changes = []
  }

  private mutating func apply(_ change: Change) {
    Self.perform(change, on: &names)
    changes.append(change)
  }

  private static func perform(_ change: Change, on names: inout [String: UInt64]) {
    switch change {
    case .link(let name, let node): names[name] = node
    case .unlink(let name): names[name] = nil
    case .rename(let name, let newName, let node):
      if names[name] == node { names[name] = nil }
      names[newName] = node
    }
  }
}
