import HaulTransfer

/// Which bytes are written and have a checksum that vouches for them.
struct ClaimMap: Sendable, Hashable {
  /// Blocks that are hashed as a whole, as byte positions.
  private(set) var whole = IntervalSet()
  /// Bytes in other blocks, ascending; they do not overlap.
  private(set) var fragments: [BlockFragment] = []
  /// Checksums of whole blocks that the journal's table does not hold yet.
  private(set) var pending: [Int64: UInt64] = [:]

  init() {}

  /// The claims of a journal, of which only those count that end within the part.
  init(whole: [Range<Int64>], fragments: [BlockFragment], byteCount: Int64) {
    let end = max(0, byteCount) / BlockLayout.size * BlockLayout.size
    self.whole = IntervalSet(
      whole.compactMap { $0.lowerBound < end ? $0.lowerBound..<min($0.upperBound, end) : nil })
    self.fragments = fragments.filter { $0.range.upperBound <= byteCount }
  }

  /// Every byte that is vouched for.
  var intervals: IntervalSet {
    var result = whole
    for fragment in fragments { result.insert(fragment.range) }
    return result
  }

  var isEmpty: Bool { whole.isEmpty && fragments.isEmpty }

  /// Takes over a fragment that is new, or has grown at its end by `appended`.
  mutating func set(_ fragment: BlockFragment, appended: Range<Int64>) {
    forget(appended)
    let block = BlockLayout.index(of: fragment.offset)
    let index = firstFragment(endingAfter: fragment.offset)
    let isGrowing = index < fragments.count && fragments[index].offset == fragment.offset
    if fragment.length == BlockLayout.size {
      if isGrowing { fragments.remove(at: index) }
      whole.insert(fragment.range)
      pending[block] = fragment.checksum
    } else if isGrowing {
      fragments[index] = fragment
    } else {
      fragments.insert(fragment, at: index)
    }
  }

  /// Gives up every claim that touches the range, also for the bytes beside it.
  mutating func forget(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let index = firstFragment(endingAfter: range.lowerBound)
    var end = index
    while end < fragments.count, fragments[end].offset < range.upperBound { end += 1 }
    if index < end { fragments.removeSubrange(index..<end) }
    let first = BlockLayout.index(of: range.lowerBound)
    let last = BlockLayout.index(of: range.upperBound - 1)
    for block in first...last {
      whole.remove(BlockLayout.range(of: block))
      pending[block] = nil
    }
  }

  /// Blocks that several fragments cover completely, with those fragments.
  func coveredBlocks() -> [(block: Int64, fragments: [BlockFragment])] {
    var result: [(block: Int64, fragments: [BlockFragment])] = []
    var run: [BlockFragment] = []
    for fragment in fragments {
      let block = BlockLayout.index(of: fragment.offset)
      if let last = run.last, last.range.upperBound == fragment.offset,
        BlockLayout.index(of: last.offset) == block
      {
        run.append(fragment)
      } else {
        run = [fragment]
      }
      let range = BlockLayout.range(of: block)
      if run[0].offset == range.lowerBound, fragment.range.upperBound == range.upperBound {
        result.append((block, run))
      }
    }
    return result
  }

  /// Puts the checksum of a whole block in the place of its fragments, if they are still the same.
  mutating func merge(_ block: Int64, of merged: [BlockFragment], checksum: UInt64) {
    guard let first = merged.first else { return }
    let start = firstFragment(endingAfter: first.offset)
    let end = start + merged.count
    guard end <= fragments.count, Array(fragments[start..<end]) == merged else { return }
    fragments.removeSubrange(start..<end)
    whole.insert(BlockLayout.range(of: block))
    pending[block] = checksum
  }

  /// Notes that the journal's table holds these checksums.
  mutating func settle(_ entries: [Int64: UInt64]) {
    for (block, checksum) in entries where pending[block] == checksum { pending[block] = nil }
  }

  private func firstFragment(endingAfter offset: Int64) -> Int {
    var low = 0
    var high = fragments.count
    while low < high {
      let middle = (low + high) / 2
      if fragments[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
