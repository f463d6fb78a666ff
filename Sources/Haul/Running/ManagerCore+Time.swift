internal import HaulRecords
internal import HaulTransfer

/// What happens because time passes.
extension ManagerCore {
  /// Does what is due.
  mutating func wake(_ moment: ListMoment) -> [ListAction] {
    let now = moment.now
    var actions = restored
    restored = []
    if settings.schedule != nil, now >= scheduleAt {
      scheduleAt = now.advanced(seconds: Self.lookingAtSchedule)
      actions += keeper.list.setLimits(limits(), moment)
    }
    if !attempts.isEmpty, now >= storedAt {
      storedAt = now.advanced(seconds: Self.storing)
      actions += progress(now)
    }
    actions += keeper.list.wake(moment)
    return actions
  }

  /// What is done after every round, once it is stored: news, and looks for room.
  mutating func afterwards(_ now: Instant) -> [ManagerEffect] {
    if let at = newsAt, at <= now { tellNews(now) }
    guard !keeper.list.roomless.isEmpty, now >= roomAt else { return [] }
    roomAt = now.advanced(seconds: Self.lookingForRoom)
    return records(keeper.list.roomless.sorted()).compactMap { record in
      guard let folder = world.bases.path(of: record.folder) else { return nil }
      let missing = record.total.map { max(0, $0 - record.received) } ?? 0
      return .lookForRoom(record.id, folder: folder, byteCount: missing)
    }
  }

  /// When `wake` is to be called next; nil while nothing depends on time.
  mutating func nextWake(_ now: Instant) -> Instant? {
    var times: [Instant] = []
    if let due = keeper.list.nextDue() { times.append(due) }
    if !attempts.isEmpty { times.append(storedAt) }
    if let at = newsAt { times.append(at) }
    if let at = keeper.savesAgainAt { times.append(at) }
    if !keeper.list.roomless.isEmpty { times.append(roomAt) }
    if settings.schedule != nil { times.append(scheduleAt) }
    return times.min()
  }

  /// How many may run at this time.
  func limits() -> QueueLimits {
    let isOpen = settings.schedule?.isOpen(atUnixTime: world.clock.unixTime) ?? true
    return settings.limits(isOpen: isOpen && !isClosing)
  }

  /// How far everything is that runs, to be stored.
  private mutating func progress(_ now: Instant) -> [ListAction] {
    var actions: [ListAction] = []
    for id in attempts.keys where look(id, now) {
      guard let entry = keeper.list.entry(id) else { continue }
      actions.append(
        .store(
          .progress(
            id, attempt: entry.item.attempt, received: entry.received, total: entry.total)))
    }
    return actions
  }

  /// When there is something to tell, at most ten times a second.
  private var newsAt: Instant? {
    let runs =
      !attempts.isEmpty
      && (!board.pages.isEmpty || attempts.keys.contains { board.items[$0] != nil })
    guard board.hasNews || runs else { return nil }
    return board.toldAt?.advanced(seconds: Self.telling) ?? Instant(nanoseconds: .min)
  }
}
