internal import HaulTransfer

/// Something that is asked of a manager.
struct ManagerJob: Sendable {
  var body: @Sendable (inout ManagerCore, ListMoment) -> [ListAction]
  /// Whether it stores by itself: what was asked for before has to be stored before.
  var storesByItself = false
  /// Runs once all that follows is stored, with what kept it from that.
  var done: (@Sendable (DownloadManagerFailure?) -> Void)?
}

/// What came of one round of a manager.
struct ManagerRound: Sendable {
  var effects: [ManagerEffect] = []
  var logged: [DownloadLogEntry] = []
  /// When the next round is due, if nothing is asked for before.
  var next: Instant?
  /// Why not all is stored.
  var failure: DownloadManagerFailure?
  /// Whether nothing runs any more of a manager that is to be closed.
  var isOver = false
}

extension ManagerCore {
  /// Does what is due and what is asked for, and stores all that follows.
  mutating func round(
    _ jobs: [ManagerJob], _ moment: ListMoment
  ) -> ManagerRound {
    var round = ManagerRound()
    var actions = wake(moment)
    for job in jobs {
      if job.storesByItself {
        round.effects += perform(actions, moment)
        actions = []
      }
      actions += job.body(&self, moment)
    }
    round.effects += perform(actions, moment)
    round.effects += afterwards(moment.now)
    round.logged = logged
    logged = []
    round.next = nextWake(moment.now)
    round.failure = keeper.isUnsaved ? keeper.failure.map { DownloadManagerFailure($0) } : nil
    round.isOver = isClosing && attempts.isEmpty && over.isEmpty && deferred.isEmpty && busy.isEmpty
    return round
  }
}
