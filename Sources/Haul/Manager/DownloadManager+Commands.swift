public import HaulRecords
internal import HaulTransfer

/// What can be asked of downloads. All of these return at once, may be called from any thread, and take
/// effect in the order of the calls; `stored` waits until they have.
extension DownloadManager {
  /// Begins downloads, or lets them go on, whatever kept them: also those that are paused, have failed, or
  /// wait out a failure. Finished ones stay as they are.
  public func start(_ selection: DownloadSelection) { take(.start, selection) }

  /// Begins a download, or lets it go on.
  public func start(_ id: DownloadID) { start(.id(id)) }

  /// Lets paused downloads go on.
  public func resume(_ selection: DownloadSelection) { take(.resume, selection) }

  /// Lets a paused download go on.
  public func resume(_ id: DownloadID) { resume(.id(id)) }

  /// Pauses downloads that run or wait; what was received is kept.
  public func pause(_ selection: DownloadSelection) { take(.pause, selection) }

  /// Pauses a download; what was received is kept.
  public func pause(_ id: DownloadID) { pause(.id(id)) }

  /// Begins downloads that have failed again, and those at once that wait out a failure.
  public func retry(_ selection: DownloadSelection) { take(.retry, selection) }

  /// Begins a download that has failed again.
  public func retry(_ id: DownloadID) { retry(.id(id)) }

  /// Stops downloads and gives up what was received. They stay in the list, as if they had never begun;
  /// finished ones stay as they are.
  public func cancel(_ selection: DownloadSelection) { take(.cancel, selection) }

  /// Stops a download and gives up what was received; it stays in the list.
  public func cancel(_ id: DownloadID) { cancel(.id(id)) }

  /// Takes downloads out of the list; what was received of unfinished ones is given up.
  ///
  /// - Parameters:
  ///   - selection: Which ones.
  ///   - files: Whether the files of finished ones go, too; one that another download of the list has by
  ///     now stays.
  public func remove(_ selection: DownloadSelection, files: Bool = false) {
    take(files ? .removeWithFile : .remove, selection)
  }

  /// Takes a download out of the list.
  ///
  /// - Parameters:
  ///   - id: Which one.
  ///   - files: Whether its file goes, too, when it is finished.
  public func remove(_ id: DownloadID, files: Bool = false) { remove(.id(id), files: files) }

  /// Puts downloads together at a place in the list, in the order in which they are named.
  public func move(_ selection: DownloadSelection, to place: ListPlace) {
    post { core, moment in
      core.keeper.list.move(core.keeper.list.ids(selection), to: place, moment)
    }
  }

  /// Sets who goes first among those that wait; higher ones do. What runs is not stopped for it.
  public func setPriority(_ priority: Int16, of selection: DownloadSelection) {
    post { core, moment in
      core.keeper.list.setPriority(core.keeper.list.ids(selection), priority, moment)
    }
  }

  /// Changes how many downloads run, how fast and when, at once: those that are too many by now stop and
  /// wait for their turn.
  public func updateSettings(_ change: @escaping @Sendable (inout DownloadSettings) -> Void) {
    post { [rateLimiter] core, moment in
      change(&core.settings)
      rateLimiter.set(bytesPerSecond: core.settings.rateLimit)
      core.scheduleAt = moment.now
      return core.keeper.list.setLimits(core.limits(), moment)
    }
  }

  /// How many downloads run, how fast and when.
  ///
  /// - Throws: What keeps the list from being opened.
  public func settings() async throws(DownloadManagerFailure) -> DownloadSettings {
    try await ask { core, _ in core.settings }
  }

  /// Waits until everything that was asked for before is stored. Downloads that are to stop may still be
  /// on the way to it.
  ///
  /// - Throws: What keeps it from being stored; it is kept and tried again.
  public func stored() async throws(DownloadManagerFailure) {
    try await call { _, _ in ((), []) }
  }

  private func take(_ command: ItemMachine.Command, _ selection: DownloadSelection) {
    post { core, moment in
      let ids = core.keeper.list.ids(selection)
      return core.removals(of: ids, command) + core.keeper.list.take(command, ids, moment)
    }
  }
}

extension ManagerCore {
  /// Records that cannot be read are not in the list, and can be taken out all the same.
  fileprivate func removals(
    of ids: [DownloadID], _ command: ItemMachine.Command
  ) -> [ListAction] {
    guard command == .remove || command == .removeWithFile, !report.unreadable.isEmpty else {
      return []
    }
    let unreadable = Set(report.unreadable.compactMap(\.id))
    return ids.filter { unreadable.contains($0) && keeper.list.entry($0) == nil }
      .map { .store(.remove($0)) }
  }
}
