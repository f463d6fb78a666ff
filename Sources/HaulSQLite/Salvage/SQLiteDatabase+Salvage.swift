public import HaulRecords
public import HaulSystem

extension SQLiteDatabase {
  /// Sets a damaged database aside and saves what can be read of it into a new one, which then stands
  /// under the same path.
  ///
  /// The damaged one is kept, with its log, as `NAME.damaged` or with a number behind; an earlier one is
  /// never replaced. At every moment, also after a crash, either the damaged database or the new one
  /// stands under the path, or the next opening puts the new one there.
  ///
  /// Nobody may have the database open: it has to be closed first, and the lock on its folder kept.
  ///
  /// - Parameters:
  ///   - path: The damaged database.
  ///   - disk: The disk that it is on.
  /// - Returns: How many records were saved, and which were not.
  /// - Throws: `foreign` and `newerVersion` for what is not ours to repair, `locked` while somebody has
  ///   it open; `diskFull` and what else befalls the new one. The damaged one is as it was then.
  public static func salvage(
    path: String, disk: any Disk = PosixDisk()
  ) throws(DatabaseFailure) -> Salvage {
    let file = try DatabaseFile(path, disk: disk)
    try file.finishSalvage()
    do throws(DatabaseFailure) {
      guard try file.inspect() else {
        throw DatabaseFailure(
          code: .failed,
          message: "There is no list of downloads \u{201C}\(file.path)\u{201D} to save anything of."
        )
      }
    } catch {
      guard error.code == .corrupt else { throw error }
    }
    // SQLite would delete the log of an empty file.
    let isReadable = try file.onDisk { () throws(DiskError) in
      try file.folder.status(file.name).map { $0.byteCount > 0 } ?? false
    }
    var saved = 0
    var lost = [UnreadableRecord(name: "the whole list", id: nil, reason: "its file is empty")]
    try file.makeDraft { new throws(DatabaseFailure) in
      guard isReadable else { return }
      try new.transaction(writing: true) { () throws(DatabaseFailure) in
        (saved, lost) = try harvest(file.path, into: new)
      }
    }
    try file.onDisk { () throws(DiskError) in
      // Reading made an empty log where there was none; it is no part of what is set aside.
      if let log = try file.folder.status(file.name + "-wal"), log.byteCount == 0 {
        for end in DatabaseFile.companions { try file.folder.remove(file.name + end) }
      }
      // From here on the salvage is decided, and whoever opens the database completes it.
      try file.folder.rename(file.draft, to: file.saved, replacing: false)
      try file.folder.sync()
    }
    let aside = try file.finishSalvage() ?? ""
    return Salvage(setAside: aside, saved: saved, lost: lost)
  }

  private static func harvest(
    _ path: String, into new: Connection
  ) throws(DatabaseFailure) -> (saved: Int, lost: [UnreadableRecord]) {
    let old: Connection
    do throws(DatabaseFailure) {
      old = try Connection(path, .readOnly, busyMilliseconds: busyMilliseconds)
      try old.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    } catch {
      guard error.code == .corrupt else { throw error }
      return (0, [UnreadableRecord(name: "the whole list", id: nil, reason: "it cannot be opened")])
    }
    var harvest = RowHarvest(old)
    var saved = 0
    var failure: DatabaseFailure?
    try harvest.run { record in
      do throws(DatabaseFailure) {
        try new.insert(record)
        saved += 1
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    return (saved, harvest.lost)
  }
}
