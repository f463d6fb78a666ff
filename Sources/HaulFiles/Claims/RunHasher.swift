import HaulSystem

/// Computes checksums of what is written, as it is written: one for each run of writes that
/// follow each other, so that fast transfers need no second pass over their bytes.
struct RunHasher: @unchecked Sendable {
  // Sendable: its checksums are never handed out, and one thread at a time uses it.

  /// A fragment that is new or has grown, and the bytes that it grew by.
  struct Growth {
    var fragment: BlockFragment
    var appended: Range<Int64>
  }

  private struct Run {
    var start: Int64
    var end: Int64
    var checksum: any BlockChecksum
  }

  /// More runs than connections exist at once; the one that rested longest is given up.
  private static let maxRuns = 64
  /// In the order of their last write, the latest at the end.
  private var runs: [Run] = []
  private var spare: [any BlockChecksum] = []

  /// Takes note of bytes that were written; returns what the claims have to take over.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, crypto: any Crypto
  ) -> [Growth] {
    var result: [Growth] = []
    var done = 0
    while done < bytes.count {
      let start = offset + Int64(done)
      let blockEnd = BlockLayout.range(of: BlockLayout.index(of: start)).upperBound
      let count = min(bytes.count - done, Int(blockEnd - start))
      // `done` and `count` lie within the buffer by the minimum above.
      let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[done..<done + count])
      result.append(unsafe add(piece: piece, at: start, blockEnd: blockEnd, crypto: crypto))
      done += count
    }
    return result
  }

  /// Forgets every run.
  mutating func reset() {
    for run in runs { recycle(run.checksum) }
    runs.removeAll()
  }

  private mutating func add(
    piece: UnsafeRawBufferPointer, at start: Int64, blockEnd: Int64, crypto: any Crypto
  ) -> Growth {
    let end = start + Int64(piece.count)
    // A run whose bytes are written over does not describe the file any more.
    while let index = runs.firstIndex(where: { $0.start < end && $0.end > start }) {
      recycle(runs.remove(at: index).checksum)
    }
    var run: Run
    if let index = runs.lastIndex(where: { $0.end == start }) {
      run = runs.remove(at: index)
    } else {
      let checksum = spare.popLast() ?? crypto.makeChecksum()
      checksum.reset()
      run = Run(start: start, end: start, checksum: checksum)
    }
    unsafe run.checksum.update(piece)
    run.end = end
    let fragment = BlockFragment(
      offset: run.start, length: run.end - run.start, checksum: run.checksum.value)
    if end == blockEnd {
      recycle(run.checksum)
    } else {
      runs.append(run)
      if runs.count > Self.maxRuns { recycle(runs.removeFirst().checksum) }
    }
    return Growth(fragment: fragment, appended: start..<end)
  }

  private mutating func recycle(_ checksum: any BlockChecksum) {
    if spare.count < 8 { spare.append(checksum) }
  }
}
