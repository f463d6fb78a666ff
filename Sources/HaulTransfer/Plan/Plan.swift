/// Which bytes of a file are there, and which connection fetches which of the rest.
struct Plan: Sendable {
  /// What one connection owns: it has stored up to `position` and may go on to `end`.
  struct Claim: Sendable, Hashable {
    var position: Int64
    var end: Int64?
  }

  /// The bytes that arrived.
  private(set) var done = IntervalSet()
  /// What the connections own.
  private(set) var claims: [ConnectionID: Claim] = [:]

  /// Begins with what was found on disk, as far as it lies below the total.
  mutating func begin(with stored: IntervalSet, total: Int64?) {
    done = stored
    if let total { done.remove(total..<Int64.max) }
  }

  /// Forgets every byte; no connection may own any.
  mutating func reset() {
    precondition(claims.isEmpty, "bytes are still on their way")
    done = IntervalSet()
  }

  /// Forgets bytes that turned out to be wrong.
  mutating func lose(_ bytes: IntervalSet) {
    done.subtract(bytes)
  }

  /// Gives a connection the bytes from a position on.
  mutating func claim(_ connection: ConnectionID, from position: Int64, to end: Int64?) {
    claims[connection] = Claim(position: position, end: end)
  }

  /// Notes bytes that a connection stored, in order.
  mutating func land(_ connection: ConnectionID, _ count: Int64) {
    guard var claim = claims[connection], count > 0 else { return }
    let next = claim.position + count
    precondition(claim.end.map { next <= $0 } ?? true, "stored beyond the claim")
    done.insert(claim.position..<next)
    claim.position = next
    claims[connection] = claim
  }

  /// Takes from a connection the bytes from a position on.
  mutating func limit(_ connection: ConnectionID, to end: Int64) {
    guard var claim = claims[connection], end < claim.end ?? .max else { return }
    claim.end = max(end, claim.position)
    claims[connection] = claim
  }

  /// The first bytes of a range that are neither there nor owned by another connection.
  func free(in range: Range<Int64>, for connection: ConnectionID) -> Range<Int64>? {
    var free = IntervalSet([range])
    free.subtract(done)
    for (id, claim) in claims where id != connection {
      free.remove(claim.position..<max(claim.position, claim.end ?? .max))
    }
    return free.intervals.first
  }

  /// Takes from a connection what it has not stored.
  mutating func release(_ connection: ConnectionID) -> Claim? {
    claims.removeValue(forKey: connection)
  }

  /// The end of the last byte that is there.
  var end: Int64 { done.intervals.last?.upperBound ?? 0 }

  /// Whether every byte up to the total is there.
  func isComplete(total: Int64) -> Bool {
    done.contains(0..<total)
  }

  /// The first bytes that are neither there nor owned by a connection; open-ended while the
  /// total is not known.
  func nextGap(total: Int64?) -> Range<Int64>? {
    var missing = done.missing(upTo: total ?? .max)
    for claim in claims.values {
      missing.remove(claim.position..<max(claim.position, claim.end ?? .max))
    }
    return missing.intervals.first
  }

  /// How many bytes lie before a position without a gap, at most `limit`.
  func continuous(before position: Int64, limit: Int64) -> Int64 {
    let before = done.intervals.last { $0.upperBound == position }
    return min(limit, before.map { $0.upperBound - $0.lowerBound } ?? 0)
  }
}
