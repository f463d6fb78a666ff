import HaulHTTP
import Testing

/// What must hold for every name made from a text of others.
enum FileNameRules {
  static func check(_ name: String?, madeFrom raw: String) {
    guard let name else { return }
    if let fault = fault(of: name) {
      Issue.record("\(raw.debugDescription) gave \(name.debugDescription): \(fault)")
    }
  }

  /// What is wrong with a name, said without using the code under test where possible.
  static func fault(of name: String) -> String? {
    let bytes = Array(name.utf8)
    let forbidden = Array("<>:\"|?*/\\".utf8)
    if bytes.isEmpty { return "empty" }
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || forbidden.contains($0) }) {
      return "forbidden byte"
    }
    if bytes[0] == 0x2E || bytes[0] == 0x2D || bytes[0] == 0x20 { return "bad start" }
    if bytes.last == 0x2E || bytes.last == 0x20 { return "bad end" }
    let hidden: Set<UInt32> = [
      0x200B, 0x200E, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF, 0x85, 0x2028,
    ]
    if name.unicodeScalars.contains(where: { hidden.contains($0.value) }) { return "invisible" }
    let lower = name.lowercased()
    for suffix in [".haul-part", ".haul-journal", ".haul-bad", ".haul-mission"]
    where lower.hasSuffix(suffix) { return "own suffix" }
    let stem = lower.prefix { $0 != "." }
    if ["con", "prn", "aux", "nul", "com1", "lpt9"].contains(String(stem)) { return "reserved" }
    // A name of nothing but underscores can be the result of a cut, never of a first reduction.
    guard let again = FileName.safe(name) else { return nil }
    return Array(again.utf8) == bytes ? nil : "not stable: \(again.debugDescription)"
  }
}
