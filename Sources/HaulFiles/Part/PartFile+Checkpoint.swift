import HaulSystem
import HaulTransfer
import Synchronization

extension PartFile {
  /// Makes all completed writes durable, then says so in the journal, durably: two syncs.
  ///
  /// One that was asked for before a restart, and gets its turn after it, does nothing: its
  /// version is not the one of the bytes that are there by then.
  func checkpoint(_ version: FileVersion, generation: UInt64? = nil) throws(FileFailure) {
    let file = try openFile()
    try keeper.withLock { (keeper) throws(FileFailure) in
      let isCurrent = state.withLock { state in
        guard generation == nil || state.generation == generation else { return false }
        state.version = version
        return true
      }
      guard isCurrent else { return }
      try record(&keeper, file, version, note: nil)
    }
    if let total = version.total, let status = try? file.status() {
      context.space.update(promiseID, remaining: total - status.allocatedBytes)
    }
  }

  /// One checkpoint. After a sync that failed, no other is tried through this descriptor: the
  /// kernel may have dropped the bytes and would then report success.
  func record(
    _ keeper: inout Keeper, _ file: any DiskFile, _ version: FileVersion, note: PublishingNote?
  ) throws(FileFailure) {
    if let failure = keeper.failure { throw failure }
    mergeBlocks(file)
    do {
      try recordClaims(&keeper, file, version, note)
    } catch {
      guard error.code == .diskFull, keeper.failure == nil, giveUpEnd(file) else { throw error }
      try recordClaims(&keeper, file, version, note)
    }
  }

  /// Gives up the last bytes of a part that has no room for more, so that there is some for its journal:
  /// without one, none of them would be of any use. False when that would leave none.
  private func giveUpEnd(_ file: any DiskFile) -> Bool {
    guard let cut = state.withLock(\.endWithRoomForJournal) else { return false }
    do {
      // The claims first: bytes that are gone must not be vouched for.
      state.withLock { $0.giveUp(from: cut) }
      runs.withLock { $0.reset() }
      try file.truncate(to: cut)
      // Some file systems give room back only when that is durable.
      if destination.isDurable { try file.sync() }
      return true
    } catch {
      return false
    }
  }

  private func recordClaims(
    _ keeper: inout Keeper, _ file: any DiskFile, _ version: FileVersion, _ note: PublishingNote?
  ) throws(FileFailure) {
    let claims = state.withLock { $0.claims }
    // A part that was deleted has no use for a journal, and whose part stands there now has its own.
    let isNeeded = note != nil || !claims.isEmpty
    if keeper.journal == nil, !isNeeded || !isOurs(partName) { return }
    if destination.isDurable { try sync(&keeper) { () throws(DiskError) in try file.sync() } }
    var record = JournalRecord(version: version)
    record.isDurable = destination.isDurable
    record.bootID = context.bootID ?? []
    record.note = note
    record.whole = claims.whole.intervals
    record.fragments = claims.fragments

    var journal = try disk { () throws(DiskError) in
      if let journal = keeper.journal { return journal }
      return try Journal.create(
        PartNames.journal(stem), in: folder, header: header, crypto: context.crypto)
    }
    keeper.journal = journal
    context.index.noteJournal(stem, in: folder)
    try disk { () throws(DiskError) in
      try journal.write(record, entries: claims.pending)
    }
    keeper.journal = journal
    if destination.isDurable {
      let isFolderSynced = keeper.isFolderSynced
      try sync(&keeper) { () throws(DiskError) in
        try journal.sync()
        // The first time also the names: those of the part and of the journal.
        if !isFolderSynced { try folder.sync() }
      }
      keeper.isFolderSynced = true
    }
    state.withLock { $0.claims.settle(claims.pending) }
  }

  private func sync(
    _ keeper: inout Keeper, _ body: () throws(DiskError) -> Void
  ) throws(FileFailure) {
    do {
      try body()
    } catch {
      let failure = FileFailure(error)
      keeper.failure = failure
      throw failure
    }
  }

  /// Hashes blocks as a whole that several fragments cover, so that fragments stay few. Bytes that
  /// differ from what was written keep their fragments, which then tell on them.
  private func mergeBlocks(_ file: any DiskFile) {
    for (block, fragments) in state.withLock({ $0.claims.coveredBlocks() }) {
      let range = BlockLayout.range(of: block)
      guard
        let bytes = try? file.bytes(at: range.lowerBound, count: Int(BlockLayout.size)),
        bytes.count == Int(BlockLayout.size),
        fragments.allSatisfy({ fragment in
          let start = Int(fragment.offset - range.lowerBound)
          let slice = bytes[start..<start + Int(fragment.length)]
          return context.crypto.checksum(of: slice) == fragment.checksum
        })
      else { continue }
      let checksum = context.crypto.checksum(of: bytes[...])
      state.withLock { $0.claims.merge(block, of: fragments, checksum: checksum) }
    }
  }
}

extension PartFile.State {
  /// As many bytes as a journal takes, with a few more.
  private static let journalRoom: Int64 = 256 << 10

  /// The end of the block that is to be the last one, so that a journal has room; nil when there is none,
  /// or when the part may still grow.
  var endWithRoomForJournal: Int64? {
    guard isFull, let end = claims.intervals.intervals.last?.upperBound else { return nil }
    let cut = (end - min(end, Self.journalRoom)) / BlockLayout.size * BlockLayout.size
    return cut > 0 ? cut : nil
  }

  /// Forgets all bytes from a position on.
  mutating func giveUp(from cut: Int64) {
    let end = claims.intervals.intervals.last?.upperBound ?? cut
    guard cut < end else { return }
    claims.forget(cut..<end)
    sound.remove(cut..<(.max))
    stored.remove(cut..<(.max))
    voidDigests(above: cut)
  }
}
