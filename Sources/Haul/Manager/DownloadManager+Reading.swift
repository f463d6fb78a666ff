internal import Dispatch
public import HaulRecords
internal import HaulTransfer

extension DownloadManager {
  /// One download as it is now.
  ///
  /// - Returns: Nil when it is not in the list.
  /// - Throws: What keeps the list from being opened.
  public func snapshot(
    of id: DownloadID
  ) async throws(DownloadManagerFailure) -> DownloadSnapshot? {
    try await ask { core, moment in
      core.look(id, moment.now)
      return core.snapshot(id, moment.now)
    }
  }

  /// A part of the list as it is now.
  ///
  /// - Throws: What befalls the list.
  public func page(
    _ query: RecordQuery = RecordQuery()
  ) async throws(DownloadManagerFailure) -> DownloadPage {
    try await ask { core, moment throws(DownloadManagerFailure) in
      do throws(DatabaseFailure) { return try core.page(query, moment.now) } catch {
        throw DownloadManagerFailure(error)
      }
    }
  }

  /// What the list holds, all together; bytes of what runs are up to a second old.
  ///
  /// - Throws: What keeps the list from being opened.
  public func totals() async throws(DownloadManagerFailure) -> ListTotals {
    try await ask { core, _ in core.keeper.list.totals }
  }

  /// What was done since the list was opened.
  ///
  /// - Throws: What keeps the list from being opened.
  public func metrics() async throws(DownloadManagerFailure) -> DownloadMetrics {
    try await ask { core, _ in
      var metrics = core.metrics
      metrics.commits = core.keeper.commits
      metrics.failedCommits = core.keeper.failedCommits
      return metrics
    }
  }

  /// Looks through the whole list and tells what is wrong with it, each in a sentence; empty when all is
  /// well. It may take long, and changes nothing.
  ///
  /// - Throws: What keeps it from looking.
  public func check() async throws(DownloadManagerFailure) -> [String] {
    let database = try await ask { core, _ in core.keeper.database }
    let result: Result<[String], DownloadManagerFailure> = await withCheckedContinuation { done in
      checkQueue.async {
        do throws(DatabaseFailure) {
          done.resume(returning: .success(try database.check()))
        } catch {
          done.resume(returning: .failure(DownloadManagerFailure(error)))
        }
      }
    }
    return try result.get()
  }
}
