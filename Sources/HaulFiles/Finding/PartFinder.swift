import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks for what an earlier run left of a source.
struct PartFinder {
  enum Found {
    case nothing
    case part(PartFile)
    case published(PublishedFile)
    case existing(path: String)
    case likely(LikelyFile)
  }

  let context: FilesContext
  let source: SourceIdentity
  let destination: Destination
  let key: SourceKey

  init(context: FilesContext, source: SourceIdentity, destination: Destination) {
    self.context = context
    self.source = source
    self.destination = destination
    key = SourceKey(source, crypto: context.crypto)
  }

  func find() throws(FileFailure) -> Found {
    guard let folder = try context.disk.folder(at: destination.folder) else { return .nothing }
    if let path = existing(in: folder) { return .existing(path: path) }
    let likely = likely(in: folder)
    for stem in try stems(in: folder) {
      guard let journal = try openJournal(stem, folder) else { continue }
      switch try lock(stem, folder) {
      case .locked(let file, let status):
        // What the journal said before the lock may have changed until then.
        guard let journal = try openJournal(stem, folder) else { continue }
        // Another source that wanted the name of a published file may have died before it removed its part.
        if status.byteCount == 0, journal.record.note?.inode != status.inode,
          let published = try recognise(journal, folder)
        {
          try? folder.remove(PartNames.part(stem))
          return .published(published)
        }
        // It would be another copy of a file that is there, and most likely the same.
        if let likely, likely.isOf(journal.record.version) { continue }
        try checkName(journal.header.requestedName, folder)
        let found = try take(stem, folder, file, status, journal)
        if case .nothing = found { continue }
        return found
      case .heldBySameSource, .heldByOther:
        throw .inUse(PartNames.path(destination.folder, PartNames.part(stem)))
      case .missing:
        if let published = try recognise(journal, folder) { return .published(published) }
        try disk { () throws(DiskError) in try journal.remove() }
      case .blocked:
        continue
      }
    }
    return likely.map { .likely($0) } ?? .nothing
  }

  /// A file that is kept because it has the digest, so that nothing needs to be asked for.
  private func existing(in folder: any DiskFolder) -> String? {
    guard destination.existing == .skip, let digest = destination.digest, let name = expectedName
    else { return nil }
    let files = ExistingFiles(
      context: context, folder: folder, digest: digest, source: key.identity)
    return files.likeness(of: name, to: FileVersion()) != nil
      ? PartNames.path(destination.folder, name) : nil
  }

  /// A file that may be the same, when nothing but size and time can tell.
  private func likely(in folder: any DiskFolder) -> LikelyFile? {
    guard destination.existing == .skip, destination.digest == nil, let name = expectedName,
      let there = try? folder.status(name), there.kind == .regular,
      context.owners.mayBelong(there, to: key.identity)
    else { return nil }
    return LikelyFile(byteCount: there.byteCount, modified: there.modified)
  }

  /// With the policy `fail`, a name that is taken is no reason to fetch first and fail then.
  private func checkName(_ name: String, _ folder: any DiskFolder) throws(FileFailure) {
    guard destination.existing == .fail else { return }
    let there = try disk { () throws(DiskError) in try folder.status(name) }
    if there != nil { throw .exists(PartNames.path(destination.folder, name)) }
  }

  private var expectedName: String? {
    destination.name ?? destination.likelyName.map(TargetName.harmless)
  }

  /// The stems of all journals, the one at the owner's name first.
  func stems(in folder: any DiskFolder) throws(FileFailure) -> [String] {
    let stems = try disk { () throws(DiskError) in try context.index.stems(in: folder) }
    guard let name = destination.name else { return stems }
    // A name that is not there costs one call, and listing cannot have missed it.
    return [name] + stems.filter { $0 != name }
  }

  /// The journal at a stem, if it is one of this source and of the owner's name.
  func openJournal(
    _ stem: String, _ folder: any DiskFolder
  ) throws(FileFailure) -> Journal? {
    let journal = try disk { () throws(DiskError) in
      try Journal.open(
        PartNames.journal(stem), in: folder, crypto: context.crypto, source: key.digest)
    }
    guard let journal,
      destination.name == nil || destination.name == journal.header.requestedName
    else { return nil }
    return journal
  }

