public import HaulSystem
public import HaulTransfer

/// Keeps parts and journals beside their targets (DESIGN §4, docs/FORMATS.md).
///
/// One store is shared by all transfers of a process, so that they do not count on the same free
/// space. Every call returns at once; its job runs on the lanes of its part.
public struct FileStore: PartialFileStore {
  let context: FilesContext
  private let makeLanes: @Sendable () -> any Lanes
  /// Runs a job that no other one has to follow.
  let runAlone: @Sendable (Lane, @escaping @Sendable () -> Void) -> Void

  /// Makes a store on a disk.
  ///
  /// - Parameters:
  ///   - disk: Where the files are.
  ///   - crypto: Where digests and checksums come from.
  ///   - clock: Says when what is remembered of a folder is too old.
  ///   - makeLanes: Called once for each part and each look-up; nil for threads of the store.
  public init(
    disk: any Disk, crypto: any Crypto, clock: any Clock = SystemClock(),
    makeLanes: (@Sendable () -> any Lanes)? = nil
  ) {
    let workers = Workers(clock: clock)
    if let makeLanes {
      self.makeLanes = makeLanes
      runAlone = { makeLanes().run($0, $1) }
    } else {
      self.makeLanes = { WorkerLanes(workers) }
      runAlone = { workers.submit(Workers.Job(isSlow: $0 == .checkpoint, run: $1)) }
    }
    context = FilesContext(
      disk: disk, crypto: crypto, clock: clock, index: FolderIndex(clock: clock, lifetime: 1),
      syncs: FolderSyncs { workers.enqueue(Workers.Job(isSlow: true, run: $0)) })
  }

  /// Makes a store on the disks of this machine.
  public init() {
    self.init(disk: PosixDisk(), crypto: SystemCrypto())
  }

  /// The calls for a small file follow each other on one thread.
  public var gathersSmallFiles: Bool { true }

  /// Looks for what an earlier run left of this source.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    // A journal at a name that the owner chose costs one look, which is always taken.
    if destination.name == nil, destination.existing != .skip,
      context.index.hasNoJournals(destination.folder)
    {
      return completion(.success(.nothing))
    }
    let lanes = makeLanes()
    lanes.run(.writer) { [context] in
      completion(
        outcome { () throws(FileFailure) in
          let finder = PartFinder(context: context, source: source, destination: destination)
          switch try finder.find() {
          case .nothing: return .nothing
          case .published(let file): return .published(file)
          case .existing(let path): return .existing(path: path)
          case .likely(let file): return .likely(file)
          case .part(let part): return .part(StoredPart(part, lanes: lanes))
          }
        })
    }
  }

  /// Makes a part for a file of this version.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    let lanes = makeLanes()
    lanes.run(.writer) { [context] in
      completion(
        outcome { () throws(FileFailure) in
          let chooser = NameChooser(
            context: context, source: source, destination: destination,
            suggestedName: suggestedName, version: version, mayAdopt: mayAdopt)
          switch try chooser.create() {
          case .skipped(let path, let likeness): return .skipped(path: path, by: likeness)
          case .part(let part): return .part(StoredPart(part, lanes: lanes))
          }
        })
    }
  }
}

extension FileStore {
  /// Keeps a small file in one go.
  public func keep(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, content: TransferBuffer,
    completion: @escaping @Sendable (FileOutcome<KeptFile>) -> Void
  ) {
    // It would leave no note.
    guard !destination.isRecorded else { return completion(.success(.declined)) }
    runAlone(destination.isDurable ? .checkpoint : .writer) { [context] in
      let whole = WholeFile(
        context: context, destination: destination, suggestedName: suggestedName,
        version: version)
      // The content is the store's until the completion runs.
      let named = unsafe content.withBytes { bytes in
        outcome { () throws(FileFailure) in try unsafe whole.name(bytes) }
      }
      switch named {
      case .success(nil): completion(.success(.declined))
      case .success(let named?):
        context.syncs.settle(.success(named)) { completion($0.map { .published($0) }) }
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
}

/// Turns what a job returns or throws into a value.
func outcome<Value>(_ body: () throws(FileFailure) -> Value) -> FileOutcome<Value> {
  do {
    return .success(try body())
  } catch {
    return .failure(error)
  }
}
