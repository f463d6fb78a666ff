internal import HaulHTTP
public import HaulTransfer
internal import Synchronization

/// What is asked for beside transfers, with what the disk of the fakes has.
extension FakeStore {
  /// Removes the note of a publishing.
  public func settle(
    _ source: SourceIdentity, path: String,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) in
      state.withLock { state in
        if state.traces[source.url]?.path == path { state.traces[source.url] = nil }
      }
    }
  }

  /// Removes part and note of a source.
  public func discard(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) in
      let isFree = state.withLock { state in
        guard state.entries[source.url]?.isLocked != true else { return false }
        state.entries[source.url] = nil
        state.traces[source.url] = nil
        return true
      }
      if !isFree { throw FileFailure(code: .inUse, message: "is in use") }
    }
  }

  /// What lies in a folder.
  public func leftovers(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<[Leftover]>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) -> [Leftover] in
      state.withLock { $0.leftovers(in: path) }
    }
  }

  /// Removes what was listed, if it is as it was.
  public func discard(
    _ leftover: Leftover, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) in
      let isFree = state.withLock { state in
        let folder = (leftover.partPath ?? leftover.journalPath ?? "").split(
          separator: "/", omittingEmptySubsequences: false
        ).dropLast().joined(separator: "/")
        let now = state.sources(in: folder).first { _, now in
          now.partPath == leftover.partPath && now.journalPath == leftover.journalPath
        }
        guard let (url, now) = now else { return true }
        guard now == leftover, !now.isInUse else { return false }
        if now.partPath != nil { state.entries[url] = nil } else { state.traces[url] = nil }
        return true
      }
      if !isFree { throw FileFailure(code: .inUse, message: "is in use, or another one by now") }
    }
  }

  /// The bytes that the faults tell.
  public func freeBytes(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<Int64>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) -> Int64 in faults.freeBytes }
  }

  /// Removes a finished file.
  public func removeFile(
    at path: String, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) in
      state.withLock { $0.files[path] = nil }
    }
  }
}

extension FakeStore.State {
  fileprivate func leftovers(in folder: String) -> [Leftover] {
    sources(in: folder).map(\.leftover).sorted {
      ($0.partPath ?? $0.journalPath ?? "") < ($1.partPath ?? $1.journalPath ?? "")
    }
  }

  /// What lies in a folder, with the whole address of each.
  fileprivate func sources(in folder: String) -> [(url: String, leftover: Leftover)] {
    let parts = entries.filter { $0.value.folder == folder }.map { url, entry in
      let path = "\(folder)/\(entry.name)"
      var leftover = Leftover(partPath: path + ".haul-part")
      leftover.isInUse = entry.isLocked
      if let journal = entry.journal {
        leftover.journalPath = path + ".haul-journal"
        leftover.describe(url, name: entry.name)
        leftover.received = journal.claims.byteCount
        leftover.total = journal.version.total
      }
      return (url, leftover)
    }
    let notes = traces.filter { $0.value.path.hasPrefix(folder + "/") }.map { url, file in
      var leftover = Leftover(journalPath: file.path + ".haul-journal")
      leftover.describe(url, name: file.wantedName)
      leftover.received = file.byteCount
      leftover.total = file.byteCount
      if files[file.path] != nil { leftover.publishedPath = file.path }
      return (url, leftover)
    }
    return parts + notes
  }
}

extension Leftover {
  /// Adds what a journal knows of its source.
  fileprivate mutating func describe(_ url: String, name: String) {
    let shown = (try? HTTPURL(parsing: url))?.redacted
    self.url = shown
    isWholeURL = shown.flatMap { try? HTTPURL(parsing: $0) }?.identityText == url
    sourceDigest = FakeStore.digest(.sha256, of: Array(url.utf8)[...])
    requestedName = name
  }
}
