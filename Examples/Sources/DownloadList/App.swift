import Haul

/// What is on the screen, and what the keys do.
struct App {
  static let help =
    "a add  space pause/go on  r retry  c cancel  d remove  D with file  "
    + "K/J move  +/- at once  p/P all  q quit"

  let manager: DownloadManager
  var items: [DownloadSnapshot] = []
  var totals = ListTotals()
  var selected: DownloadID?
  /// The address that is being typed.
  var typed: String?
  var message = ""
  /// How many run at once; it begins with what the manager begins with.
  var parallel = DownloadSettings().parallel
  var isOver = false

  init(_ manager: DownloadManager) { self.manager = manager }

  private var index: Int? { items.firstIndex { $0.id == selected } }

  mutating func show(_ page: DownloadPage, _ totals: ListTotals) {
    let before = index ?? 0
    items = page.items
    self.totals = totals
    // What was selected may have left the list: its neighbour is selected then.
    if index == nil { selected = items.isEmpty ? nil : items[min(before, items.count - 1)].id }
  }

  mutating func press(_ key: Key) async {
    if let text = typed { return await type(key, text) }
    message = ""
    switch key {
    case .up: select(-1)
    case .down: select(1)
    case .character("a"): typed = ""
    case .character("p"): manager.pause(.all)
    case .character("P"): manager.resume(.all)
    case .character("+"): run(parallel + 1)
    case .character("-"): run(parallel - 1)
    case .character("q"): isOver = true
    case .character(let command): if let index { take(command, index) }
    case .enter, .escape, .delete: break
    }
  }

  private func take(_ command: Character, _ index: Int) {
    let download = items[index]
    switch command {
    case " ":
      switch download.state {
      case .none, .paused: manager.start(download.id)
      case .waiting, .downloading, .verifying: manager.pause(download.id)
      case .finished, .failed: break
      }
    case "r": manager.retry(download.id)
    case "c": manager.cancel(download.id)
    case "d": manager.remove(download.id)
    case "D": manager.remove(download.id, files: true)
    case "K" where index > 0: manager.move([download.id], to: .before(items[index - 1].id))
    case "J" where index + 1 < items.count:
      manager.move([download.id], to: .after(items[index + 1].id))
    default: break
    }
  }

  private mutating func type(_ key: Key, _ text: String) async {
    switch key {
    case .character(let character): typed = text + String(character)
    case .delete: typed = String(text.dropLast())
    case .escape: typed = nil
    case .up, .down: break
    case .enter:
      typed = nil
      do throws(DownloadManagerFailure) {
        if !text.isEmpty { selected = try await manager.add(text) }
      } catch {
        message = Row.shown(error.message)
      }
    }
  }

  private mutating func select(_ step: Int) {
    guard let index, items.indices.contains(index + step) else { return }
    selected = items[index + step].id
  }

  private mutating func run(_ count: Int) {
    let count = min(max(0, count), 16)
    parallel = count
    manager.updateSettings { $0.parallel = count }
  }

  /// What is typed, else what went wrong: with the last key, or with the selected download.
  private var foot: String {
    if let typed { return "Address: \(Row.shown(typed))_" }
    if !message.isEmpty { return message }
    return index.flatMap { items[$0].failure }.map { Row.shown($0.message) } ?? ""
  }

  /// The lines of the screen: a head, as many downloads as there is room for, and what is typed.
  func lines(rows: Int) -> [String] {
    let room = max(1, rows - 3)
    let first = max(0, min((index ?? 0) - room / 2, items.count - room))
    let head =
      "\(totals.count) downloads, \(totals.counts[.finished] ?? 0) finished, "
      + "\(parallel) at once"
    return [head]
      + items.dropFirst(first).prefix(room).map { Row.text($0, isSelected: $0.id == selected) }
      + [foot, Self.help]
  }
}
