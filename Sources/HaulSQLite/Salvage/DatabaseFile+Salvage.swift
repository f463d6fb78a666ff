import HaulRecords
import HaulSystem

extension DatabaseFile {
  /// Completes a salvage: when what was saved stands there, the damaged database goes aside and the new
  /// one takes its place. A crash in between is made good by the next call.
  ///
  /// - Returns: Where the damaged database lies now, or nil when there is nothing to complete.
  @discardableResult
  func finishSalvage() throws(DatabaseFailure) -> String? {
    try onDisk { () throws(DiskError) in
      guard try folder.status(saved) != nil else { return nil }
      let aside = try nameForDamaged()
      // The database itself goes last: as long as it stands there, the rest is looked for.
      for end in Self.companions + [""] where try folder.status(name + end) != nil {
        try folder.rename(name + end, to: aside + end, replacing: false)
      }
      // The old names are gone for certain before the new database has them, so that it never meets a
      // log that is not its own.
      try folder.sync()
      try folder.rename(saved, to: name, replacing: false)
      try folder.sync()
      return place(aside)
    }
  }

  /// `NAME.damaged`, or with a number that none has yet. One whose log alone was moved there is gone on
  /// with.
  private func nameForDamaged() throws(DiskError) -> String {
    var number = 1
    while true {
      let aside = name + (number == 1 ? ".damaged" : ".damaged-\(number)")
      var isFree = try folder.status(aside) == nil
      for end in Self.companions where isFree {
        let isTaken = try folder.status(aside + end) != nil
        let isWanted = try folder.status(name + end) != nil
        isFree = !(isTaken && isWanted)
      }
      if isFree { return aside }
      number += 1
    }
  }
}
