internal import HaulRecords

/// Who goes first: the higher priority, then the place in the list.
struct QueueRank: Sendable, Hashable, Comparable {
  var priority: Int16
  var position: Int64
  var id: DownloadID

  static func < (one: QueueRank, other: QueueRank) -> Bool {
    if one.priority != other.priority { return one.priority > other.priority }
    if one.position != other.position { return one.position < other.position }
    return one.id < other.id
  }
}
