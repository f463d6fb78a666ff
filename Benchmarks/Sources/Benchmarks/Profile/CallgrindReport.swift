/// The output of `callgrind_annotate`: a line for each function with the instructions in it.
enum CallgrindReport {
  /// Reads `INSTRUCTIONS (PERCENTAGE) FILE:SYMBOL [OBJECT]`; the percentage and the object may be
  /// missing. Nil for other lines.
  static func function(_ line: Substring) -> (frame: Frame, instructions: Double)? {
    var words = line.split(separator: " ")
    guard let first = words.first, let count = Double(first.replacing(",", with: "")) else {
      return nil
    }
    words.removeFirst()
    if words.first?.hasSuffix("%)") == true { words.removeFirst() }
    guard let place = words.first, place.contains(":") else { return nil }
    var object = ""
    if words.count > 1, let last = words.last, last.hasPrefix("["), last.hasSuffix("]") {
      object = String(last.dropFirst().dropLast())
      words.removeLast()
    }
    let text = words.joined(separator: " ")
    let symbol = text[
      (text.firstIndex(of: ":").map { text.index(after: $0) } ?? text.startIndex)...]
    return (Frame(symbol: String(symbol), object: object), count)
  }
}
