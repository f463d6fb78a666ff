import Testing

@testable import HaulCLI
@testable import HaulTransfer

/// What is followed from look to look: rates, shares, counts.
@Suite struct TrackerTests {
  static func file(
    _ number: Int, _ received: Int64, of total: Int64? = 1000, from base: Int64 = 0,
    _ state: TransferState = .receiving, name: String = "file"
  ) -> RunningFile {
    RunningFile(
      file: number, url: "http://h/x",
      progress: .sample(
        state: state, received: received, resumedFrom: base, total: total, path: "./\(name)"))
  }

  static func run(_ files: [RunningFile], known: Int? = nil, isOpen: Bool = false) -> RunStanding {
    RunStanding(running: files, known: known ?? files.count, isListOpen: isOpen)
  }

  func tracker() -> ProgressTracker { ProgressTracker(DisplayText(isUTF8: true)) }

  static func started(_ file: Int, from: Int64 = 0) -> FileNews {
    FileNews(
      file: file, url: nil, kind: .event(.started(path: "./x", total: 1000, resumedFrom: from)))
  }

  static func ended(_ file: Int, _ result: TransferResult) -> FileNews {
    FileNews(file: file, url: nil, kind: .event(.ended(result)))
  }

  static func finished(_ bytes: Int64) -> TransferResult {
    .finished(
      FinishedTransfer(
        path: "./x", wantedName: "x", byteCount: bytes, seconds: 1, digest: nil,
        verification: .length))
  }

  @Test func aShareNeverGoesBackUnlessItIsTold() {
    var tracker = tracker()
    func share(_ received: Int64) -> Double? {
      tracker.view(Self.run([Self.file(1, received)]), RunLedger(), rows: 9, now: 0).rows[0].share
    }
    #expect(share(500) == 0.5)
    #expect(share(400) == 0.5)
    #expect(share(600) == 0.6)
    #expect(share(1000) == 0.9999)
    tracker.restart(1)
    #expect(share(100) == 0.1)
  }

  @Test func withoutALengthThereIsNoShareAndTheMarkMovesWithTheBytes() {
    var tracker = tracker()
    let rows = [0, 0, 10, 10, 20].map { received in
      tracker.view(Self.run([Self.file(1, received, of: nil)]), RunLedger(), rows: 9, now: 0).rows[
        0]
    }
    #expect(rows.allSatisfy { $0.share == nil && $0.secondsLeft == nil })
    #expect(rows.map(\.step) == [0, 0, 1, 1, 2])
  }

  @Test func ratesAndTimesLeft() {
    var tracker = tracker()
    var row: FileRow?
    for tenth in 0...100 {
      let view = tracker.view(
        Self.run([Self.file(1, Int64(tenth) * 10, of: 2000)]), RunLedger(), rows: 9,
        now: 5 + Double(tenth) / 10)
      row = view.rows[0]
    }
    #expect(abs((row?.rate ?? 0) - 100) < 0.01)
    #expect(abs((row?.secondsLeft ?? 0) - 10) < 0.5)
    // A file that waits has none, and begins anew after.
    row =
      tracker.view(
        Self.run([Self.file(1, 1000, of: 2000, .verifying)]), RunLedger(), rows: 9, now: 20
      ).rows[0]
    #expect(row?.rate == nil)
    #expect(row?.note?.forms.first == "checking")
  }

  @Test func onlyRowsThatFitAreComputed() {
    var tracker = tracker()
    let files = (1...1000).map { Self.file($0, 10) }
    let view = tracker.view(Self.run(files), RunLedger(), rows: 20, now: 0)
    #expect(view.rows.count == 20)
    #expect(view.hidden == 980)
    #expect(view.whole?.running == 1000)
    #expect(abs((view.whole?.share ?? 0) - 0.01) < 1e-9)
    #expect(view.whole?.bytes == ByteStanding(received: 10_000, total: 1_000_000))
  }

