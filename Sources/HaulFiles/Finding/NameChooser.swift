import HaulHTTP
import HaulSystem
import HaulTransfer

/// Chooses the name of a new transfer, and makes its part.
struct NameChooser {
  enum Created {
    case part(PartFile)
    case skipped(path: String, by: Likeness)
  }

  /// What stands in the way of a candidate, if anything.
  private enum Attempt {
    case done(Created)
    case taken
  }

  /// The highest number that is tried.
  static let maxNumber = 10_000

  let context: FilesContext
  let source: SourceIdentity
  let destination: Destination
  let version: FileVersion
  let mayAdopt: Bool
  private let key: SourceKey
  private let requested: String

  init(
    context: FilesContext, source: SourceIdentity, destination: Destination,
    suggestedName: String, version: FileVersion, mayAdopt: Bool
  ) {
    self.context = context
    self.source = source
    self.destination = destination
    self.version = version
    self.mayAdopt = mayAdopt
    key = SourceKey(source, crypto: context.crypto)
    requested = TargetName.of(destination, suggested: suggestedName)
  }

  func create() throws(FileFailure) -> Created {
    try TargetName.check(requested)
    let folder = try disk { () throws(DiskError) in
      try context.disk.openFolder(destination.folder, create: true)
    }
    try checkExisting(folder)
    // A file of this run is never replaced by another one of it.
    let first = destination.existing == .overwrite && takesNextName ? 1 : 0
    for number in first..<Self.maxNumber {
      let stem = FileName.numbered(requested, number, maxBytes: PartNames.maxBytes)
      if takesNextName, try isTaken(stem, folder) {
        guard destination.existing == .skip,
          let likeness = existing(folder).likeness(of: stem, to: version)
        else { continue }
        return .skipped(path: path(stem), by: likeness)
      }
      switch try attempt(stem, number, folder) {
      case .done(let created): return created
      case .taken:
        if destination.existing == .fail { throw .exists(path(stem)) }
      }
    }
    throw .exists(path(requested))
  }

  /// Answers for the policies that may fail before anything is fetched.
  private func checkExisting(_ folder: any DiskFolder) throws(FileFailure) {
    guard !destination.existing.takesNextName else { return }
    let there = try disk { () throws(DiskError) in try folder.status(requested) }
    if destination.existing == .fail {
      if there != nil { throw .exists(path(requested)) }
      if try hasTwin(requested, folder) { throw .exists(path(requested)) }
    }
    guard there?.kind != .folder else {
      throw FileFailure(
        code: .exists,
        message: "\u{201C}\(path(requested))\u{201D} is a folder. Choose another name.")
    }
  }

  /// Whether a file of the wanted name is left alone.
  private var takesNextName: Bool {
    destination.existing == .overwrite
      ? !context.owners.mayReplace(path(requested), for: key.identity)
      : destination.existing.takesNextName
  }

  private func existing(_ folder: any DiskFolder) -> ExistingFiles {
    ExistingFiles(
      context: context, folder: folder, digest: destination.digest, source: key.identity)
  }

  private func isTaken(_ name: String, _ folder: any DiskFolder) throws(FileFailure) -> Bool {
    // A name that was taken a moment ago is found taken when the part is published.
    if destination.existing == .rename,
      try disk({ () throws(DiskError) in try !context.index.mayHave(name, in: folder) })
    {
      return false
    }
    if try disk({ () throws(DiskError) in try folder.status(name) }) != nil { return true }
    return try hasTwin(name, folder)
  }

  /// Whether a name is there that differs by case or Unicode form only.
  private func hasTwin(_ name: String, _ folder: any DiskFolder) throws(FileFailure) -> Bool {
    try disk { () throws(DiskError) in try context.index.hasTwin(name, in: folder) }
  }

  private func attempt(
    _ stem: String, _ number: Int, _ folder: any DiskFolder
  ) throws(FileFailure) -> Attempt {
    let outcome = try disk { () throws(DiskError) in
      try PartLock.acquire(PartNames.part(stem), in: folder, identity: key.identity, create: true)
    }
    switch outcome {
    case .heldBySameSource: throw .inUse(path(PartNames.part(stem)))
    case .heldByOther, .missing, .blocked: return .taken
    case .locked(let file, let status):
      return try use(stem, number, folder, file, status)
    }
  }

