internal import HaulRecords

extension ListMachine {
  /// The ids of a part of the list in its order, and how many there are of the states asked for.
  mutating func page(_ query: RecordQuery) -> (ids: [DownloadID], total: Int) {
    let (offset, limit) = (query.boundedOffset, query.boundedLimit)
    guard let states = query.states else {
      return (Self.part(ordered(), offset, limit, query.isDescending), count)
    }
    let total = states.reduce(0) { $0 + (totals.counts[$1] ?? 0) }
    guard total > offset else { return ([], total) }
    // A few are sorted faster than all are looked up in their order.
    if total <= count / 16 {
      let ranks = entries.lazy.filter { states.contains($0.item.state) }.map(\.rankInList).sorted()
      return (Self.part(ranks.map(\.id), offset, limit, query.isDescending), total)
    }
    var ids: [DownloadID] = []
    var passed = 0
    let order = ordered()
    for number in order.indices {
      guard ids.count < limit else { break }
      let id = order[query.isDescending ? order.count - 1 - number : number]
      guard let place = index[id], states.contains(entries[place].item.state) else { continue }
      if passed >= offset { ids.append(id) }
      passed += 1
    }
    return (ids, total)
  }

  private static func part(
    _ order: [DownloadID], _ offset: Int, _ limit: Int, _ isDescending: Bool
  ) -> [DownloadID] {
    let start = min(offset, order.count)
    let end = start + min(limit, order.count - start)
    guard isDescending else { return Array(order[start..<end]) }
    return order[(order.count - end)..<(order.count - start)].reversed()
  }
}
