import HaulSystem
import HaulTransfer
import Synchronization

extension PartFile {
  /// Gives the part up and releases its lock.
  ///
  /// What cannot be removed is left: without a journal nothing vouches for it.
  func close(_ disposition: PartialDisposition) {
    guard state.withLock({ $0.file }) != nil else { return }
    keeper.withLock { keeper in
      switch disposition {
      case .keep:
        let isClaiming = keeper.journal.map { !$0.record.claims.isEmpty } ?? false
        if !isClaiming { remove(&keeper) }
      case .discard:
        remove(&keeper)
      case .bad:
        if destination.keepsBadFile {
          try? keeper.journal?.remove()
          keepBad()
        } else {
          remove(&keeper)
        }
      }
      keeper.journal = nil
    }
    giveUpFile()
    context.space.release(promiseID)
  }

  /// Releases the lock at once: a job that still runs, or a child process that was being started,
  /// may keep the descriptor for a moment.
  func giveUpFile() {
    let file = state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
    file?.unlock()
  }

  /// The journal goes first, so that it never vouches for another part of the same name.
  private func remove(_ keeper: inout Keeper) {
    try? keeper.journal?.remove()
    if isOurs(partName) { try? folder.remove(partName) }
  }

  private func keepBad() {
    guard isOurs(partName) else { return }
    let bad = PartNames.bad(plannedName)
    do {
      try folder.rename(partName, to: bad, replacing: true)
    } catch {
      try? folder.remove(partName)
    }
  }

  /// Whether the name still stands for the open part.
  func isOurs(_ name: String) -> Bool {
    guard let there = try? folder.status(name) else { return false }
    return there.inode == identity.inode && there.device == identity.device
  }
}

extension JournalRecord {
  /// Every byte that is claimed.
  var claims: IntervalSet {
    var result = IntervalSet(whole)
    for fragment in fragments { result.insert(fragment.range) }
    return result
  }
}
