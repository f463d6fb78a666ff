import Testing

@testable import HaulCLI
@testable import HaulTransfer

/// The lines of the display, over widths and states.
@Suite struct BoardTests {
  static func board(_ locale: String = "C.UTF-8") -> Board {
    Board(Terminal(isThere: true, EnvironmentSettings { ["TERM": "xterm", "LANG": locale][$0] }))
  }

  static func note(_ state: TransferState, in seconds: Double? = nil) -> RowNote? {
    let at = seconds.map { Instant(nanoseconds: 0).advanced(seconds: $0) }
    let progress = TransferProgress(
      state: state, received: 0, resumedFrom: 0, connections: 1, resumesAt: at)
    return RowNote(progress, now: 0)
  }

  static let lost = TransferFailure(code: .connectionLost, message: "was cut")

  static let view = BoardView(
    rows: [
      FileRow(
        name: "ubuntu-24.04.1-desktop-amd64.iso", received: 2_694_881_440, total: 6_227_702_579,
        share: 0.4327, rate: 11_744_051, secondsLeft: 298),
      FileRow(
        name: "日本語のファイル.tar.gz", received: 700, total: 1000, share: 0.7,
        note: note(.waiting(lost), in: 11.2)),
      FileRow(name: "stream", received: 5_000_000, step: 2, rate: 999),
    ],
    hidden: 12,
    whole: WholeRow(
      done: 12, running: 15, waiting: 48, failed: 1, fetched: 1 << 31, rate: 33e6,
      secondsLeft: 7500, isEstimate: true, share: 0.1721),
    longestName: 32)

  func texts(_ view: BoardView, _ columns: Int, in board: Board = Self.board()) -> [String] {
    board.lines(view, columns: columns).map(\.text)
  }

  @Test(arguments: [
    (
      150,
      """
      ubuntu-24.04.1-desktop-amd64.iso                 ━━━━━━━━━━━━━━━━━───────────────────────  43.2%  2.51/5.80 GiB  11.2 MiB/s    4m58s left
      日本語のファイル.tar.gz                          ━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────  70.0%     700/1000 B  connection lost, next try in 12s
      stream                                           ──━━━───────────────────────────────────              4.77 MiB     999 B/s
      … and 12 more
      12 of 76 done, 15 running, 48 waiting, 1 failed  ━━━━━━╸─────────────────────────────────  17.2%       2.00 GiB  31.5 MiB/s   ~2h05m left
      """
    ),
    (
      79,
      """
      ubuntu-24…amd64.iso  ━━━━──────  43.2%  2.51/5.80 GiB  11.2 MiB/s    4m58s left
      日本語の…ル.tar.gz   ━━━━━━━───  70.0%     700/1000 B  connection lost: 12s
      stream               ──━━━─────              4.77 MiB     999 B/s
      … and 12 more
      12/76, 15 running, 1 failed      17.2%       2.00 GiB  31.5 MiB/s   ~2h05m left
      """
    ),
    (
      39,
      """
      ubuntu-…64.iso 43.2% 11.2 MiB/s   4m58s
      日本語….tar.gz 70.0% next try in 12s
      stream         4.77M    999 B/s
      … and 12 more
      12/76          17.2% 31.5 MiB/s  ~2h05m
      """
    ),
    (
      19,
      """
      ubuntu…64.iso 43.2%
      日本….tar.gz  12s
      stream        4.77M
      … and 12 more
      12/76         17.2%
      """
    ),
  ])
  func whatThereIsRoomFor(_ columns: Int, _ expected: String) {
    #expect(texts(Self.view, columns).joined(separator: "\n") == expected)
  }

  /// All lengths are known.
  @Test func theLineForAllFilesNamesTheirBytes() {
    var view = Self.view
    view.whole?.bytes = ByteStanding(received: 14_889_779, total: 21_286_093)
    #expect(texts(view, 150).last?.contains("  17.2%  14.2/20.3 MiB  31.5 MiB/s") == true)
  }

  @Test func inASCII() {
    let expected = """
      ubuntu-2...md64.iso  [===>    ]  43.2%  2.51/5.80 GiB  11.2 MiB/s    4m58s left
      stream               [  <=>   ]              4.77 MiB     999 B/s
      ... and 12 more
      12/76, 15 running, 1 failed      17.2%       2.00 GiB  31.5 MiB/s   ~2h05m left
      """
    var view = Self.view
    view.rows.remove(at: 1)
    #expect(texts(view, 79, in: Self.board("C")).joined(separator: "\n") == expected)
  }

  static let states: [(TransferState, Double?)] = [
    (.connecting, nil), (.receiving, nil), (.waiting(lost), 5), (.waiting(lost), 99_999),
    (.waiting(TransferFailure(code: .httpStatus, status: 503, message: "")), 0),
    (.waitingForHost, 30), (.waitingForPlace, nil), (.verifying, nil), (.ended, nil),
  ]

