import HaulSystem
import HaulTransfer

/// Removes the note of a publishing once the owner has recorded the file.
struct NoteSettling {
  let context: FilesContext
  let key: SourceKey
  let place: FilePlace

  init(context: FilesContext, source: SourceIdentity, path: String) {
    self.context = context
    key = SourceKey(source, crypto: context.crypto)
    place = FilePlace(path)
  }

  func settle() throws(FileFailure) {
    guard let folder = try context.disk.folder(at: place.folder) else { return }
    // Nearly always it lies at the name itself.
    if try settle(place.name, folder) { return }
    var stems: [String] = []
    try disk { () throws(DiskError) in
      try folder.forEachName { name in
        if let stem = PartNames.stem(ofJournal: name), stem != place.name { stems.append(stem) }
      }
    }
    for stem in stems {
      if try settle(stem, folder) { return }
    }
  }

  /// Whether the note lay at a stem.
  private func settle(_ stem: String, _ folder: any DiskFolder) throws(FileFailure) -> Bool {
    let journal = try disk { () throws(DiskError) in
      try Journal.open(
        PartNames.journal(stem), in: folder, crypto: context.crypto, source: key.digest)
    }
    guard let journal, let note = journal.record.note, note.name == place.name else { return false }
    try disk { () throws(DiskError) in
      if let part = try folder.status(PartNames.part(stem)) {
        // Not renamed yet, or begun anew. An empty one belongs to somebody who only looked at the name.
        guard part.byteCount == 0, part.inode != note.inode else { return }
      }
      try journal.remove()
    }
    return true
  }
}
