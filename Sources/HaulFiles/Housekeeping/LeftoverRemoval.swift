import HaulHTTP
import HaulSystem
import HaulTransfer

/// Removes a part and a journal that were listed, if they are still what they were.
struct LeftoverRemoval {
  let context: FilesContext
  let leftover: Leftover

  func remove() throws(FileFailure) {
    guard let (place, stem) = try placeAndStem(),
      let folder = try context.disk.folder(at: place.folder)
    else { return }
    // Also where only a journal was listed: a part of its name may be on its way by now.
    let outcome = try disk { () throws(DiskError) in
      try PartLock.acquire(
        PartNames.part(stem), in: folder, identity: identity, create: false)
    }
    switch outcome {
    case .heldBySameSource, .heldByOther:
      throw .inUse(PartNames.path(place.folder, PartNames.part(stem)))
    case .blocked: throw .hasChanged(PartNames.path(place.folder, PartNames.part(stem)))
    case .missing: try removeJournal(stem, place, folder)
    case .locked(let file, let status):
      defer { file.unlock() }
      guard Leftover.Stamp(status) == leftover.part else {
        throw .hasChanged(PartNames.path(place.folder, PartNames.part(stem)))
      }
      // It goes first, so that it never vouches for another part of the same name.
      try removeJournal(stem, place, folder)
      try disk { () throws(DiskError) in try folder.remove(PartNames.part(stem)) }
    }
  }

  private func removeJournal(
    _ stem: String, _ place: FilePlace, _ folder: any DiskFolder
  ) throws(FileFailure) {
    let name = PartNames.journal(stem)
    guard let there = try disk({ () throws(DiskError) in try folder.status(name) }) else { return }
    guard there.kind == .regular, Leftover.Stamp(there) == leftover.journal else {
      throw .hasChanged(PartNames.path(place.folder, name))
    }
    try disk { () throws(DiskError) in try folder.remove(name) }
  }

  /// Where it lies; nil when it names nothing.
  private func placeAndStem() throws(FileFailure) -> (FilePlace, String)? {
    let part = leftover.partPath.map { FilePlace($0) }
    let journal = leftover.journalPath.map { FilePlace($0) }
    guard let place = part ?? journal else { return nil }
    let stems = [
      part.map { PartNames.stem(ofPart: $0.name) },
      journal.map { PartNames.stem(ofJournal: $0.name) },
    ].compactMap(\.self)
    // Whatever was made of the description, only what has names of ours is removed.
    guard let first = stems.first, let stem = first, stems.allSatisfy({ $0 == stem }),
      (journal ?? place).folder == place.folder
    else { throw .hasChanged(PartNames.path(place.folder, place.name)) }
    return (place, stem)
  }

  /// The mark of its source; where that is not known, one that no source has.
  private var identity: UInt64 {
    leftover.sourceDigest.map { SourceKey($0.bytes).identity } ?? 0
  }
}

extension FileFailure {
  static func hasChanged(_ path: String) -> FileFailure {
    FileFailure(
      code: .inUse,
      message: "\u{201C}\(path)\u{201D} is not what was listed any more, so it was not removed. "
        + "List its folder again.")
  }
}
