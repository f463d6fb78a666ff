import HaulSystem
import HaulTransfer

extension PartFinder {
  /// Removes every part and journal of the source, and never a published file.
  ///
  /// A part without a journal says nothing of its source. The one at the owner's name is removed all the
  /// same when nobody has it: nothing vouches for its bytes, and the next transfer would empty it.
  func discard() throws(FileFailure) {
    guard let folder = try context.disk.folder(at: destination.folder) else { return }
    for stem in try stems(in: folder) where try openJournal(stem, folder) != nil {
      try discard(stem, folder) { () throws(FileFailure) in try openJournal(stem, folder) }
    }
    guard let name = destination.name else { return }
    let isAlone = try disk { () throws(DiskError) in
      try folder.status(PartNames.journal(name)) == nil
    }
    if isAlone, case .locked(let file, let status) = try lockUnlessInUse(name, folder) {
      // A journal may have come until the part was locked.
      let hasJournal = try disk { () throws(DiskError) in
        try folder.status(PartNames.journal(name)) != nil
      }
      if !hasJournal, status.linkCount == 1 { try remove(name, folder) }
      file.unlock()
    }
  }

  private func discard(
    _ stem: String, _ folder: any DiskFolder, _ openJournal: () throws(FileFailure) -> Journal?
  ) throws(FileFailure) {
    switch try lock(stem, folder) {
    case .heldBySameSource, .heldByOther:
      throw .inUse(PartNames.path(destination.folder, PartNames.part(stem)))
    case .blocked: return
    case .missing:
      guard let journal = try openJournal() else { return }
      try disk { () throws(DiskError) in try journal.remove() }
    case .locked(let file, _):
      defer { file.unlock() }
      // What the journal said before the lock may have changed until then.
      guard let journal = try openJournal() else { return }
      // It goes first, so that it never vouches for another part of the same name.
      try disk { () throws(DiskError) in try journal.remove() }
      try remove(stem, folder)
    }
  }

  /// Locks the part at the owner's name; one that another source has is none of ours.
  private func lockUnlessInUse(
    _ stem: String, _ folder: any DiskFolder
  ) throws(FileFailure) -> PartLock.Outcome {
    let outcome = try lock(stem, folder)
    if case .heldBySameSource = outcome {
      throw .inUse(PartNames.path(destination.folder, PartNames.part(stem)))
    }
    return outcome
  }

  /// Removes a part whose lock is held, so that nobody has begun another one of its name.
  private func remove(_ stem: String, _ folder: any DiskFolder) throws(FileFailure) {
    try disk { () throws(DiskError) in try folder.remove(PartNames.part(stem)) }
  }
}
