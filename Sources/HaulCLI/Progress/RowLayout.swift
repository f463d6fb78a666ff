/// Where the fields of a row stand: in a narrow terminal the less important ones are left out.
struct RowLayout: Hashable, Sendable {
  let columns: Int
  /// The blanks between fields.
  let gap: Int
  private(set) var name = 0
  private(set) var bar = 0
  private(set) var percent = 0
  private(set) var sizes = 0
  private(set) var rate = 0
  private(set) var left = 0
  private(set) var connections = 0

  /// Whether the time left has the word “left” with it.
  var saysLeft: Bool { left == Self.longLeft }

  /// Where the text begins that takes the place of rate and time.
  var noteStart: Int {
    [name, bar, percent, sizes].filter { $0 > 0 }.reduce(0) { $0 + $1 + gap }
  }

  static let shortLeft = 7
  static let longLeft = 12
  static let shortestBar = 10
  static let longestBar = 40

  init(columns: Int, longestName: Int, hasConnections: Bool) {
    self.columns = columns
    gap = columns < 60 ? 1 : 2
    var room = columns
    // Each field comes in when the name keeps so many columns beside it, or all that it needs.
    func takes(_ width: Int, _ gap: Int, leaving least: Int) -> Int {
      guard room - width - gap >= min(least, longestName) else { return 0 }
      room -= width + gap
      return width
    }
    percent = takes(5, gap, leaving: 4)
    rate = percent > 0 ? takes(10, gap, leaving: 12) : 0
    left = rate > 0 ? takes(Self.shortLeft, gap, leaving: 13) : 0
    bar = left > 0 ? takes(Self.shortestBar, gap, leaving: 14) : 0
    sizes = bar > 0 ? takes(13, gap, leaving: 15) : 0
    if sizes > 0 { left += takes(Self.longLeft - Self.shortLeft, 0, leaving: 16) }
    if hasConnections, saysLeft { connections = takes(7, gap, leaving: 16) }
    name = min(room, longestName)
    room -= name
    guard bar > 0 else { return }
    bar += min(room, Self.longestBar - bar)
  }
}
