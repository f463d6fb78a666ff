import HaulRecords
import HaulTransfer
import Testing

@testable import Haul

/// What a list makes of what its attempts tell.
@Suite struct ListMachineTests {
  private func list(_ count: Int = 1, received: Int64 = 0, total: Int64? = nil) -> ListMachine {
    ListMachine(
      (0..<count).map { number in
        DownloadSummary(
          id: ListOrderTests.id(number), position: Int64(number), received: received,
          origin: OriginKey(rawValue: 1), key: 1, total: total, state: .waiting, priority: 0,
          attempt: 0)
      }, limits: QueueLimits())
  }

  private let moment = ListOrderTests.moment
  private let id = ListOrderTests.id(0)

  private func note(
    _ list: inout ListMachine, _ attempt: UInt32, _ received: Int64, of total: Int64?
  ) -> Bool {
    list.note(id, attempt: attempt, received: received, total: total)
  }

  private func fail(
    _ list: inout ListMachine, _ outlook: ItemMachine.Outlook, received: Int64
  ) -> [ListAction] {
    let attempt = list.entry(id)?.item.attempt ?? 0
    return list.ended(
      id, attempt: attempt, .failed(outlook),
      failure: RecordFailure(code: "http-status", message: "It failed."), received: received,
      total: nil, moment)
  }

  /// Bytes that had been told while they arrived were no news at the end of their attempt: a download
  /// that went on a little each time, and was watched, failed for good after six answers of `503`.
  @Test func bytesThatWereToldAsTheyCameAreProgress() {
    var list = list()
    _ = list.wake(moment)
    for round in 1...20 as ClosedRange<Int64> {
      let attempt = list.entry(id)?.item.attempt ?? 0
      #expect(note(&list, attempt, round * 10, of: nil))
      _ = fail(&list, .soon, received: round * 10)
      #expect(list.entry(id)?.item.failures == 1)
      #expect(list.reason(id) == .retry)
      _ = list.take(.retry, [id], moment)
    }
  }

  /// A server that has no ranges and breaks off anywhere would be asked for ever.
  @Test func onlyMoreBytesThanEverAreProgress() {
    var list = list()
    _ = list.wake(moment)
    var tries = 0
    for received in [50, 20, 40, 30, 50, 10, 45, 50] as [Int64] {
      _ = fail(&list, .soon, received: received)
      tries += 1
      guard let due = list.nextDue() else { break }
      _ = list.wake(ListMoment(now: due, time: 0, jitter: 0))
    }
    // The first one brought bytes, and counts as the first failure after them.
    #expect(tries == 6)
    #expect(list.entry(id)?.item.state == .failed)
  }

  /// A length that was known before another version of the file came stayed, and a file of 500 bytes
  /// was shown as finished with 100 of 100.
  @Test func aFinishedFileIsAsLongAsItIs() {
    var list = list(received: 40, total: 100)
    _ = list.wake(moment)
    #expect(note(&list, 1, 300, of: nil))
    #expect(list.entry(id)?.received == 300)
    #expect(list.entry(id)?.total == nil)
    _ = list.ended(
      id, attempt: 1, .finished, failure: nil, received: 500, total: nil, moment)
    #expect(list.entry(id)?.summary.received == 500)
    #expect(list.entry(id)?.summary.total == 500)
    #expect(list.totals.fraction == 1)
  }

  /// What had been noted while the attempt ran was not stored at its end, so that the record of a
  /// finished file had fewer bytes than the file.
  @Test func theEndOfAnAttemptStoresItsBytesAlsoWhenTheyWereNotedBefore() {
    var list = list()
    _ = list.wake(moment)
    #expect(note(&list, 1, 70, of: 70))
    let actions = list.ended(
      id, attempt: 1, .finished, failure: nil, received: 70, total: 70, moment)
    #expect(actions.first == .store(.progress(id, attempt: 1, received: 70, total: 70)))
  }

  /// Each download that was removed while it ran kept its place: after three of them nothing ran.
  @Test func aRemovedDownloadGivesItsPlaceBack() {
    var list = list(10)
    _ = list.wake(moment)
    for number in 0..<10 {
      let id = ListOrderTests.id(number)
      #expect(list.entry(id)?.item.isRunning == true)
      _ = list.take(.remove, [id], moment)
      _ = list.ended(id, attempt: 1, .stopped, failure: nil, received: 0, total: nil, moment)
    }
    #expect(list.count == 0)
    #expect(list.queue.runningCount == 0)
  }

  @Test func thePauseGrowsToFiveMinutes() {
    let network = (1...9).map { ListMachine.pause(.network, failures: $0, jitter: 0.5) }
    #expect(network == [5, 10, 20, 40, 80, 160, 300, 300, 300])
    #expect(ListMachine.pause(.retry, failures: 1, jitter: 0) == 7.5)
    #expect(ListMachine.pause(.retry, failures: .max, jitter: 9) == 375)
    #expect(ListMachine.pause(.retry, failures: 0, jitter: 0.5) == 10)
  }
}
