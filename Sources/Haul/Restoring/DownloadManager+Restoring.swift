internal import Dispatch
internal import HaulHTTP
internal import HaulRecords
public import HaulTransfer

extension DownloadManager {
  /// Looks through the folders of the list for what belongs to none of its downloads, and waits for that.
  ///
  /// Notes of files whose records are stored are cleared away. After a damaged list was set aside, parts
  /// whose journals name their whole address come back into the list, paused. Once the list is open that is
  /// done by itself after a crash, in the background.
  ///
  /// - Throws: What keeps the list from being opened.
  public func restored() async throws(DownloadManagerFailure) -> RestoreReport {
    let task = try await ask { [weak self] core, _ in
      // Who asks meanwhile waits for the same look.
      if let running = core.restoring { return running }
      let (world, database) = (core.world, core.keeper.database)
      let rebuilds = core.report.setAside != nil
      let task = Task.detached {
        let report = await self?.restore(world, database, rebuilds: rebuilds)
        self?.post { core, _ in
          core.restoring = nil
          return []
        }
        return report ?? RestoreReport()
      }
      core.restoring = task
      return task
    }
    return await task.value
  }

  /// Removes a part and its journal that were left over; never a finished file.
  ///
  /// - Throws: `TransferFailure` when the disk fails, and `in-use` when somebody works on it by now.
  public func discard(_ leftover: Leftover) async throws(TransferFailure) {
    try await engine.discard(leftover)
  }

  private func restore(
    _ world: ManagerWorld, _ database: any RecordDatabase, rebuilds: Bool
  ) async -> RestoreReport {
    var report = RestoreReport()
    let known = await withCheckedContinuation { done in
      checkQueue.async { done.resume(returning: KnownSources(database, world.bases)) }
    }
    // Without all records nobody can say what belongs to none of them.
    guard let known else { return report }
    for folder in known.folders.sorted() {
      let there: [Leftover]
      do throws(TransferFailure) { there = try await engine.leftovers(inFolder: folder) } catch {
        note(.warning, error.message)
        continue
      }
      for leftover in there where !leftover.isInUse {
        guard !known.has(leftover) else { continue }
        if leftover.publishedPath != nil {
          // The record is stored, or gone: nobody needs the note, unless it was added meanwhile.
          guard await !isWorkedOn(leftover) else { continue }
          do throws(TransferFailure) { try await engine.discard(leftover) } catch {
            note(.warning, error.message)
          }
        } else if rebuilds, let id = await rebuild(leftover, in: folder, world.bases) {
          report.rebuilt.append(id)
        } else {
          report.leftovers.append(leftover)
        }
      }
    }
    if !report.rebuilt.isEmpty {
      note(.warning, "\(report.rebuilt.count) downloads are in the list again by their journals.")
    }
    for leftover in report.leftovers {
      let path = leftover.partPath ?? leftover.journalPath ?? ""
      note(.warning, "\u{201C}\(path)\u{201D} belongs to no download of the list.")
    }
    return report
  }

  /// Takes what lies in a folder into the list, paused.
  private func rebuild(
    _ leftover: Leftover, in folder: String, _ bases: DownloadBases
  ) async -> DownloadID? {
    guard leftover.isWholeURL, let url = leftover.url.flatMap({ try? HTTPURL(parsing: $0) }),
      let place = bases.record(ofFolder: folder)
    else { return nil }
    var request = DownloadRequest(url)
    request.folder = place
    request.name = leftover.requestedName
    request.starts = false
    request.isPaused = true
    request.onDuplicate = .refuse
    guard let id = try? await add(request) else { return nil }
    post { core, moment in
      core.keeper.list.reconcile(
        id, received: leftover.received, total: leftover.total, moment)
    }
    return id
  }

  /// Whether somebody fetches from the source of this, or has and is not stored yet.
  private func isWorkedOn(_ leftover: Leftover) async -> Bool {
    let answer = try? await ask { core, _ in
      core.attempts.values.contains { leftover.isOf($0.request) }
        || core.over.values.contains { leftover.isOf($0.request) }
    }
    return answer ?? true
  }

  private func note(_ level: DownloadLogEntry.Level, _ message: String) {
    post { core, _ in
      core.note(level, nil, message)
      return []
    }
  }
}

/// What the list knows of files that are not finished, and the folders that its files go to.
private struct KnownSources: Sendable {
  private(set) var folders: Set<String>
  private var unfinished: Set<Digest> = []

  /// Reads the whole list, a thousand records at a time; nil when one of them cannot be read.
  init?(_ database: any RecordDatabase, _ bases: DownloadBases) {
    folders = bases.all
    guard let summaries = try? database.summaries(), summaries.unreadable.isEmpty else {
      return nil
    }
    let ids = summaries.items.map(\.id)
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let some = Array(ids[start..<min(ids.count, start + 1000)])
      guard let listing = try? database.records(some), listing.unreadable.isEmpty else {
        return nil
      }
      for record in listing.items {
        guard let folder = bases.path(of: record.folder) else { continue }
        folders.insert(folder)
        guard record.state != .finished,
          let request = try? record.request(nil, bases: bases, limiter: nil)
        else { continue }
        unfinished.insert(request.sourceDigest)
      }
    }
  }

  func has(_ leftover: Leftover) -> Bool {
    leftover.sourceDigest.map { unfinished.contains($0) } ?? false
  }
}
