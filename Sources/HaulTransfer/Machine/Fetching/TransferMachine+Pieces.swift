internal import HaulHTTP

/// Where the digests of the pieces tell which bytes are wrong, only those are fetched again
/// (RFC 5854, section 4.1.3).
extension TransferMachine {
  /// How far the check of the pieces is.
  enum PieceCheck: Hashable {
    case none
    /// Those that are left to be looked at, the first one now; and those that were wrong.
    case checking(left: ArraySlice<Int>, wrong: [Int])
    /// These were wrong, and are fetched again.
    case fetching([Int])
    /// Each of them was right.
    case right
  }

  /// Begins to look at the pieces, or goes on; false when there is nothing to look at.
  ///
  /// Those that were right once are not read again.
  mutating func checkPieces(_ total: Int64) -> Bool {
    guard let pieces = request.pieces else { return false }
    switch pieceCheck {
    case .right: return false
    case .none:
      guard pieces.fits(total: total) else {
        // With a digest of the whole they are not needed.
        guard request.digest == nil else { return false }
        fail(
          .lengthMismatch,
          "is \(total) bytes long, and has not the \(pieces.digests.count) pieces that were expected"
        )
        return true
      }
      actions.append(.emit(.verifying))
      pieceCheck = .checking(left: Array(pieces.digests.indices)[...], wrong: [])
    case .fetching(let wrong):
      pieceCheck = .checking(left: wrong[...], wrong: [])
    case .checking: break
    }
    mode = .finishing(.flushed)
    return lookAtNextPiece(pieces, total)
  }

  private mutating func lookAtNextPiece(_ pieces: PieceDigests, _ total: Int64) -> Bool {
    guard case .checking(let left, let wrong) = pieceCheck else { return false }
    if let index = left.first, let range = pieces.range(of: index, total: total) {
      partJob = true
      actions.append(.digestRange(pieces.algorithm, range))
      return true
    }
    guard let first = wrong.first else {
      pieceCheck = .right
      // The digest of the whole, which was wrong, was of other bytes or is wrong itself.
      guard let digest = request.digest else { return false }
      guard pieceRounds > 0 else {
        failDigest(digest, computed: nil)
        return true
      }
      return false
    }
    pieceRounds += 1
    guard pieceRounds <= sources.count, !isPassingOn else {
      failDigest(pieces.digests[first], computed: nil)
      return true
    }
    let again = withNeighbours(wrong, pieces.pieceLength)
    let ranges = again.compactMap { pieces.range(of: $0, total: total) }
    lose(IntervalSet(ranges))
    let count = ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    actions.append(.emit(.damaged(byteCount: count, .pieces)))
    pieceCheck = .fetching(again)
    if sources.count > 1 { blame(ranges) }
    mode = .active
    return true
  }

  /// Small pieces between wrong ones are fetched with them: a request costs more.
  private func withNeighbours(_ wrong: [Int], _ pieceLength: Int64) -> [Int] {
    let near = Int(max(1, Self.leastGap / pieceLength))
    return zip(wrong, wrong.dropFirst() + [.max]).flatMap { index, next in
      Array(index..<(next - index <= near ? next : index + 1))
    }
  }

  /// Bytes between two wrong pieces that are worth a request of their own.
  private static let leastGap: Int64 = 64 << 10

  /// Asks a source no more that alone sent a wrong piece, as long as there is another one.
  private mutating func blame(_ ranges: [Range<Int64>]) {
    var wrong: Set<Int> = []
    for senders in ranges.map({ sources.blame($0) }) {
      if senders.count == 1 { wrong.formUnion(senders) }
      for sender in senders { sources.noteFailure(sender, at: moment.now) }
    }
    for source in wrong.sorted()
    where (0..<sources.count).contains(where: {
      $0 != source && !sources[$0].isOut
    }) {
      let what = "\(sources[source].url) sent bytes that do not have the digest of their piece"
      dropSource(source, TransferFailure(code: .digestMismatch, message: what))
    }
    _ = sources.changeCurrent()
  }

  mutating func takePieceDigest(_ outcome: FileOutcome<Digest>) {
    guard let pieces = request.pieces, let total,
      case .checking(var left, var wrong) = pieceCheck
    else { return }
    switch outcome {
    case .failure(let failure): return fail(failure)
    case .success(let digest):
      // Two owners would have both copied.
      pieceCheck = .none
      guard let index = left.popFirst() else { return }
      if digest != pieces.digests[index] { wrong.append(index) }
    }
    pieceCheck = .checking(left: left, wrong: wrong)
    _ = lookAtNextPiece(pieces, total)
  }

  /// A file of another length than was asked for is not the right one.
  func lengthFailure(_ total: Int64) -> TransferFailure? {
    guard let expected = request.expectedByteCount, expected != total else { return nil }
    return failure(
      .lengthMismatch, "is \(total) bytes long, and \(expected) were expected")
  }
}