  /// A line that is as wide as the terminal is broken by it, and everything after stands wrong.
  @Test func noLineIsEverTooWide() {
    let names = ["", "a", "ubuntu-24.04.1-desktop-amd64.iso", String(repeating: "日本", count: 60)]
    for (board, isOpen) in [(Self.board(), true), (Self.board("C"), false)] {
      let rows = Self.states.enumerated().flatMap { number, state in
        [nil, 0.5].map { share in
          FileRow(
            name: board.text.harmless(names[number % names.count]), received: .max,
            total: share.map { _ in .max }, share: share, rate: 1e15, secondsLeft: 8_000_000,
            connections: 16, note: Self.note(state.0, in: state.1))
        }
      }
      let whole = WholeRow(
        done: 1_000_000, running: 1000, waiting: 64, failed: 12345, isOpen: isOpen, fetched: .max,
        rate: .infinity, secondsLeft: 1e9, isEstimate: true, share: isOpen ? nil : 0.5)
      let view = BoardView(rows: rows, hidden: 984, whole: whole, longestName: 240)
      for columns in Array(1...90) + [100, 119, 132, 160, 200, 299, 300] {
        for line in board.lines(view, columns: columns) where line.width > columns {
          Issue.record("\(columns): \(line.text)")
        }
      }
    }
  }

  @Test(arguments: [
    (BoardTests.note(.connecting), "connecting"), (BoardTests.note(.verifying), "checking"),
    (BoardTests.note(.waitingForHost, in: 30), "the server asked for a pause: 30s"),
    (BoardTests.note(.waitingForPlace), "waiting for a free connection"),
    (BoardTests.note(.waiting(lost), in: 0.1), "connection lost, next try in 1s"),
    (BoardTests.note(.waiting(lost), in: -3), "connection lost, next try in 0s"),
  ])
  func whyNothingArrives(_ note: RowNote?, _ text: String) {
    let row = FileRow(name: "file", received: 5, total: 10, share: 0.5, note: note)
    let line = texts(BoardView(rows: [row], longestName: 4), 110)
    #expect(
      line == ["file  ━━━━━━━━━━━━━━━━━━━━────────────────────  50.0%         5/10 B  \(text)"])
  }

  @Test func ofAFileThatHasNotBegunNothingIsSaid() {
    let row = FileRow(name: "file", received: 0, note: Self.note(.connecting))
    let line = texts(BoardView(rows: [row], longestName: 4), 79)
    #expect(
      line == ["file  ─────────────────────────                        connecting"], "\(line)")
  }

  @Test func connectionsAreShownWhereThereAreSeveral() {
    let row = FileRow(
      name: "file", received: 5, total: 10, share: 0.5, rate: 1, secondsLeft: 5, connections: 8)
    #expect(texts(BoardView(rows: [row], longestName: 4), 120)[0].hasSuffix("5s left   8 conn"))
    #expect(texts(BoardView(rows: [row], longestName: 4), 60)[0].hasSuffix("1 B/s       5s"))
  }

  @Test(arguments: [
    (WholeRow(done: 3, running: 2, isOpen: true), "3 done, 2 running, more to come"),
    (WholeRow(done: 3, waiting: 64, isOpen: true), "3 done, 0 running, 64 or more waiting"),
    (WholeRow(done: 3, running: 2), "3 of 5 done, 2 running"),
    (WholeRow(running: 1, failed: 2), "0 of 3 done, 1 running, 2 failed"),
    (WholeRow(isStopping: true), "stopping; what was received is kept (Ctrl-C again: at once)"),
  ])
  func theWhole(_ whole: WholeRow, _ text: String) {
    let line = texts(BoardView(whole: whole), 140)[0]
    #expect(line == text || line.hasPrefix(text + "  "))
  }

  @Test(arguments: [
    (3, false, 24, 3), (22, false, 24, 22), (23, false, 24, 21), (21, true, 24, 21),
    (22, true, 24, 20), (1000, true, 24, 20), (1, false, 1, 1), (1, false, 2, 1), (5, true, 3, 0),
    (5, true, 1, 0),
  ])
  func rowsThatFit(_ files: Int, _ hasWhole: Bool, _ rows: Int, _ visible: Int) {
    #expect(Board.visibleRows(files: files, hasWhole: hasWhole, rows: rows) == visible)
  }

  @Test func theMarkGoesToAndFro() {
    let bar = ProgressBar(hasLines: false)
    let marks = (0..<9).map { step in
      var line = StyledLine()
      bar.drawMark(at: step, width: 9, on: &line)
      return line.text
    }
    #expect(
      marks == [
        "[<=>    ]", "[ <=>   ]", "[  <=>  ]", "[   <=> ]", "[    <=>]", "[   <=> ]", "[  <=>  ]",
        "[ <=>   ]", "[<=>    ]",
      ])
  }
}
