public import HaulRecords

/// Where downloads are put in the list.
public enum ListPlace: Sendable, Hashable {
  /// Before all others.
  case top
  /// Behind all others.
  case bottom
  /// Just before another one.
  case before(DownloadID)
  /// Just behind another one.
  case after(DownloadID)
}

extension ListMachine {
  /// The free numbers between two neighbours that were added one after the other.
  static let spacing: Int64 = 1 << 32

  /// All ids in the order of the list.
  mutating func ordered() -> [DownloadID] {
    if let order { return order }
    let sorted = entries.map(\.rankInList).sorted().map(\.id)
    order = sorted
    return sorted
  }

  /// The position of the next one that is added, of so many.
  mutating func endPositions(_ count: Int, _ moment: ListMoment) -> (
    positions: [Int64], actions: [ListAction]
  ) {
    let last = ordered().last.flatMap { entry($0)?.position } ?? 0
    if let positions = Self.steps(count, after: last, before: nil) { return (positions, []) }
    let actions = renumber(moment)
    let end = ordered().last.flatMap { entry($0)?.position } ?? 0
    return (Self.steps(count, after: end, before: nil) ?? [], actions)
  }

  /// Puts downloads together at a place, in the order in which they are named; those that are not in the
  /// list are passed over. Nothing is moved next to one that is not in the list, or among those that move.
  mutating func move(
    _ ids: [DownloadID], to place: ListPlace, _ moment: ListMoment
  ) -> [ListAction] {
    var moving: [DownloadID] = []
    var isMoving: Set<DownloadID> = []
    for id in ids where index[id] != nil && isMoving.insert(id).inserted { moving.append(id) }
    let rest = ordered().filter { !isMoving.contains($0) }
    guard !moving.isEmpty, let gap = Self.gap(place, in: rest) else { return [] }
    let lower = gap > 0 ? entry(rest[gap - 1])?.position : nil
    let upper = gap < rest.count ? entry(rest[gap])?.position : nil
    var actions: [ListAction] = []
    if let positions = Self.steps(moving.count, after: lower, before: upper) {
      for (id, position) in zip(moving, positions) { actions += setPosition(id, position) }
      order = Array(rest[..<gap]) + moving + Array(rest[gap...])
    } else {
      order = Array(rest[..<gap]) + moving + Array(rest[gap...])
      actions = renumber(moment)
    }
    return actions
  }

  /// Sets who goes first.
  mutating func setPriority(
    _ ids: some Sequence<DownloadID>, _ priority: Int16, _ moment: ListMoment
  ) -> [ListAction] {
    var actions: [ListAction] = []
    for id in ids {
      guard let place = index[id], entries[place].priority != priority else { continue }
      entries[place].priority = priority
      rerank(entries[place])
      actions += [.store(.priority(id, priority)), .changed(id)]
    }
    return actions
  }

  private static func gap(_ place: ListPlace, in rest: [DownloadID]) -> Int? {
    switch place {
    case .top: 0
    case .bottom: rest.count
    case .before(let id): rest.firstIndex(of: id)
    case .after(let id): rest.firstIndex(of: id).map { $0 + 1 }
    }
  }

  /// Ascending numbers between two others; nil where there are too few of them.
  static func steps(_ count: Int, after lower: Int64?, before upper: Int64?) -> [Int64]? {
    guard let wide = Int64(exactly: count), wide > 0 else { return [] }
    guard wide < .max else { return nil }
    let low: Int64
    var step = spacing
    switch (lower, upper) {
    case (nil, nil): low = 0
    case (let lower?, nil): low = lower
    case (nil, let upper?):
      let (span, isTooWide) = (wide + 1).multipliedReportingOverflow(by: spacing)
      let (start, overflow) = upper.subtractingReportingOverflow(span)
      guard !isTooWide, !overflow else { return nil }
      low = start
    case (let lower?, let upper?):
      let (span, overflow) = upper.subtractingReportingOverflow(lower)
      guard !overflow else { return nil }
      low = lower
      step = min(spacing, span / (wide + 1))
      guard step > 0 else { return nil }
    }
    let (span, isTooWide) = wide.multipliedReportingOverflow(by: step)
    let (_, overflow) = low.addingReportingOverflow(span)
    guard !isTooWide, !overflow else { return nil }
    return (1...wide).map { low + $0 * step }
  }

  /// Numbers the whole list anew, in its order.
  private mutating func renumber(_ moment: ListMoment) -> [ListAction] {
    var actions: [ListAction] = []
    let order = ordered()
    for (number, id) in order.enumerated() {
      actions += setPosition(id, Int64(number + 1) * Self.spacing)
    }
    self.order = order
    return actions
  }

  private mutating func setPosition(_ id: DownloadID, _ position: Int64) -> [ListAction] {
    guard let place = index[id], entries[place].position != position else { return [] }
    entries[place].position = position
    rerank(entries[place])
    return [.store(.position(id, position)), .changed(id)]
  }

  private mutating func rerank(_ entry: Entry) {
    if entry.item.isReady { queue.add(entry.rank, origin: entry.origin) }
    if entry.item.isRunning { queue.rerank(entry.rank) }
  }
}
