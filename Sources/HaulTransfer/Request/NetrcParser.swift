/// Reads the words of a netrc file one after another.
struct NetrcParser {
  private enum Expected {
    case keyword
    case machine
    case login, password
    /// A value that is of no use here.
    case other
  }

  private var entries: [Netrc.Entry] = []
  private var expected = Expected.keyword
  /// Where the value that is expected was announced.
  private var announced = 0
  private var isInMacro = false

  mutating func parse(_ bytes: [UInt8]) throws(NetrcError) -> [Netrc.Entry] {
    // Editors of some systems begin a text with a mark that is no part of it.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw NetrcError(message: "is not text in UTF-8")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() { try take(line, number: index + 1) }
    guard case .keyword = expected else {
      throw NetrcError(line: announced, message: "ends where a value is missing")
    }
    guard !entries.isEmpty else {
      throw NetrcError(message: "has no entry such as: machine HOST login USER password PASSWORD")
    }
    return entries
  }

  private mutating func take(_ line: ArraySlice<UInt8>, number: Int) throws(NetrcError) {
    var rest = line
    while let last = rest.last, Self.isSpace(last) { rest.removeLast() }
    if isInMacro {
      // An empty line ends a macro.
      isInMacro = !rest.isEmpty
      return
    }
    while true {
      rest = rest.drop(while: Self.isSpace)
      guard let first = rest.first else { return }
      if first == UInt8(ascii: "#") {
        guard case .keyword = expected else {
          throw NetrcError(
            line: number, message: "has a # where a value is expected; put such a value in quotes")
        }
        return
      }
      let isQuoted = first == UInt8(ascii: "\"")
      let word = isQuoted ? try Self.quoted(&rest, number) : Self.plain(&rest)
      take(word, number)
      if isInMacro { return }
    }
  }

  private mutating func take(_ word: String, _ number: Int) {
    defer { if case .keyword = expected {} else { announced = number } }
    let last = entries.indices.last
    switch expected {
    case .machine: entries.append(Netrc.Entry(host: Netrc.plain(word)))
    case .login: if let last { entries[last].login = word }
    case .password: if let last { entries[last].password = word }
    case .other: break
    case .keyword:
      expected = keyword(word.lowercased())
      return
    }
    expected = .keyword
  }

  /// What a keyword announces.
  private mutating func keyword(_ word: String) -> Expected {
    switch word {
    case "machine": return .machine
    case "default": entries.append(Netrc.Entry())
    case "macdef": isInMacro = true
    case "login" where !entries.isEmpty: return .login
    case "password" where !entries.isEmpty: return .password
    case "account" where !entries.isEmpty: return .other
    default: break
    }
    return .keyword
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func plain(_ rest: inout ArraySlice<UInt8>) -> String {
    let word = rest.prefix { !isSpace($0) }
    rest = rest.dropFirst(word.count)
    return String(decoding: word, as: UTF8.self)
  }

  private static func quoted(
    _ rest: inout ArraySlice<UInt8>, _ number: Int
  ) throws(NetrcError) -> String {
    rest.removeFirst()
    var word: [UInt8] = []
    var isEscaped = false
    while let byte = rest.popFirst() {
      if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "n"): word.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): word.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): word.append(UInt8(ascii: "\t"))
        default: word.append(byte)
        }
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        return String(decoding: word, as: UTF8.self)
      } else {
        word.append(byte)
      }
    }
    throw NetrcError(line: number, message: "has a quote that does not end")
  }
}
