/// The output of `perf script -F ip,sym,dso`: samples with a line for each function, the running
/// one first, and a blank line after each sample.
enum PerfScript {
  /// Calls the body with the chain of calls of each sample.
  static func forEachSample(in text: String, _ body: ([Frame]) -> Void) {
    var chain: [Frame] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let frame = frame(line) {
        chain.append(frame)
      } else if !chain.isEmpty {
        body(chain)
        chain = []
      }
    }
    if !chain.isEmpty { body(chain) }
  }

  /// Reads `ADDRESS SYMBOL (OBJECT)`; a symbol may have spaces.
  static func frame(_ line: Substring) -> Frame? {
    let trimmed = line.drop(while: \.isWhitespace)
    guard let space = trimmed.firstIndex(of: " "), trimmed.hasSuffix(")") else { return nil }
    let rest = trimmed[trimmed.index(after: space)...].dropLast()
    // The object is behind the last bracket that follows a space.
    guard let bracket = rest.ranges(of: " (").last else { return nil }
    return Frame(
      symbol: String(rest[..<bracket.lowerBound]), object: String(rest[bracket.upperBound...]))
  }
}
