/// Makes texts as a broken or hostile server might send them.
enum Hostile {
  private static let fragments: [[UInt8]] = [
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "-1", "+1", "00", "\0",
    "\r\n", "\"", "\\", "%", "%00", "%2F", "%zz", ";", ",", "=", ":", "/", "//", "..", "?", "#",
    "@", "[", "]", "*", "'", " ", "\t", "=?utf-8?q?", "?=", "\u{202E}", "\u{301}", "é", "😀",
    "\u{200D}", "CON", ".haul-part", "W/",
  ].map { Array($0.utf8) }

  /// Random bytes, read as a header value is: invalid UTF-8 is repaired.
  static func noise(_ random: inout SplitMix64) -> String {
    let count = Int.random(in: 0...40, using: &random)
    let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One of the examples with some bytes removed, changed, repeated, or hostile ones put in.
  static func mutation(of examples: [String], _ random: inout SplitMix64) -> String {
    var bytes = Array((examples.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let at = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where at < bytes.count: bytes.remove(at: at)
      case 1 where at < bytes.count: bytes[at] = .random(in: .min ... .max, using: &random)
      case 2:
        let end = min(bytes.count, at + Int.random(in: 0...12, using: &random))
        bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 3: bytes.removeSubrange(at..<min(bytes.count, at + 5))
      default: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: at)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Many texts of both kinds.
  static func texts(like examples: [String], count: Int, seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      index % 4 == 0 ? noise(&random) : mutation(of: examples, &random)
    }
  }
}
