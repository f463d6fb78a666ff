import Testing

@testable import HaulCLI

@Suite struct ScreenTests {
  final class Paper {
    var writes: [String] = []
  }

  let paper = Paper()

  /// A terminal that is told to erase everything keeps it to be scrolled back to: bars that began in
  /// the first row were found there after each message.
  static let erasure = "\u{1B}[K\u{1B}[B\u{1B}[J\u{1B}[A"

  func screen(rewraps: Bool = true) -> Screen {
    Screen(rewraps: rewraps, isColoured: false) { [paper] in paper.writes.append($0) }
  }

  func lines(_ texts: String...) -> [StyledLine] { texts.map { StyledLine($0) } }

  @Test func aDrawingIsOneWrite() {
    var screen = screen()
    screen.draw(lines("one", "two"), columns: 80)
    #expect(
      paper.writes == [
        "\u{1B}[?2026h\r\u{1B}[?7lone\u{1B}[K\r\ntwo\u{1B}[K\r\n\u{1B}[?7h\u{1B}[J\u{1B}[?2026l"
      ])
  }

  @Test func nothingIsWrittenWhenNothingChanged() {
    var screen = screen()
    screen.draw(lines("one"), columns: 80)
    screen.draw(lines("one"), columns: 80)
    screen.draw(lines("one"), columns: 100)
    #expect(paper.writes.count == 1)
    screen.erase(columns: 80)
    screen.erase(columns: 80)
    #expect(paper.writes.count == 2)
    #expect(paper.writes[1] == "\r\u{1B}[1A" + Self.erasure)
  }

  @Test func theNextDrawingBeginsWhereTheLastOneDid() {
    var screen = screen()
    screen.draw(lines("one", "two"), columns: 80)
    screen.draw(lines("three"), columns: 80)
    #expect(paper.writes[1].hasPrefix("\u{1B}[?2026h\r\u{1B}[2A\u{1B}[?7lthree"))
  }

  @Test func linesThatStayScrollUpInTheSameWrite() {
    var screen = screen()
    screen.draw(lines("bar"), columns: 80)
    screen.add(StyledLine("finished x"))
    #expect(paper.writes.count == 1)
    screen.draw(lines("bar"), columns: 80)
    #expect(paper.writes.count == 2)
    #expect(
      paper.writes[1].contains("\u{1B}[1A\(Self.erasure)finished x\r\n\u{1B}[?7lbar\u{1B}[K\r\n"))
  }

  /// Each line of 70 columns takes two rows of 40, and one of 100 columns three.
  @Test(arguments: [(true, 40, 5), (true, 200, 2), (true, 35, 5), (false, 40, 2)])
  func linesThatWereBrokenMeanwhileAreErasedAsAWhole(
    _ rewraps: Bool, _ columns: Int, _ rows: Int
  ) {
    var screen = screen(rewraps: rewraps)
    let long = String(repeating: "x", count: 70)
    screen.draw(lines(long, long + String(repeating: "y", count: 30)), columns: 120)
    screen.erase(columns: columns)
    #expect(paper.writes[1] == "\r\u{1B}[\(rows)A" + Self.erasure)
  }

  @Test func wideCharactersAreNotHalved() {
    #expect(StyledLine("日本語").rows(at: 5) == 2)
    #expect(StyledLine("日本語").rows(at: 3) == 3)
    #expect(StyledLine("日本語").rows(at: 6) == 1)
    #expect(StyledLine("").rows(at: 6) == 1)
    #expect(StyledLine("日本語").rows(at: 1) == 3)
  }

  @Test func whatOthersWroteOverIsLeftAlone() {
    var screen = screen()
    screen.draw(lines("one", "two"), columns: 80)
    screen.forget()
    screen.draw(lines("one", "two"), columns: 80)
    #expect(!paper.writes[1].contains("A"))
  }

  @Test func whatWaitsIsToldByAnErasure() {
    var screen = screen()
    screen.add(StyledLine("one"))
    screen.erase(columns: 80)
    #expect(paper.writes == ["one\r\n"])
  }

  @Test func colours() {
    var line = StyledLine("finished", .good)
    line.add(" x ")
    line.add("y", .bad)
    #expect(line.rendered(isColoured: true) == "\u{1B}[32mfinished\u{1B}[m x \u{1B}[31my\u{1B}[m")
    #expect(line.rendered(isColoured: false) == "finished x y")
    #expect(line.cut(to: 10).rendered(isColoured: true) == "\u{1B}[32mfinished\u{1B}[m x")
    line.pad(to: 20)
    #expect(line.trimmed.width == 12)
  }

  @Test(arguments: [
    (["TERM": "xterm", "LANG": "C.UTF-8"], true, true),
    (["TERM": "xterm", "LANG": "C"], true, false),
    (["TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C"], true, false),
    (["TERM": "xterm", "LANG": "C", "LC_CTYPE": "de_DE.utf8"], true, true),
    (["TERM": "xterm", "LANG": "C", "LC_ALL": ""], true, false), ([:], false, false),
    (["TERM": "dumb", "LANG": "C.UTF-8"], false, true),
  ])
  func whatATerminalCanDo(
    _ variables: [String: String], _ isAddressable: Bool, _ isUTF8: Bool
  ) {
    let environment = EnvironmentSettings { variables[$0] }
    let terminal = Terminal(isThere: true, environment)
    #expect(terminal.isAddressable == isAddressable)
    #expect(terminal.isUTF8 == isUTF8)
    #expect(!Terminal(isThere: false, environment).isAddressable)
  }
}
