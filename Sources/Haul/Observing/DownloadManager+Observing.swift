public import Dispatch
public import HaulRecords
internal import HaulTransfer

extension DownloadManager {
  /// Calls an observer with how a download is now, then with each change, at most ten times a second, the
  /// newest only when he is slow. The last one says that it `isRemoved`, also for one that is not in the
  /// list.
  ///
  /// - Parameters:
  ///   - id: The download.
  ///   - queue: Where the observer is called.
  ///   - observer: Hears how it is.
  /// - Returns: What keeps it going.
  public func observe(
    _ id: DownloadID, on queue: DispatchQueue = .main,
    _ observer: @escaping @Sendable (DownloadSnapshot) -> Void
  ) -> DownloadObservation {
    let delivery = Delivery(on: queue, observer)
    let end = watch(id) { delivery.offer($0) }
    return DownloadObservation {
      delivery.cancel()
      end()
    }
  }

  /// How a download is: now first, then each change, at most ten times a second; the newest only for a
  /// reader who is slow. The last one is the end: finished, failed for good, or removed.
  public func snapshots(of id: DownloadID) -> AsyncStream<DownloadSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DownloadSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let end = watch(id) { snapshot in
      continuation.yield(snapshot)
      if snapshot.isOver { continuation.finish() }
    } end: {
      continuation.finish()
    }
    continuation.onTermination = { _ in end() }
    return stream
  }

  /// A part of the list, with the totals of the whole: now first, then as it changes, at most ten times a
  /// second; the newest only for a reader who is slow. It ends with its reader, or the manager.
  public func pages(
    _ query: RecordQuery = RecordQuery()
  ) -> AsyncStream<(page: DownloadPage, totals: ListTotals)> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: (page: DownloadPage, totals: ListTotals).self, bufferingPolicy: .bufferingNewest(1))
    let number = watcherNumber()
    let watcher = WatchBoard.PageWatcher(query: query) {
      continuation.yield(($0, $1))
    } end: {
      continuation.finish()
    }
    post { core, _ in
      core.board.watch(number, watcher)
      return []
    } dropped: {
      continuation.finish()
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return stream
  }

  /// What happens to the whole list, from now on, each event once and in order. Up to 10,000 of them wait
  /// for a reader who is slow; then the oldest are lost, which the numbers show.
  public func events() -> AsyncStream<DownloadEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DownloadEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    let number = watcherNumber()
    post { core, _ in
      core.board.listen(number, tell: { continuation.yield($0) }, end: { continuation.finish() })
      return []
    } dropped: {
      continuation.finish()
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return stream
  }

  /// Binds a row of a table, or a view, to a download: the observer hears of this one only, in place of
  /// whatever the row was bound to before. So a row that is used again never shows another download.
  ///
  /// The row is not kept alive; the binding ends with it, with `unbind`, or with the manager. On a serial
  /// queue, such as the main one, nothing of the former download is heard once this has returned there.
  ///
  /// - Parameters:
  ///   - row: What shows the download.
  ///   - id: The download.
  ///   - queue: Where the observer is called.
  ///   - observer: Hears how it is: now, then as it changes.
  public func bind<Row: AnyObject & Sendable>(
    _ row: Row, to id: DownloadID, on queue: DispatchQueue = .main,
    _ observer: @escaping @Sendable (Row, DownloadSnapshot) -> Void
  ) {
    let number = watcherNumber()
    rows.bind(row, number) { isBound in
      observe(id, on: queue) { [weak row] snapshot in
        guard let row, isBound() else { return }
        observer(row, snapshot)
      }
    }
  }

  /// Ends what a row is bound to.
  public func unbind(_ row: some AnyObject) { rows.unbind(row) }

  private func watch(
    _ id: DownloadID, _ tell: @escaping @Sendable (DownloadSnapshot) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    let number = watcherNumber()
    post { core, _ in
      core.board.watch(id, number, WatchBoard.ItemWatcher(tell: tell, end: end))
      return []
    } dropped: {
      end()
    }
    return { [weak self] in self?.leave(number, id) }
  }

  private func leave(_ number: UInt64, _ id: DownloadID? = nil) {
    post { core, _ in
      core.board.leave(number, id)
      return []
    }
  }
}