  func lock(
    _ stem: String, _ folder: any DiskFolder
  ) throws(FileFailure) -> PartLock.Outcome {
    try disk { () throws(DiskError) in
      try PartLock.acquire(
        PartNames.part(stem), in: folder, identity: key.identity, create: false)
    }
  }

  /// Makes a part of what is locked; finishes it when it was complete.
  private func take(
    _ stem: String, _ folder: any DiskFolder, _ file: any DiskFile, _ status: FileStatus,
    _ journal: Journal
  ) throws(FileFailure) -> Found {
    let part = PartFile.opening(
      context: context, folder: folder, destination: destination, stem: stem, file: file,
      status: status, journal: journal)
    if let note = journal.record.note, journal.record.isBelieved(bootID: context.bootID),
      note.inode == status.inode, note.byteCount == status.byteCount,
      try part.verifyStored().isEmpty, part.isWhole(note.byteCount)
    {
      return .published(
        try part.publish(byteCount: note.byteCount, version: journal.record.version))
    }
    // No room is no reason to hide the part; it is said when something is to be written.
    try? part.makeRoom(file, total: part.version.total)
    return .part(part)
  }

  /// A file that was published just before its journal could be removed.
  ///
  /// Number and size of the file say that it is the one; its bytes are compared with the
  /// checksums nevertheless, since it may have been changed or replaced by now.
  private func recognise(
    _ journal: Journal, _ folder: any DiskFolder
  ) throws(FileFailure) -> PublishedFile? {
    let record = journal.record
    guard let note = record.note, record.isBelieved(bootID: context.bootID),
      let file = try? folder.open(note.name, .read), let status = try? file.status(),
      status.inode == note.inode, status.byteCount == note.byteCount
    else { return nil }
    let image = PartFile.opening(
      context: context, folder: folder, destination: destination, stem: note.name, file: file,
      status: status, journal: journal)
    guard try image.verifyStored().isEmpty, image.isWhole(note.byteCount) else { return nil }
    if destination.isDurable {
      // The rename may not have been durable when the former run ended.
      try disk { () throws(DiskError) in try folder.sync() }
    }
    if !keepsNote(of: record.version) {
      try disk { () throws(DiskError) in try journal.remove() }
    }
    return PublishedFile(
      path: PartNames.path(destination.folder, note.name),
      wantedName: journal.header.requestedName, byteCount: note.byteCount, version: record.version)
  }
}

extension PartFinder {
  /// Whether the owner waits for the note, and the file is the one that is wanted today: where another
  /// digest is asked for the file is fetched again, and the old note would be found instead of the new one.
  private func keepsNote(of version: FileVersion) -> Bool {
    guard destination.isRecorded else { return false }
    return destination.digest.map { version.digests.contains($0) } ?? (destination.pieces == nil)
  }
}

extension LikelyFile {
  /// Whether it has the size and the time of a version.
  fileprivate func isOf(_ version: FileVersion) -> Bool {
    version.total == byteCount && version.lastModified == modified
  }
}

extension PartFile {
  /// A part with the claims of its journal, as far as they are believed and the part reaches.
  static func opening(
    context: FilesContext, folder: any DiskFolder, destination: Destination, stem: String,
    file: any DiskFile, status: FileStatus, journal: Journal
  ) -> PartFile {
    let record = journal.record
    let isBelieved = record.isBelieved(bootID: context.bootID)
    let claims =
      isBelieved
      ? ClaimMap(whole: record.whole, fragments: record.fragments, byteCount: status.byteCount)
      : ClaimMap()
    let lossReason: RestartReason? =
      if status.byteCount == 0 {
        nil
      } else if journal.isDamaged {
        .journalDamaged
      } else {
        isBelieved ? nil : .notDurable
      }
    return PartFile(
      context: context, folder: folder, destination: destination, header: journal.header,
      stem: stem,
      plannedName: destination.existing.takesNextName ? stem : journal.header.requestedName,
      file: file, identity: status, journal: journal,
      version: isBelieved ? record.version : FileVersion(), claims: claims,
      lossReason: lossReason)
  }

  /// Whether every byte was written or verified since the part was opened.
  func isWhole(_ byteCount: Int64) -> Bool {
    state.withLock { $0.sound.contains(0..<max(0, byteCount)) }
  }
}
