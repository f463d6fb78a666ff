/// A program that takes part.
enum Program: String, Sendable, Hashable, Codable, CaseIterable {
  case haul, curl, aria2c, wget2, axel
  /// What copies a file, and what receives one with no more than it takes: floors, no peers.
  case cp, receiver

  /// Those that Haul is compared with.
  static let peers: [Program] = [.curl, .aria2c, .wget2, .axel]

  /// The version in what the program prints for `--version`: the first word with a digit and a dot
  /// in it.
  static func version(in text: String) -> String? {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    let words = line.split { $0 == " " || $0 == "/" }
    return words.first { $0.contains(".") && $0.contains(where: \.isNumber) }.map(String.init)
  }
}
