import HaulHTTP
import HaulSystem
import HaulTransfer

/// Describes the parts and journals of a folder, of whatever source, without locking or changing anything.
struct LeftoverLister {
  let context: FilesContext
  let path: String

  func list() throws(FileFailure) -> [Leftover] {
    guard let folder = try context.disk.folder(at: path) else { return [] }
    var stems: Set<String> = []
    try disk { () throws(DiskError) in
      try folder.forEachName { name in
        if let stem = PartNames.stem(ofPart: name) ?? PartNames.stem(ofJournal: name) {
          stems.insert(stem)
        }
      }
    }
    var leftovers: [Leftover] = []
    for stem in stems.sorted() {
      if let leftover = try disk({ () throws(DiskError) in try describe(stem, folder) }) {
        leftovers.append(leftover)
      }
    }
    return leftovers
  }

  /// Nil when nothing is there any more, or what is there is none of ours, such as a link.
  private func describe(_ stem: String, _ folder: any DiskFolder) throws(DiskError) -> Leftover? {
    let part = try regular(PartNames.part(stem), folder)
    let journal = try regular(PartNames.journal(stem), folder)
    guard part != nil || journal != nil else { return nil }
    var leftover = Leftover()
    if let part {
      leftover.partPath = PartNames.path(path, PartNames.part(stem))
      leftover.part = Leftover.Stamp(part)
      leftover.isInUse =
        try (try? folder.open(PartNames.part(stem), .read))?.isHeld() ?? false
    }
    if let journal {
      leftover.journalPath = PartNames.path(path, PartNames.journal(stem))
      leftover.journal = Leftover.Stamp(journal)
      if let journal = try Journal.open(
        PartNames.journal(stem), in: folder, crypto: context.crypto)
      {
        fill(&leftover, journal, part, folder)
      }
    }
    return leftover
  }

  private func regular(
    _ name: String, _ folder: any DiskFolder
  ) throws(DiskError) -> FileStatus? {
    guard let status = try folder.status(name), status.kind == .regular else { return nil }
    return status
  }

  private func fill(
    _ leftover: inout Leftover, _ journal: Journal, _ part: FileStatus?, _ folder: any DiskFolder
  ) {
    let (header, record) = (journal.header, journal.record)
    leftover.url = header.redactedURL
    leftover.isWholeURL = isWhole(header)
    leftover.sourceDigest = Digest(algorithm: .sha256, bytes: header.sourceDigest)
    leftover.requestedName = header.requestedName
    guard record.isBelieved(bootID: context.bootID) else { return }
    leftover.total = record.version.total
    if let part {
      leftover.received =
        ClaimMap(whole: record.whole, fragments: record.fragments, byteCount: part.byteCount)
        .intervals.byteCount
    }
    if let note = record.note, part?.inode != note.inode,
      let file = try? folder.status(note.name), file.kind == .regular,
      file.inode == note.inode, file.byteCount == note.byteCount
    {
      leftover.publishedPath = PartNames.path(path, note.name)
      leftover.received = note.byteCount
      leftover.total = note.byteCount
    }
  }

  /// Whether the address that is shown is the one that the part comes from.
  private func isWhole(_ header: JournalHeader) -> Bool {
    guard let url = try? HTTPURL(parsing: header.redactedURL) else { return false }
    let source = SourceIdentity(url: url.identityText, redactedURL: header.redactedURL)
    return SourceKey(source, crypto: context.crypto).digest == header.sourceDigest
  }
}

extension Leftover.Stamp {
  init(_ status: FileStatus) {
    self.init(
      device: status.device, inode: status.inode, byteCount: status.byteCount,
      modified: status.modified)
  }
}
