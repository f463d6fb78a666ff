/// A key of the keyboard.
enum Key: Sendable, Hashable {
  case up, down, enter, escape, delete
  case character(Character)

  /// The keys of what a terminal sent.
  static func keys(_ bytes: some Collection<UInt8>) -> [Key] {
    var keys: [Key] = []
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = rest.first {
      if rest.hasPrefix("\u{1B}[") || rest.hasPrefix("\u{1B}O") {
        // Up to the letter that ends the sequence.
        let body = rest.dropFirst(2)
        guard let end = body.firstIndex(where: { $0.isLetter || $0 == "~" }) else { return keys }
        if body[end] == "A" { keys.append(.up) }
        if body[end] == "B" { keys.append(.down) }
        rest = body[body.index(after: end)...]
        continue
      }
      switch first {
      case "\u{1B}": keys.append(.escape)
      case "\r", "\n", "\r\n": keys.append(.enter)
      case "\u{7F}", "\u{8}": keys.append(.delete)
      default: keys.append(.character(first))
      }
      rest.removeFirst()
    }
    return keys
  }
}
