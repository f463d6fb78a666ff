/// The output of `callgrind_annotate`: a line for each function with the instructions in it.
enum CallgrindReport {
  /// Reads `INSTRUCTIONS (PERCENTAGE) FILE:SYMBOL [OBJECT]`; the percentage and the object may be
  /// missing. Nil for other lines.
  static func function(_ line: Substring) -> (frame: Frame, instructions: Double)? {
    let trimmed = line.drop { $0 == " " }
    guard let space = trimmed.firstIndex(of: " "),
      let count = Double(trimmed[..<space].replacing(",", with: ""))
    else { return nil }
    var rest = trimmed[space...].drop { $0 == " " }
    if rest.hasPrefix("("), let end = rest.firstIndex(of: ")") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    guard let colon = rest.firstIndex(of: ":") else { return nil }
    let place = rest[rest.index(after: colon)...]
    guard place.hasSuffix("]"), let bracket = place.ranges(of: " [").last else {
      return (Frame(symbol: String(place), object: ""), count)
    }
    let object = place[bracket.upperBound...].dropLast()
    return (Frame(symbol: String(place[..<bracket.lowerBound]), object: String(object)), count)
  }
}
