import HaulSystem
import HaulTransfer
import Synchronization

extension PartFile {
  /// Writes bytes, and computes their checksums while they are in the cache of the processor.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
    let file = try openFile()
    let (end, overflow) = offset.addingReportingOverflow(Int64(bytes.count))
    guard offset >= 0, !overflow, end <= Int64.max - BlockLayout.size else {
      throw FileFailure(DiskError(call: "pwrite", path: partPath, errno: 27))
    }
    guard end > offset else { return }
    // The caller keeps the buffer alive through this call, here and below.
    do {
      try disk { () throws(DiskError) in try unsafe file.write(bytes, at: offset) }
    } catch {
      if error.code == .diskFull { state.withLock { $0.isFull = true } }
      throw error
    }
    let crypto = context.crypto
    let growths = runs.withLock { unsafe $0.add(bytes, at: offset, crypto: crypto) }
    state.withLock { state in
      for growth in growths { state.claims.set(growth.fragment, appended: growth.appended) }
      state.sound.insert(offset..<end)
      state.voidDigests(above: offset)
    }
  }

  /// Reads bytes that were written before.
  func read(_ range: Range<Int64>) throws(FileFailure) -> [UInt8] {
    let file = try openFile()
    let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard range.lowerBound >= 0, !overflow, count <= 1 << 30 else {
      throw FileFailure(DiskError(call: "pread", path: partPath, errno: 22))
    }
    let bytes = try disk { () throws(DiskError) in
      try file.bytes(at: range.lowerBound, count: Int(count))
    }
    guard bytes.count == count else { throw .incomplete(partPath) }
    return bytes
  }

  /// Sets the total and makes room for it.
  func reserve(total: Int64) throws(FileFailure) {
    let file = try openFile()
    state.withLock { $0.version.total = total }
    try makeRoom(file, total: total)
  }

  /// Forgets every byte: first the journal, durably, then the content.
  func restart(_ version: FileVersion) throws(FileFailure) {
    let file = try openFile()
    try keeper.withLock { (keeper) throws(FileFailure) in
      if let failure = keeper.failure { throw failure }
      try voidJournal(&keeper)
      runs.withLock { $0.reset() }
      state.withLock { state in
        state.version = version
        state.stored = IntervalSet()
        state.claims = ClaimMap()
        state.sound = IntervalSet()
        state.generation += 1
        // Also when nothing was taken in yet: bytes that are being read back are old ones.
        state.digestedEnd = 0
        state.epoch += 1
      }
      try disk { () throws(DiskError) in try file.truncate(to: 0) }
    }
    try makeRoom(file, total: version.total)
  }

  private func voidJournal(_ keeper: inout Keeper) throws(FileFailure) {
    guard var journal = keeper.journal else { return }
    // Also without syncs: an older claim that was durable must not come back after a power cut.
    let mustSync = destination.isDurable || journal.mayHoldDurableClaims
    defer { keeper.journal = journal }
    do {
      try journal.void()
      if mustSync { try journal.sync() }
    } catch {
      let failure = FileFailure(error)
      keeper.failure = failure
      throw failure
    }
  }

  /// A file of at most so many bytes is not reserved room: it is written in one go, and reserving
  /// would cost as much as writing.
  private static let smallest = Int64(TransferBuffer.capacity)

  /// Checks the free space against what all parts on the volume still need, then reserves it.
  func makeRoom(_ file: any DiskFile, total: Int64?) throws(FileFailure) {
    if let total, total <= Self.smallest {
      let free = try disk { () throws(DiskError) in try folder.freeBytes() }
      let isAdmitted = context.space.admit(
        promiseID, device: identity.device, byteCount: total, free: free)
      guard isAdmitted else { throw .diskFull(partPath, need: total, free: free) }
      return
    }
    let (allocated, free) = try disk { () throws(DiskError) in
      (try file.status().allocatedBytes, try folder.freeBytes())
    }
    let need = max(0, (total ?? 0) - allocated)
    let isAdmitted = context.space.admit(
      promiseID, device: identity.device, byteCount: need, free: free)
    guard isAdmitted else { throw .diskFull(partPath, need: need, free: free) }
    guard let total, total > 0 else { return }
    do {
      try file.reserve(0..<total)
      let left = total - (try file.status().allocatedBytes)
      context.space.update(promiseID, remaining: left)
    } catch {
      context.space.release(promiseID)
      if error.errno == 28 { throw .diskFull(partPath, need: need, free: free) }
      throw FileFailure(error)
    }
  }
}

extension PartFile.State {
  /// Makes digests begin anew when they have taken in a byte at or after the offset.
  mutating func voidDigests(above offset: Int64) {
    guard offset < digestedEnd else { return }
    digestedEnd = 0
    epoch += 1
  }
}
