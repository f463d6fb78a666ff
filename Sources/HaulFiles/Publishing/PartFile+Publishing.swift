import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PartFile {
  /// Makes the whole file durable and gives it its final name; the part is closed after.
  func publish(byteCount: Int64, version: FileVersion) throws(FileFailure) -> PublishedFile {
    let named = try giveFinalName(byteCount: byteCount, version: version)
    if let ticket = named.ticket {
      try disk { () throws(DiskError) in try context.syncs.wait(ticket) }
    }
    endPublishing()
    return named.file
  }

  /// Makes the whole file durable, then gives it its final name, which may not be durable yet.
  func giveFinalName(
    byteCount: Int64, version: FileVersion
  ) throws(FileFailure) -> WholeFile.Named {
    let file = try openFile()
    guard byteCount >= 0, isWhole(byteCount) else { throw .incomplete(partPath) }
    state.withLock { $0.version = version }
    return try keeper.withLock { (keeper) throws(FileFailure) in
      if let failure = keeper.failure { throw failure }
      try settleLength(file, byteCount)
      if let time = version.lastModified {
        // A file system without times, or without this one, does not make the file wrong.
        try? file.setModified(time)
      }
      if keeper.journal != nil || destination.isRecorded {
        claimRest(file, byteCount)
      } else if destination.isDurable {
        try makeDurable(&keeper, file)
      }
      let ticket =
        destination.isDurable
        ? try disk { () throws(DiskError) in try context.syncs.ticket(folder) } : nil
      let name = try giveName(&keeper, file, byteCount, version)
      if destination.existing == .skip {
        _ = context.owners.claim(identity, for: SourceKey(header.sourceDigest).identity)
      }
      giveUpFile()
      context.space.release(promiseID)
      context.index.noteName(name, in: folder)
      let published = PublishedFile(
        path: path(of: name), wantedName: header.requestedName, byteCount: byteCount,
        version: version)
      return WholeFile.Named(file: published, ticket: ticket)
    }
  }

  /// Removes the journal, once the final name is as durable as it is to be; one whose note the owner
  /// waits for stays.
  func endPublishing() {
    keeper.withLock { keeper in
      if destination.isRecorded { return keeper.journal = nil }
      // With the journal left behind, the next run recognises the file and removes it then.
      try? keeper.journal?.remove()
      keeper.journal = nil
    }
  }

  /// Cuts off what was reserved and is not used; a part that is too short is not published.
  private func settleLength(_ file: any DiskFile, _ byteCount: Int64) throws(FileFailure) {
    let length = try disk { () throws(DiskError) in try file.status().byteCount }
    guard length >= byteCount else { throw .incomplete(partPath) }
    guard length > byteCount else { return }
    try disk { () throws(DiskError) in try file.truncate(to: byteCount) }
  }

  private func makeDurable(_ keeper: inout Keeper, _ file: any DiskFile) throws(FileFailure) {
    do {
      try file.sync()
    } catch {
      let failure = FileFailure(error)
      keeper.failure = failure
      throw failure
    }
  }

  /// Renames the part; with a journal, or where there has to be one, each name that is tried is noted in
  /// it first.
  private func giveName(
    _ keeper: inout Keeper, _ file: any DiskFile, _ byteCount: Int64, _ version: FileVersion
  ) throws(FileFailure) -> String {
    var isReplacing = destination.existing == .overwrite
    var name = plannedName
    var number = 0
    while true {
      if isReplacing, !mayReplace(name) {
        isReplacing = false
        (name, number) = try nextName(after: number)
      }
      if keeper.journal != nil || destination.isRecorded {
        let note = PublishingNote(
          name: name, device: identity.device, inode: identity.inode, byteCount: byteCount)
        try record(&keeper, file, version, note: note)
      }
      guard standsAtItsPath else {
        throw FileFailure(DiskError(call: "rename", path: partPath, errno: ENOENT))
      }
      if try rename(to: name, replacing: isReplacing) {
        // Between that look and the renaming another part may have taken the place of this one.
        guard isOurs(name) else { throw .replaced(path(of: name)) }
        return name
      }
      (name, number) = try nextName(after: number)
    }
  }

  /// Whether what stands under a name is not of this run, or of this source. A numbered name was
  /// chosen because it was free.
  private func mayReplace(_ name: String) -> Bool {
    name == header.requestedName
      && context.owners.mayReplace(
        path(of: name), for: SourceKey(header.sourceDigest).identity)
  }

  private func nextName(after last: Int) throws(FileFailure) -> (String, Int) {
    for number in last + 1..<NameChooser.maxNumber {
      let name = FileName.numbered(header.requestedName, number, maxBytes: PartNames.maxBytes)
      if try !isTaken(name) { return (name, number) }
    }
    throw .exists(path(of: header.requestedName))
  }

  /// Renames the part; false when the name is taken and another one may be tried.
  private func rename(to name: String, replacing: Bool) throws(FileFailure) -> Bool {
    do {
      try folder.rename(partName, to: name, replacing: replacing)
      return true
    } catch {
      // A folder is not replaced; one that was there at the start is refused with this code.
      if error.errno == EISDIR { throw .exists(path(of: name)) }
      guard error.errno == EEXIST, !replacing else { throw FileFailure(error) }
      guard destination.existing != .fail else { throw .exists(path(of: name)) }
      return false
    }
  }

  /// Whether the path still leads to this part. Its folder may have been moved, and whoever removed
  /// the part may have begun another one of its name.
  private var standsAtItsPath: Bool {
    guard let there = try? context.disk.status(partName, inFolder: destination.folder)
    else { return false }
    return there.inode == identity.inode && there.device == identity.device
  }

  /// Whether a final name is used, or planned by another part.
  private func isTaken(_ name: String) throws(FileFailure) -> Bool {
    try disk { () throws(DiskError) in
      if try folder.status(name) != nil { return true }
      if name == stem { return false }
      return try folder.status(PartNames.part(name)) != nil
    }
  }

  /// Claims what no checksum covers yet, so that the file can be recognised after a crash.
  ///
  /// These bytes were written by this run or verified by it, and checked by the caller.
  private func claimRest(_ file: any DiskFile, _ byteCount: Int64) {
    let missing = state.withLock { $0.claims.intervals.missing(upTo: byteCount) }
    for range in missing.intervals {
      for block in BlockLayout.index(
        of: range.lowerBound)...BlockLayout.index(
          of: range.upperBound - 1)
      {
        let whole = BlockLayout.range(of: block).clamped(to: 0..<byteCount)
        guard let bytes = try? file.bytes(at: whole.lowerBound, count: whole.count) else { return }
        let fragment = BlockFragment(
          offset: whole.lowerBound, length: Int64(bytes.count),
          checksum: context.crypto.checksum(of: bytes[...]))
        guard !bytes.isEmpty else { return }
        state.withLock { $0.claims.set(fragment, appended: fragment.range) }
      }
    }
  }
}
