import HaulSystem
import HaulTransfer
import Synchronization

/// The bytes of one transfer on disk: a locked part, and its journal once there is one.
///
/// All calls block. `write` may run beside every other call; `checkpoint`, `restart`, `publish`
/// and `close` exclude each other. Who calls `restart`, `publish` or `close` keeps writes away
/// meanwhile, by running them on the thread that writes.
final class PartFile: Sendable {
  /// What changes with each write.
  struct State: Sendable {
    /// Nil once the part was published or given up.
    var file: (any DiskFile)?
    var version: FileVersion
    /// What the journal claimed when the part was opened, and is not found wrong.
    var stored: IntervalSet
    var claims: ClaimMap
    /// Bytes that were written since the part was opened, or read and found right.
    var sound = IntervalSet()
    /// A write found no room. Nothing is written any more, and the file cannot become whole.
    var isFull = false
    /// The bytes from the start that digests have taken in; a write below voids them.
    var digestedEnd: Int64 = 0
    /// Grows when digests have to begin anew.
    var epoch: UInt64 = 0
    /// Grows with each restart.
    var generation: UInt64 = 0
  }

  /// The journal, and whether this descriptor can still make anything durable.
  struct Keeper: Sendable {
    var journal: Journal?
    var isFolderSynced = false
    var failure: FileFailure?
  }

  let context: FilesContext
  let folder: any DiskFolder
  let destination: Destination
  let header: JournalHeader
  /// The name of part and journal without their suffixes.
  let stem: String
  /// The final name as it is planned.
  let plannedName: String
  let identity: FileStatus
  let promiseID: UInt64
  /// Why the bytes that an earlier run left here are of no use.
  let lossReason: RestartReason?

  let state: Mutex<State>
  let keeper: Mutex<Keeper>
  let runs = Mutex(RunHasher())
  let digesting = Mutex(Digesting())

  init(
    context: FilesContext, folder: any DiskFolder, destination: Destination,
    header: JournalHeader, stem: String, plannedName: String,
    file: any DiskFile, identity: FileStatus, journal: Journal?, version: FileVersion,
    claims: ClaimMap, lossReason: RestartReason? = nil
  ) {
    self.context = context
    self.folder = folder
    self.destination = destination
    self.header = header
    self.stem = stem
    self.plannedName = plannedName
    self.identity = identity
    self.lossReason = lossReason
    promiseID = context.space.makeID()
    state = Mutex(
      State(file: file, version: version, stored: claims.intervals, claims: claims))
    keeper = Mutex(Keeper(journal: journal))
  }

  deinit {
    context.space.release(promiseID)
  }

  var partName: String { PartNames.part(stem) }
  var partPath: String { path(of: partName) }

  /// The version that the bytes belong to.
  var version: FileVersion { state.withLock { $0.version } }
  /// What the journal claimed, and was not found wrong.
  var stored: IntervalSet { state.withLock { $0.stored } }

  /// How often it was restarted.
  var generation: UInt64 { state.withLock { $0.generation } }

  func path(of name: String) -> String {
    PartNames.path(destination.folder, name)
  }

  /// The open part.
  func openFile() throws(FileFailure) -> any DiskFile {
    guard let file = state.withLock({ $0.file }) else { throw .closed(partPath) }
    return file
  }
}
