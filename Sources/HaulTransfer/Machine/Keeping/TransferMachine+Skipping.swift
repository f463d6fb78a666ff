internal import HaulHTTP

/// A file that is there may be the same as the server's. Nothing of a short one is lost by asking for
/// all of it; of a long one only the last byte is asked for, under the condition that its time is
/// equal. The answer tells the size of the file and its time, and costs neither the body nor the
/// connection; a server that has another file sends all of it at once.
extension TransferMachine {
  /// Seconds that a time lies in the past before it can tell two versions apart (RFC 9110 §8.8.2.2).
  private static let settlingTime: Int64 = 60

  /// Bytes of a file that come as fast as an answer about it does.
  private static let shortestCompared: Int64 = 2048

  func askedToCompare() -> Asked? {
    guard let likely, !hasPart, likely.byteCount > Self.shortestCompared,
      likely.modified > 0, likely.modified <= moment.unixTime - Self.settlingTime
    else { return nil }
    return Asked(start: likely.byteCount - 1, end: nil, comparing: likely)
  }

  /// Takes the answer to that question; false when it is to be taken as any other.
  mutating func takeComparison(_ connection: inout Connection, _ head: ResponseHead) -> Bool {
    switch StatusKind(head.status) {
    case .redirect: return false
    case .ok:
      likely = nil
      connection.asked = .whole
      connections[connection.id]?.asked = .whole
      return false
    case .retryable, .proxyAuthentication: return false
    case .partial:
      likely = nil
      guard let file = connection.asked.comparing, isWanted(head, file),
        let version = rules.judgeComparison(head, with: file, now: moment.unixTime)
      else {
        drop(connection.id)
        return true
      }
      noteAnswer(connection, head)
      connections[connection.id]?.phase = .preparing(Landing(start: file.byteCount - 1, end: nil))
      noteName(version, connection, head)
      create()
      return true
    case .rangeNotSatisfiable, .permanent:
      // A server may refuse the range or the condition; the file itself it may not.
      likely = nil
      drop(connection.id)
      return true
    }
  }

  /// Whether the file would be accepted at all; where not, the whole answer says why.
  private func isWanted(_ head: ResponseHead, _ file: LikelyFile) -> Bool {
    let type = head.fields.first("Content-Type").flatMap(MediaType.init(parsing:))
    let isRightType = request.expectedType.map { type?.matches($0) ?? false } ?? true
    let isSmallEnough = request.maximumByteCount.map { file.byteCount <= $0 } ?? true
    return isRightType && isSmallEnough
  }

  /// The file that is there is another one after all: a whole answer is needed.
  mutating func dropComparison() {
    for connection in connections.values where connection.asked.comparing != nil {
      drop(connection.id)
    }
  }

  /// Ends with a file that was there.
  ///
  /// A short body is read to its end first: in a list that is run again, the connection then serves
  /// the next file, and a new one would cost more.
  mutating func skip(_ path: String, by likeness: Likeness) {
    let result = TransferResult.skipped(path: path, by: likeness)
    guard case .active = mode, !request.isDryRun, let connection = connections.values.first,
      connection.pendingEnd == nil, case .preparing(let landing) = connection.phase,
      connection.asked.comparing != nil
        || landing.end.map({ $0 <= Int64(ConnectionReceiver.maximumDrain) }) ?? false
    else { return end(result, .keep) }
    leaving = result
    actions.append(.abandon(connection.id))
  }
}
