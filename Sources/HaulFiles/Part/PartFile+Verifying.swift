import HaulSystem
import HaulTransfer
import Synchronization

extension PartFile {
  /// Reads what the journal claimed, once, and returns what differs; that counts as missing.
  func verifyStored() throws(FileFailure) -> IntervalSet {
    let file = try openFile()
    let claims = state.withLock { $0.claims }
    // Ascending, so that digests can take in what is read here.
    let spans =
      (claims.whole.intervals.map { ($0, nil) } + claims.fragments.map { ($0.range, $0) })
      .sorted { $0.0.lowerBound < $1.0.lowerBound } as [(Range<Int64>, BlockFragment?)]
    for (range, fragment) in spans {
      if let fragment {
        verify(fragment, file)
      } else {
        verifyBlocks(range, claims.pending, file)
      }
    }
    // A part that was closed meanwhile has nothing to say.
    _ = try openFile()
    return state.withLock { state in
      var differing = state.stored
      differing.subtract(state.sound)
      for range in differing.intervals { state.claims.forget(range) }
      state.stored.subtract(differing)
      return differing
    }
  }

  private func verifyBlocks(
    _ range: Range<Int64>, _ pending: [Int64: UInt64], _ file: any DiskFile
  ) {
    let blocks = range.lowerBound / BlockLayout.size..<range.upperBound / BlockLayout.size
    var table: [UInt64] = []
    var tableStart = blocks.lowerBound
    for block in blocks {
      if block >= tableStart + Int64(table.count) {
        tableStart = block
        table = checksums(block..<min(blocks.upperBound, block + 1024))
      }
      // Without an entry nothing vouches for the block, and it stays unverified.
      let index = Int(block - tableStart)
      guard let checksum = pending[block] ?? (index < table.count ? table[index] : nil) else {
        continue
      }
      let offset = BlockLayout.range(of: block).lowerBound
      verify(
        BlockFragment(offset: offset, length: BlockLayout.size, checksum: checksum), file)
    }
  }

  private func verify(_ piece: BlockFragment, _ file: any DiskFile) {
    let (isStored, generation, epoch) = state.withLock { state in
      let isStored =
        state.file != nil && state.stored.contains(piece.range)
        && !state.sound.contains(piece.range)
      return (isStored, state.generation, state.epoch)
    }
    // A piece that cannot be read is as good as a piece that differs.
    guard isStored, let bytes = try? file.bytes(at: piece.offset, count: Int(piece.length)),
      bytes.count == Int(piece.length),
      context.crypto.checksum(of: bytes[...]) == piece.checksum
    else { return }
    let isCurrent = state.withLock { state in
      // Restarted meanwhile: these are bytes of the former version.
      guard state.generation == generation else { return false }
      state.sound.insert(piece.range)
      return true
    }
    if isCurrent { feedDigests(bytes, at: piece.offset, epoch: epoch) }
  }

  /// Some entries of the journal's table; none when it cannot be read.
  private func checksums(_ blocks: Range<Int64>) -> [UInt64] {
    keeper.withLock { keeper in
      guard let journal = keeper.journal else { return [] }
      return (try? journal.checksums(blocks)) ?? []
    }
  }
}