  /// A file that a list names was shown by the end of its address until the first answer came.
  @Test func theNameOfAListIsShownBeforeTheFirstAnswer() {
    var tracker = tracker()
    var file = RunningFile(
      file: 1, url: "http://h/mid.bin?3", target: "./f3.bin",
      progress: .sample(state: .waitingForPlace, received: 0, resumedFrom: 0, total: nil, path: nil)
    )
    func name(_ file: RunningFile) -> String? {
      tracker.view(Self.run([file]), RunLedger(), rows: 9, now: 0).rows.first?.name
    }
    #expect(name(file) == "f3.bin")
    file.progress.path = "./f3 (1).bin"
    #expect(name(file) == "f3 (1).bin")
    (file.progress.path, file.target) = (nil, nil)
    #expect(name(file) == "mid.bin")
  }

  @Test func columnsKeepTheirPlaceWhenTheLongestNameIsGone() {
    var tracker = tracker()
    let both = [Self.file(1, 0, name: "a-long-name"), Self.file(2, 0, name: "日本")]
    #expect(tracker.view(Self.run(both), RunLedger(), rows: 9, now: 0).longestName == 11)
    #expect(tracker.view(Self.run([both[1]]), RunLedger(), rows: 9, now: 0).longestName == 11)
  }

  /// Where lengths are not known the share of all files is that of their number, so that one that
  /// becomes known cannot push it back.
  @Test func theShareOfTheNumberOfFilesNeverGoesBack() {
    var tracker = tracker()
    var ledger = RunLedger()
    func share(_ files: [RunningFile], _ known: Int, isOpen: Bool = false) -> Double? {
      tracker.view(Self.run(files, known: known, isOpen: isOpen), ledger, rows: 9, now: 0)
        .whole?.share
    }
    #expect(share([Self.file(1, 500)], 4, isOpen: true) == nil)
    #expect(share([Self.file(1, 500), Self.file(2, 0, of: nil)], 4) == 0.125)
    #expect(
      share([Self.file(1, 500), Self.file(2, 50, of: 1_000_000)], 4).map { $0 > 0.125 } == true)
    ledger.take(Self.started(1))
    ledger.take(Self.ended(1, Self.finished(1000)))
    #expect(share([Self.file(2, 500_000, of: 1_000_000)], 4) == 0.375)
    // It started again.
    #expect(share([Self.file(2, 0, of: 1_000_000)], 4) == 0.375)
    // One that is repeated does not count.
    ledger.take(FileNews(file: 3, url: nil, kind: .repeated))
    #expect(share([Self.file(2, 500_000, of: 1_000_000)], 4) == 0.5)
  }

  /// Two small files were there and 14 of the 20 MiB of a large one were not: the line for all said
  /// 89.8 %, the mean of the three.
  @Test func theShareOfAllFilesIsThatOfTheirBytesWhereAllLengthsAreKnown() {
    var tracker = tracker()
    var ledger = RunLedger()
    func whole(
      _ files: [RunningFile], _ known: Int, waiting: Int64? = nil, isOpen: Bool = false
    ) -> WholeRow? {
      var run = Self.run(files, known: known, isOpen: isOpen)
      run.waitingBytes = waiting
      return tracker.view(run, ledger, rows: 9, now: 0).whole
    }
    for number in [1, 2] {
      ledger.take(Self.started(number))
      ledger.take(Self.ended(number, Self.finished(100)))
    }
    let row = whole([Self.file(3, 600, of: 1800)], 3)
    #expect(row?.share == 0.4)
    #expect(row?.bytes == ByteStanding(received: 800, total: 2000))
    #expect(row?.isEstimate == false)
    // Bytes of an earlier run are there as well.
    #expect(whole([Self.file(3, 600, of: 1800, from: 500)], 3)?.share == 0.4)
    // A document tells the lengths of files that have not begun.
    #expect(whole([Self.file(3, 600, of: 1800)], 4, waiting: 2000)?.share == 0.2)
    #expect(whole([Self.file(3, 600, of: 1800)], 4)?.bytes == nil)
    #expect(whole([Self.file(3, 600, of: nil)], 3)?.bytes == nil)
    #expect(whole([Self.file(3, 600, of: 1800)], 3, isOpen: true)?.share == nil)
    // What failed is not to come any more.
    ledger.take(Self.started(4))
    ledger.take(Self.ended(4, .failed(TransferFailure(code: .timeout, message: ""))))
    #expect(whole([Self.file(3, 600, of: 1800)], 4)?.share == 0.4)
    #expect(whole([Self.file(3, 1800, of: 1800)], 4)?.share == 0.9999)
    // Nothing is too large to count.
    let huge = whole([Self.file(3, .max, of: .max), Self.file(5, .max, of: .max)], 5)
    #expect(huge?.bytes == ByteStanding(received: .max, total: .max))
  }

  @Test func theTimeLeftOfAllFilesIsGuessedFromThoseThatAreKnown() {
    var tracker = tracker()
    var ledger = RunLedger()
    ledger.take(Self.started(1))
    func whole(_ received: Int64, _ known: Int, of total: Int64? = 1000, _ now: Double) -> WholeRow?
    {
      let run = Self.run([Self.file(1, received, of: total)], known: known)
      ledger.look(run.running)
      return tracker.view(run, ledger, rows: 9, now: now).whole
    }
    _ = whole(0, 3, 0)
    let guessed = whole(100, 3, 1)
    #expect(guessed?.rate.map { abs($0 - 100) < 0.01 } == true)
    #expect(guessed?.isEstimate == true)
    #expect(guessed?.secondsLeft.map { abs($0 - 29) < 0.01 } == true)
    // With a length unknown nothing can be said.
    #expect(whole(200, 3, of: nil, 2)?.secondsLeft == nil)
  }

  @Test func theListOfChecksumsIsShownButNotCounted() {
    var tracker = tracker()
    let run = Self.run([Self.file(0, 10), Self.file(1, 10)], known: 2)
    let view = tracker.view(run, RunLedger(), rows: 9, now: 0)
    #expect(view.rows.count == 2)
    #expect(view.whole?.running == 1)
    #expect(view.whole?.waiting == 1)
  }

  @Test func aSingleFileHasNoLineForTheWhole() {
    var tracker = tracker()
    var run = Self.run([Self.file(1, 10)])
    #expect(tracker.view(run, RunLedger(), rows: 9, now: 0).whole == nil)
    run.isStopping = true
    #expect(tracker.view(run, RunLedger(), rows: 9, now: 0).whole?.isStopping == true)
    run = Self.run([Self.file(1, 10)], isOpen: true)
    #expect(tracker.view(run, RunLedger(), rows: 9, now: 0).whole?.isOpen == true)
  }

  @Test func theLedgerCountsWhatThisRunFetched() {
    var ledger = RunLedger()
    ledger.take(Self.started(1, from: 400))
    ledger.look([Self.file(1, 500, from: 400), Self.file(2, 9, from: 0)])
    #expect(ledger.fetched == 100)
    ledger.take(Self.ended(1, Self.finished(1000)))
    #expect(ledger.fetched == 600)
    ledger.take(Self.started(3))
    ledger.take(Self.ended(3, .stopped(received: 50, isResumable: true)))
    ledger.take(Self.started(4))
    ledger.look([Self.file(4, 7)])
    ledger.take(Self.ended(4, .failed(TransferFailure(code: .timeout, message: ""))))
    ledger.take(Self.ended(5, .skipped(path: "./y", by: .digest)))
    // It was published by an earlier run: nothing of it is of this one.
    ledger.take(Self.ended(6, Self.finished(1000)))
    ledger.take(FileNews(file: 7, url: nil, kind: .refused(UsageError("bad"))))
    #expect(ledger.fetched == 657)
    #expect(ledger.finished == 2)
    #expect(ledger.skipped == 1)
    #expect(ledger.failed == 2)
    #expect(ledger.interrupted == 1)
    #expect(ledger.over == 6)
  }

  /// One slow connection held the last bytes, and the time left was 0 s for as long as it took.
  @Test(arguments: [(nil, 0.0), (30.0, 30.0), (.infinity, nil)] as [(Double?, Double?)])
  func theTimeLeftIsNotBelowThatOfTheLastBytes(_ own: Double?, _ shown: Double?) {
    var tracker = tracker()
    var view = BoardView()
    for second in 0...20 {
      var file = Self.file(1, 1_000_000 * Int64(second), of: 20_001_000)
      file.progress.secondsLeft = own
      let run = Self.run([file, Self.file(2, 0, of: 1)], known: 2)
      view = tracker.view(run, RunLedger(), rows: 9, now: Double(second))
    }
    #expect(view.rows[0].secondsLeft.map { $0.rounded() } == shown)
    #expect(view.whole?.secondsLeft == nil || view.whole?.secondsLeft.map { $0.rounded() } == shown)
  }
}
