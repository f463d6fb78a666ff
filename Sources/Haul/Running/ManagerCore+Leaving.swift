internal import HaulRecords
internal import HaulTransfer

/// What goes from the disk with a download.
extension ManagerCore {
  /// What lies on disk has to be known before the record is gone. From now on nobody else may fetch from
  /// those sources, until `tidied`; the jobs themselves may have to wait until something is stored.
  mutating func remember(_ actions: [ListAction]) {
    var ids: [DownloadID] = []
    for action in actions {
      switch action {
      case .discard(let id): ids.append(id)
      case .store(.remove(let id)): if keeper.list.entry(id) != nil { ids.append(id) }
      case .removed(let id, let withFile): if withFile { ids.append(id) }
      default: break
      }
    }
    let unknown = ids.filter { leaving[$0] == nil }
    for record in unknown.isEmpty ? [] : records(unknown) {
      let request = try? record.request(nil, bases: world.bases, limiter: nil)
      leaving[record.id] = Leaving(
        request: request, path: record.file.flatMap { world.bases.path(of: $0) },
        isShared: isShared(record, request))
    }
    keepSharedFiles(actions)
    for action in actions {
      switch action {
      case .discard(let id):
        if let left = leaving[id], !left.isShared { hold(left.request) }
      case .removed(let id, withFile: true):
        if leaving[id]?.path != nil { hold(leaving[id]?.request) }
      default: break
      }
    }
  }

  private func isShared(_ record: DownloadRecord, _ request: TransferRequest?) -> Bool {
    keeper.list.ids(key: record.key).contains { $0 != record.id }
      || attempts.contains { $0.key != record.id && $0.value.source == request?.sourceKey }
  }

  /// Nobody may fetch from a source until a job on the disk is over.
  mutating func hold(_ request: TransferRequest?) {
    if let request { busy[request.sourceKey, default: 0] += 1 }
  }

  /// A file may have taken the place of that of another download, whose record still names it: it goes with
  /// the last of them.
  private mutating func keepSharedFiles(_ actions: [ListAction]) {
    var ids: Set<DownloadID> = []
    for case .removed(let id, withFile: true) in actions where leaving[id]?.path != nil {
      ids.insert(id)
    }
    guard !ids.isEmpty, keeper.list.count > 0 else { return }
    let paths = Set(ids.compactMap { leaving[$0]?.path })
    let shared = paths.count <= 4 ? paths.filter(isNamed) : named(of: paths)
    for id in ids where leaving[id]?.path.map(shared.contains) == true { leaving[id]?.path = nil }
  }

  /// Whether a finished download of the list has this file.
  private func isNamed(_ path: String) -> Bool {
    var query = RecordQuery()
    query.search = path.split(separator: "/").last.map(String.init) ?? ""
    query.states = [.finished]
    query.limit = RecordQuery.largestLimit
    while let page = try? keeper.database.page(query), !page.listing.items.isEmpty {
      if page.listing.items.contains(where: { has($0, path) }) { return true }
      query.offset += query.limit
    }
    return false
  }

  /// Those of many files that finished downloads of the list have.
  private mutating func named(of paths: Set<String>) -> Set<String> {
    var found: Set<String> = []
    let finished = keeper.list.ids(.states([.finished]))
    for start in stride(from: 0, to: finished.count, by: 1000) {
      for record in records(Array(finished[start..<min(finished.count, start + 1000)])) {
        guard let path = record.file.flatMap({ world.bases.path(of: $0) }), paths.contains(path)
        else { continue }
        found.insert(path)
      }
    }
    return found
  }

  /// Whether a record is that of a download in the list whose file this is.
  private func has(_ record: DownloadRecord, _ path: String) -> Bool {
    keeper.list.entry(record.id) != nil
      && latest(record).file.flatMap { world.bases.path(of: $0) } == path
  }
}
