import HaulTransfer
import Testing

@testable import HaulCLI

/// What is told at the end of a run.
@Suite struct SummaryTests {
  func summary(
    _ results: [TransferResult], waiting: Int = 0, isListOpen: Bool = false, isDryRun: Bool = false
  ) -> String {
    var ledger = RunLedger()
    for (number, result) in results.enumerated() {
      ledger.take(TrackerTests.started(number))
      ledger.take(TrackerTests.ended(number, result))
    }
    return RunSummary(
      ledger: ledger, waiting: waiting, isListOpen: isListOpen, isDryRun: isDryRun, time: 2
    ).line.text
  }

  @Test func counts() {
    let done = TrackerTests.finished(1 << 20)
    let failed = TransferResult.failed(TransferFailure(code: .timeout, message: "x"))
    let stopped = TransferResult.stopped(received: 0)
    #expect(summary([done, done]) == "2 files are there: 2.00 MiB in 2.0 s, 1.00 MiB/s")
    #expect(
      summary([done, .skipped(path: "x", by: .digest)])
        == "2 files are there (1 skipped): 1.00 MiB in 2.0 s, 512 KiB/s")
    #expect(summary([.skipped(path: "x", by: .digest)]) == "1 file is there (1 skipped)")
    #expect(
      summary([done, failed, stopped], waiting: 3)
        == "1 of 6 files is there, 1 failed, 1 interrupted, 3 not begun: "
        + "1.00 MiB in 2.0 s, 512 KiB/s")
    #expect(
      summary([stopped], isListOpen: true)
        == "0 of 1 files are there, 1 interrupted, and the rest of the list was not read")
    #expect(summary([failed, failed], isDryRun: true) == "0 of 2 files would be there, 2 failed")
  }

  /// Bytes of an earlier run are no work of this one.
  @Test func whatWasThereBeforeIsNotCountedAsFetched() {
    var ledger = RunLedger()
    ledger.take(TrackerTests.started(1, from: 1 << 20))
    #expect(ledger.take(TrackerTests.ended(1, TrackerTests.finished(3 << 20))) == 2 << 20)
    let summary = RunSummary(
      ledger: ledger, waiting: 0, isListOpen: false, isDryRun: false, time: 2)
    #expect(summary.line.text == "1 file is there: 2.00 MiB fetched in 2.0 s, 1.00 MiB/s")
  }

  @Test func failuresOfOneKindStandTogether() {
    var list = FailureList()
    list.add("timeout", "a")
    list.add("http-status", "b")
    list.add("timeout", "c\u{1B}")
    #expect(
      list.lines.map(\.text) == [
        "failed [timeout], 2 files:", "  a", "  c\u{FFFD}", "failed [http-status]:", "  b",
      ])
  }

  @Test func ofManyFailuresTwentyAreTold() {
    var list = FailureList()
    for number in 1...1000 { list.add("timeout", "\(number)") }
    list.add("disk-full", "x")
    let lines = list.lines.map(\.text)
    #expect(lines.count == 19 + 1 + 3)
    #expect(lines[0] == "failed [timeout], 1000 files:")
    #expect(lines[1] == "  1")
    #expect(lines[19] == "  19")
    #expect(lines[20] == "  and 981 more")
    #expect(lines[21...] == ["failed [disk-full]:", "  x"])
    #expect(list.count == 1001)
  }

  func going(
    _ results: [TransferResult], _ arguments: [String] = ["http://h/x"],
    isInterrupted: Bool = false,
    hasFinished: Bool = false, areNamesDistinct: Bool = true
  ) -> String? {
    var going = GoingOn(RepeatCommand(["haul", "get"] + arguments), mayAddSkip: true)
    for result in results {
      switch result {
      case .failed(let failure): going.note(failure)
      case .stopped(let count, let isResumable):
        going.noteStop(received: count, isResumable: isResumable)
      default: break
      }
    }
    return going.text(
      isInterrupted: isInterrupted, hasSeveral: results.count > 1, hasFinished: hasFinished,
      areNamesDistinct: areNamesDistinct)
  }

  @Test func howItGoesOn() {
    let kept = TransferResult.stopped(received: 5, isResumable: true)
    let lost = TransferResult.stopped(received: 5, isResumable: false)
    let none = TransferResult.stopped(received: 0)
    var timeout = TransferFailure(code: .timeout, message: "")
    var refused = TransferFailure(code: .tooLarge, message: "")
    #expect(going([.failed(timeout)]) == nil)
    (timeout.isResumable, refused.isResumable) = (true, true)
    let keeps = "what was received is kept; "
    #expect(going([kept]) == keeps + "to go on: haul get http://h/x")
    #expect(going([.failed(timeout)]) == keeps + "to go on: haul get http://h/x")
    #expect(going([.failed(refused)]) == nil)
    #expect(going([none]) == nil)
    #expect(going([lost]) == "to start again: haul get http://h/x")
    #expect(going([lost], ["http://h/x?key=1"]) == "the same command starts again")
    #expect(going([kept], ["http://h/x?key=1"]) == keeps + "the same command goes on from there")
    #expect(going([none, none], isInterrupted: true) == "to go on: haul get http://h/x")
    #expect(
      going([kept, lost], hasFinished: true)
        == keeps + "to go on: haul get --exists skip http://h/x")
    #expect(
      going([kept, lost], hasFinished: true, areNamesDistinct: false)
        == keeps + "to go on (fetches again what is there: files may share a name): "
        + "haul get http://h/x")
    #expect(
      going([kept, kept], ["http://u@h/x"], hasFinished: true)
        == keeps + "the same command with --exists skip goes on from there")
    #expect(
      going([kept, kept], ["--exists=rename", "-i", "-"], hasFinished: true)
        == keeps + "to go on: haul get --exists=rename -i - < LIST")
  }

  /// A list with failures ended with its count, and the command that fetches the rest was not there.
  @Test(
    arguments: [
      (.timeout, nil, true), (.nameNotResolved, nil, true), (.httpStatus, 503, true),
      (.httpStatus, 429, true), (.httpStatus, 404, false), (.httpStatus, 403, false),
      (.diskFull, nil, true), (.exists, nil, false), (.digestMismatch, nil, false),
      (.scheme, nil, false),
    ] as [(TransferFailure.Code, Int?, Bool)])
  func whatALaterRunMayGetIsWorthACommand(
    _ code: TransferFailure.Code, _ status: Int?, _ isWorthIt: Bool
  ) {
    let failed = TransferResult.failed(TransferFailure(code: code, status: status, message: ""))
    let done = TrackerTests.finished(1)
    #expect(
      going([done, failed], hasFinished: true)
        == (isWorthIt ? "to go on: haul get --exists skip http://h/x" : nil))
    // Of a single file the message says it all.
    #expect(going([failed]) == nil)
  }

  @Test func bytesBeforeALoginPageAreKept() {
    var page = TransferFailure(code: .wrongType, message: "")
    #expect(going([.failed(page)]) == nil)
    page.isResumable = true
    #expect(going([.failed(page)]) == "what was received is kept; to go on: haul get http://h/x")
  }

  @Test(arguments: [
    ("./a", "a"), (".//a/b", "a/b"), ("out/a", "out/a"), ("/a", "/a"), ("./-rf", "./-rf"),
    ("./", "./"),
  ])
  func paths(_ path: String, _ shown: String) {
    #expect(ShownPath.text(path) == shown)
  }
}
