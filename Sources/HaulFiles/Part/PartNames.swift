import HaulHTTP

/// The names of the files beside a target.
enum PartNames {
  static let partSuffix = ".haul-part"
  static let journalSuffix = ".haul-journal"
  static let badSuffix = ".haul-bad"
  /// The longest final name, so that every suffix fits into the 255 bytes of a file system.
  static let maxBytes = 255 - 13

  static func part(_ stem: String) -> String { stem + partSuffix }
  static func journal(_ stem: String) -> String { stem + journalSuffix }
  static func bad(_ stem: String) -> String { stem + badSuffix }

  /// The stem of a journal's name, or nil for another name.
  static func stem(ofJournal name: String) -> String? {
    guard name.hasSuffix(journalSuffix), name.utf8.count > journalSuffix.utf8.count else {
      return nil
    }
    return String(name.dropLast(journalSuffix.count))
  }

  /// The stem of a part's name, or nil for another name.
  static func stem(ofPart name: String) -> String? {
    guard name.hasSuffix(partSuffix), name.utf8.count > partSuffix.utf8.count else { return nil }
    return String(name.dropLast(partSuffix.count))
  }

  /// Whether a name ends like one of ours, in any case.
  static func isOurs(_ name: String) -> Bool {
    let lowered = name.lowercased()
    return [partSuffix, journalSuffix, badSuffix].contains { lowered.hasSuffix($0) }
  }

  static func path(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}