  /// Decides what to do with a part that is locked now: it may be new, stale, or another's.
  private func use(
    _ stem: String, _ number: Int, _ folder: any DiskFolder, _ file: any DiskFile,
    _ status: FileStatus
  ) throws(FileFailure) -> Attempt {
    let name = PartNames.journal(stem)
    // The bytes are those of another name, too, and would be cut off under it.
    if status.linkCount > 1 { return .taken }
    // Whoever has the part's lock is alone with its journal.
    var lossReason: RestartReason? = status.byteCount > 0 ? .journalMissing : nil
    if let there = try disk({ () throws(DiskError) in try folder.status(name) }) {
      let old = try disk { () throws(DiskError) in
        try Journal.open(name, in: folder, crypto: context.crypto)
      }
      let isOrphan = old.map { status.byteCount == 0 && !isPublished($0.record, folder) } ?? false
      if let old, old.header.sourceDigest != key.digest, !isOrphan {
        guard number == 0, mayBeAdopted(old.record) else {
          // Made a moment ago in the place of one that was published, and of no use to anybody.
          if status.byteCount == 0 { try? folder.remove(PartNames.part(stem)) }
          return .taken
        }
        return .done(.part(try adopt(old, stem, folder, file, status)))
      }
      if old == nil, there.kind != .regular {
        if status.byteCount == 0 { try? folder.remove(PartNames.part(stem)) }
        return .taken
      }
      if status.byteCount > 0 {
        lossReason = old == nil ? Journal.reasonNotToRead(name, in: folder, context.crypto) : nil
      }
      // Nothing vouches for these bytes, or they are our own of a run that is given up.
      try disk { () throws(DiskError) in
        try folder.remove(name)
        // An old journal must not come back after a power cut and speak of the new bytes.
        if old != nil, destination.isDurable { try folder.sync() }
      }
    }
    if status.byteCount > 0 {
      try disk { () throws(DiskError) in try file.truncate(to: 0) }
    }
    let part = PartFile(
      context: context, folder: folder, destination: destination, header: header, stem: stem,
      plannedName: takesNextName ? stem : requested, file: file,
      identity: status, journal: nil, version: version, claims: ClaimMap(),
      lossReason: lossReason)
    do {
      try part.makeRoom(file, total: version.total)
    } catch {
      part.close(.discard)
      throw error
    }
    context.index.noteName(stem, in: folder)
    return .done(.part(part))
  }

  private func mayBeAdopted(_ record: JournalRecord) -> Bool {
    // With a note it was checked for its own source, and waits for its name only.
    guard mayAdopt, record.isBelieved(bootID: context.bootID), record.note == nil,
      !record.claims.isEmpty, let total = version.total
    else { return false }
    // A name that two servers give to two files says less than one that the owner chose.
    let isSameName =
      destination.name != nil
      || version.validator != nil && record.version.validator == version.validator
    return record.version.total == total && isSameName
  }

  /// Whether a journal without a part is that of a file that was just published, and not one whose
  /// part somebody removed.
  private func isPublished(_ record: JournalRecord, _ folder: any DiskFolder) -> Bool {
    guard let note = record.note, let there = try? folder.status(note.name) else { return false }
    return there.inode == note.inode
  }

  private func adopt(
    _ old: Journal, _ stem: String, _ folder: any DiskFolder, _ file: any DiskFile,
    _ status: FileStatus
  ) throws(FileFailure) -> PartFile {
    var journal = old
    try disk { () throws(DiskError) in
      try journal.rewriteHeader(header)
      if destination.isDurable { try journal.sync() }
    }
    let part = PartFile.opening(
      context: context, folder: folder, destination: destination, stem: stem, file: file,
      status: status, journal: journal)
    try part.makeRoom(file, total: version.total)
    return part
  }

  private var header: JournalHeader {
    JournalHeader(
      sourceDigest: key.digest, redactedURL: source.redactedURL, requestedName: requested)
  }

  private func path(_ name: String) -> String {
    PartNames.path(destination.folder, name)
  }
}
