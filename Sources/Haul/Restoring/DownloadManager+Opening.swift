internal import HaulRecords
internal import HaulSQLite
internal import HaulSystem
internal import HaulTransfer

extension DownloadManager {
  /// Opens the list and takes up what it holds.
  func makeCore(_ moment: ListMoment) throws(DownloadManagerFailure) -> ManagerCore {
    var report = OpeningReport()
    var resources = ManagerResources()
    if configuration.database == nil || configuration.secrets == nil {
      resources.folder = try StateFolder(configuration.stateFolder, disk: PosixDisk())
    }
    let database: any RecordDatabase
    if let given = configuration.database {
      database = given
    } else {
      let opened = try openDatabase(&report)
      resources.database = opened
      database = opened
    }
    let secrets = try openSecrets()
    let listing: RecordListing<DownloadSummary>
    do throws(DatabaseFailure) { listing = try database.summaries() } catch {
      throw DownloadManagerFailure(error)
    }
    report.take(listing)
    try removeSecrets(secrets, without: listing)
    let world = ManagerWorld(
      engine: engine, secrets: secrets, bases: DownloadBases(configuration.bases),
      clock: configuration.clock, byteCount: { Self.byteCount(of: $0) },
      onEvent: { [weak self] id, attempt, event in
        self?.post { core, moment in core.heard(id, attempt, event, moment) }
      })
    let list = ListMachine(listing.items, limits: QueueLimits(parallel: 0))
    var core = ManagerCore(
      ListKeeper(list, database: database), world, configuration.settings, report: report,
      resources: resources)
    core.restore(moment)
    // Reading a long list takes several times the memory that it keeps.
    if report.count > 10_000 { FreeMemory.giveBack() }
    for id in report.interrupted { reconcile(id) }
    if !report.interrupted.isEmpty || report.setAside != nil {
      Task.detached { [weak self] in _ = try? await self?.restored() }
    }
    return core
  }

  /// A list that is damaged is set aside, and what can be read makes a new one.
  private func openDatabase(
    _ report: inout OpeningReport
  ) throws(DownloadManagerFailure) -> SQLiteDatabase {
    let path = "\(configuration.stateFolder)/\(StateFolder.databaseName)"
    do throws(DatabaseFailure) {
      do throws(DatabaseFailure) {
        let database = try SQLiteDatabase(path: path)
        // What is damaged may show only when it is read.
        _ = try database.summaries()
        return database
      } catch {
        guard error.code == .corrupt, configuration.salvagesDamagedList else { throw error }
      }
      let salvage = try SQLiteDatabase.salvage(path: path)
      report.setAside = salvage.setAside
      report.lost = salvage.lost
      return try SQLiteDatabase(path: path)
    } catch {
      throw DownloadManagerFailure(error)
    }
  }

  static func byteCount(of path: String) -> Int64? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    return (try? PosixDisk().status(name, inFolder: folder))?.byteCount
  }

  private func openSecrets() throws(DownloadManagerFailure) -> any SecretStore {
    if let given = configuration.secrets { return given }
    do throws(SecretFailure) {
      return try SecretFile(StateFolder.secretsName, inFolder: configuration.stateFolder)
    } catch {
      throw DownloadManagerFailure(error)
    }
  }

  /// Secrets are stored before their records and removed after them: some may have been left.
  private func removeSecrets(
    _ secrets: any SecretStore, without listing: RecordListing<DownloadSummary>
  ) throws(DownloadManagerFailure) {
    do throws(SecretFailure) {
      var orphans = Set(try secrets.ids())
      guard !orphans.isEmpty else { return }
      for item in listing.items { orphans.remove(item.id) }
      for item in listing.unreadable {
        // One without an id may be anybody's.
        guard let id = item.id else { return }
        orphans.remove(id)
      }
      if !orphans.isEmpty { try secrets.remove(orphans) }
    } catch {
      throw DownloadManagerFailure(error)
    }
  }

  /// The journal knows better than the list what is there of a download that was interrupted.
  private func reconcile(_ id: DownloadID) {
    post { [weak self] core, _ in
      guard let self, core.attempts[id] == nil, let record = core.records([id]).first,
        let request = try? record.request(nil, bases: core.world.bases, limiter: nil)
      else { return [] }
      Task.detached { [engine] in
        guard let stored = try? await engine.stored(request) else { return }
        self.post { core, moment in
          core.keeper.list.reconcile(
            id, received: stored.received, total: stored.total, moment)
        }
      }
      return []
    }
  }
}

extension ManagerCore {
  /// Stores that nothing runs any more, and begins what may run.
  mutating func restore(_ moment: ListMoment) {
    for id in report.interrupted {
      guard let entry = keeper.list.entry(id) else { continue }
      restored.append(
        .store(
          .state(id, .waiting, attempt: entry.item.attempt, failure: nil, at: moment.time)))
    }
    if let aside = report.setAside {
      note(
        .error, nil,
        "The list was damaged. It lies in \u{201C}\(aside)\u{201D}; \(report.count) downloads of it "
          + "were saved, \(report.lost.count) were not.")
    }
    for record in report.unreadable {
      note(.error, record.id, "A record cannot be read: \(record.name), \(record.reason).")
    }
    restored += keeper.list.setLimits(limits(), moment)
  }
}
