/// A program that takes part.
enum Program: String, Sendable, Hashable, Codable, CaseIterable {
  case haul, curl, aria2c, wget2, axel

  /// The version in what the program prints for `--version`: the first word with a digit and a dot
  /// in it.
  static func version(in text: String) -> String? {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    let words = line.split { $0 == " " || $0 == "/" }
    return words.first { $0.contains(".") && $0.contains(where: \.isNumber) }.map(String.init)
  }
}
