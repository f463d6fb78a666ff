internal import HaulHTTP
internal import HaulRecords
internal import HaulTransfer

/// How downloads come into the list.
extension ManagerCore {
  /// What came of a call that changes the list: its answer, and what is to be done.
  typealias Outcome<Answer> = (answer: Answer, actions: [ListAction])

  /// Adds downloads, all or none; they are stored, and survive a power cut, when this returns. The ids are
  /// in the order of the requests.
  ///
  /// - Throws: `invalid` and `duplicate` with the index of the request; what befalls the database or the
  ///   secrets.
  mutating func add(
    _ requests: [DownloadRequest], _ moment: ListMoment
  ) throws(DownloadManagerFailure) -> Outcome<[DownloadID]> {
    var ids: [DownloadID] = []
    var new = NewDownloads()
    var (positions, actions) = keeper.list.endPositions(requests.count, moment)
    positions.reverse()
    for (index, request) in requests.enumerated() {
      let id = freeID(new)
      guard let position = positions.popLast() else { break }
      let (record, secrets): (DownloadRecord, ItemSecrets)
      do throws(RecordError) {
        (record, secrets) = try request.record(id, position: position, time: moment.time)
      } catch {
        throw DownloadManagerFailure(
          code: .invalid,
          message: "\(request.url.redacted) cannot be added: \(error.reason).", index: index)
      }
      guard world.bases.path(of: record.folder) != nil else {
        throw DownloadManagerFailure(
          code: .invalid,
          message: "\(request.url.redacted) cannot be added: there is no folder for the base "
            + "\u{201C}\(record.folder.base)\u{201D}.", index: index)
      }
      let summary = record.summary
      let twin = request.onDuplicate == .rename ? nil : twin(of: record, key: summary.key, new)
      switch request.onDuplicate {
      case .join where twin != nil:
        if let twin {
          ids.append(twin)
          if request.starts { new.joined.append(twin) }
        }
        continue
      case .refuse where twin != nil:
        throw DownloadManagerFailure(
          code: .duplicate,
          message: "\(request.url.redacted) is in the list already, as \(twin?.description ?? "").",
          index: index, id: twin)
      case .replace: if let twin { new.replaced.append(twin) }
      case .join, .refuse, .rename: break
      }
      ids.append(id)
      new.insert(record, summary, secrets)
    }
    actions += try store(new, moment)
    return (ids, actions)
  }

  /// Records that are to be stored together.
  struct NewDownloads {
    var records: [DownloadRecord] = []
    /// Those of the records; computing one takes its time.
    var summaries: [DownloadSummary] = []
    var ids: Set<DownloadID> = []
    var byKey: [UInt64: DownloadID] = [:]
    var secrets: [DownloadID: ItemSecrets] = [:]
    var joined: [DownloadID] = []
    var replaced: [DownloadID] = []

    mutating func insert(
      _ record: DownloadRecord, _ summary: DownloadSummary, _ secrets: ItemSecrets
    ) {
      records.append(record)
      summaries.append(summary)
      ids.insert(record.id)
      byKey[summary.key] = record.id
      if !secrets.isEmpty { self.secrets[record.id] = secrets }
    }
  }

  private mutating func store(
    _ new: NewDownloads, _ moment: ListMoment
  ) throws(DownloadManagerFailure) -> [ListAction] {
    var new = new
    // One that is replaced by another one of the same call never was.
    let isReplaced = Set(new.replaced)
    if !isReplaced.isEmpty {
      new.records.removeAll { isReplaced.contains($0.id) }
      new.summaries.removeAll { isReplaced.contains($0.id) }
    }
    for id in isReplaced { new.secrets[id] = nil }
    do throws(SecretFailure) {
      // Before the records that need them.
      if !new.secrets.isEmpty { try world.secrets.store(new.secrets) }
    } catch {
      throw DownloadManagerFailure(error)
    }
    do throws(DatabaseFailure) {
      // In one step: a crash leaves the one or the other.
      let removals = new.replaced.filter { !new.ids.contains($0) }.map { RecordChange.remove($0) }
      remember(removals.map { ListAction.store($0) })
      if !new.records.isEmpty {
        try keeper.saveNow(removals + new.records.map { .insert($0) })
      }
    } catch {
      if !new.secrets.isEmpty { try? world.secrets.remove(new.secrets.keys) }
      throw DownloadManagerFailure(error)
    }
    var actions = keeper.list.take(
      .remove, new.replaced.filter { !new.ids.contains($0) }, moment)
    actions += keeper.list.insert(new.summaries, moment)
    if !new.joined.isEmpty { actions += keeper.list.take(.start, new.joined, moment) }
    if !new.records.isEmpty { board.tell(.added(new.records.map(\.id))) }
    return actions
  }

  private func freeID(_ new: NewDownloads) -> DownloadID {
    while true {
      let id = DownloadID.random(by: world.bits)
      if keeper.list.entry(id) == nil, !new.ids.contains(id) { return id }
    }
  }

  /// The download that asks for the same.
  private func twin(
    of record: DownloadRecord, key: UInt64, _ new: NewDownloads
  ) -> DownloadID? {
    if let id = new.byKey[key] { return id }
    // One that is leaving cannot be had any more.
    let ids = keeper.list.ids(key: key).filter {
      keeper.list.entry($0).map { !$0.item.isLeaving } ?? false
    }
    guard !ids.isEmpty else { return nil }
    // Two that ask for other things may have the same key, once in a great while.
    return records(ids).first { $0.asksForTheSame(as: record) }?.id
  }
}

extension DownloadRecord {
  /// Whether both ask for the same address, to the same folder and name.
  fileprivate func asksForTheSame(as other: DownloadRecord) -> Bool {
    url.identityText == other.url.identityText && folder == other.folder
      && wantedName == other.wantedName
  }
}
