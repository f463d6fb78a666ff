internal import HaulRecords

/// Which folders the names of bases stand for.
struct DownloadBases: Sendable {
  private let folders: [String: String]

  /// Takes over absolute paths by name.
  init(_ folders: [String: String]) {
    self.folders = folders.mapValues { path in
      var path = path
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      return path
    }
  }

  /// The path that a record means; nil when its base is not known.
  func path(of path: RecordPath) -> String? {
    guard let base = folders[path.base] else { return nil }
    if path.relative.isEmpty { return base }
    return base == "/" ? "/" + path.relative : base + "/" + path.relative
  }

  /// The folders that the names stand for.
  var all: Set<String> { Set(folders.values) }

  /// What stands for a folder in records; nil for one that is below no base.
  func record(ofFolder path: String) -> RecordPath? {
    for (name, base) in folders.sorted(by: { $0.key < $1.key }) {
      if path == base { return try? RecordPath(base: name) }
      let start = base == "/" ? base : base + "/"
      if path.hasPrefix(start) {
        return try? RecordPath(base: name, relative: String(path.dropFirst(start.count)))
      }
    }
    return nil
  }

  /// What stands for a path in records, below the base of a folder; nil for one that is elsewhere.
  func record(of path: String, below folder: RecordPath) -> RecordPath? {
    guard let base = folders[folder.base] else { return nil }
    let start = base == "/" ? base : base + "/"
    guard path.hasPrefix(start) else { return nil }
    return try? RecordPath(base: folder.base, relative: String(path.dropFirst(start.count)))
  }
}
