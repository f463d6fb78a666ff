/// Why a checksum file tells no digest of a file.
public enum ChecksumLookupFailure: Error, Sendable, Hashable {
  /// It holds no digest that can be read. Named are algorithms that Haul does not compute, if its
  /// lines are of such.
  case noDigests(unknownAlgorithms: [String], isWebPage: Bool)
  /// It has no entry of any of these names. Listed are some that it has, of so many.
  case notListed(asked: [String], listed: [String], count: Int)
  /// It has entries of this name that differ; these are their paths.
  case ambiguous(name: String, paths: [String])
  /// Its digest is of no named file, and several files are fetched.
  case unnamed
}

extension ChecksumFile {
  /// The digest of a file, of the strongest algorithm that is listed for it.
  ///
  /// Only what the owner gave chooses the entry: the last part of the address, percent-decoded,
  /// and where that is not listed, the owner's own name for the file. A name that the server gives,
  /// by a redirect or `Content-Disposition`, is never looked up: a server that chose the entry
  /// could pass one listed file off as another. Of several entries with that name in different
  /// folders the one counts whose whole path ends the address, the longest such.
  ///
  /// Digests without any name are of the only file that is fetched.
  /// - Parameters:
  ///   - url: The address as it was given.
  ///   - ownName: The name that the owner chose, or nil.
  ///   - isOnlyFile: Whether no other file is fetched with this checksum file.
  /// - Returns: A digest of the strongest algorithm that is listed.
  /// - Throws: `ChecksumLookupFailure` when no entry, or more than one, could be meant.
  public func digest(
    for url: HTTPURL, ownName: String?, isOnlyFile: Bool
  ) throws(ChecksumLookupFailure) -> Digest {
    guard !entries.isEmpty else {
      throw .noDigests(unknownAlgorithms: unknownAlgorithms, isWebPage: isWebPage)
    }
    var asked: [[String]] = []
    if let path = Self.path(of: url) { asked.append(path) }
    if let ownName { asked.append([ownName]) }
    for path in asked {
      guard let name = path.last else { continue }
      let found = (positions[name] ?? []).map { entries[$0] }
      if !found.isEmpty { return try choose(among: found, for: path, name) }
    }
    if entries.allSatisfy(\.path.isEmpty) {
      guard isOnlyFile else { throw .unnamed }
      guard let digest = Self.strongest(entries) else {
        throw .ambiguous(name: "", paths: [])
      }
      return digest
    }
    let names = asked.compactMap(\.last)
    throw .notListed(
      asked: names, listed: nearest(to: names.first ?? ""), count: positions.count)
  }

  /// The path of an address, decoded; nil when it does not end in a name.
  private static func path(of url: HTTPURL) -> [String]? {
    guard !url.lastPathSegment.isEmpty else { return nil }
    let text = PercentCoding.decodeUTF8(url.path) ?? url.path
    let path = text.split(separator: "/").map(String.init)
    return path.isEmpty ? nil : path
  }

  private func choose(
    among found: [Entry], for path: [String], _ name: String
  ) throws(ChecksumLookupFailure) -> Digest {
    let groups = Dictionary(grouping: found, by: \.path)
    let fitting = groups.keys.filter { path.suffix($0.count).elementsEqual($0) }
    let best = fitting.max { $0.count < $1.count }
    let meant = best.map { [$0] } ?? Array(groups.keys)
    let digests = Set(meant.map { Self.strongest(groups[$0] ?? []) })
    guard digests.count == 1, let only = digests.first, let digest = only else {
      let paths = meant.map { $0.joined(separator: "/") }.sorted()
      throw .ambiguous(name: name, paths: Array(paths.prefix(3)))
    }
    return digest
  }

  /// The digest of the strongest algorithm; nil when there are two that differ.
  private static func strongest(_ entries: [Entry]) -> Digest? {
    let strength = entries.map(\.digest.algorithm.strength).max()
    let digests = Set(entries.map(\.digest).filter { $0.algorithm.strength == strength })
    return digests.count == 1 ? digests.first : nil
  }

  /// A few of the names that are listed: those that begin most like the name.
  private func nearest(to name: String) -> [String] {
    let scored = positions.keys.map { other in
      (common: zip(other.utf8, name.utf8).prefix { $0 == $1 }.count, name: other)
    }
    let best = scored.sorted { ($1.common, $0.name) < ($0.common, $1.name) }
    return best.prefix(3).map(\.name)
  }
}
