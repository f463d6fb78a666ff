import Dispatch
public import HaulSystem
public import HaulTransfer

/// Decides as a `FileStore` does, and changes nothing: for requests with `isDryRun`.
///
/// What a transfer of this store would have published counts as there for those after it, so that
/// a list shows the names that it would get.
public struct DryRunStore: PartialFileStore {
  private let disk: DryRunDisk
  private let store: FileStore

  /// Makes a store over a disk, which is only read.
  public init(disk: any Disk, crypto: any Crypto) {
    let dry = DryRunDisk(disk)
    self.disk = dry
    // One job at a time for all: a name has to be taken before the next one is chosen.
    let queue = DispatchQueue(label: "haul.files.dry-run")
    store = FileStore(disk: dry, crypto: crypto, makeLanes: { SharedLane(queue: queue) })
  }

  /// Looks for what an earlier run left of this source.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    store.find(source, at: destination) { [disk] outcome in
      if case .success(.part(let part)) = outcome { Self.publish(part, on: disk) }
      completion(outcome)
    }
  }

  /// Chooses the name and the part of a new file.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    store.create(
      source, at: destination, suggestedName: suggestedName, version: version, mayAdopt: mayAdopt
    ) { [disk] outcome in
      if case .success(.part(let part)) = outcome { Self.publish(part, on: disk) }
      completion(outcome)
    }
  }

  private static func publish(_ part: any PartialFile, on disk: DryRunDisk) {
    guard let part = (part as? StoredPart)?.part else { return }
    var status = part.identity
    status.byteCount = part.version.total ?? 0
    status.modified = part.version.lastModified ?? 0
    disk.publish(
      part.partName, PartNames.journal(part.stem), as: part.plannedName, status,
      in: part.folder.path)
  }
}

/// Runs the jobs of all parts one after another.
private struct SharedLane: Lanes {
  let queue: DispatchQueue

  func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) {
    queue.async(execute: DispatchWorkItem(block: job))
  }
}
