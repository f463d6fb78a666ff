import HaulSystem
import HaulTransfer
import Synchronization

/// Remembers for a moment what a folder holds, so that thousands of downloads into one folder do
/// not list it thousands of times.
///
/// Only two questions are answered from memory: which journals there are, and whether a name
/// differs from another by case or Unicode form only. What this process adds is known at once;
/// what others add, after `lifetime` at the latest. Neither answer is needed for safety: names are
/// taken by exclusive creation and by renaming without replacing.
final class FolderIndex: Sendable {
  private struct Entry: Sendable {
    var listedAt: Instant
    /// The names, by the form in which case and Unicode form make no difference.
    var names: [String: [String]] = [:]
    var stems: Set<String> = []

    mutating func add(_ name: String) {
      names[FolderIndex.folded(name), default: []].append(name)
    }
  }

  private static let maxFolders = 64
  private let clock: any Clock
  private let lifetime: Double
  private let entries = Mutex<[String: Entry]>([:])

  /// Makes an empty index. With a `lifetime` of zero seconds nothing is remembered.
  init(clock: any Clock, lifetime: Double) {
    self.clock = clock
    self.lifetime = lifetime
  }

  /// The stems of all journals in a folder, sorted.
  func stems(in folder: any DiskFolder) throws(DiskError) -> [String] {
    try entry(of: folder).stems.sorted()
  }

  /// Whether a file or a part of another name would be the same one where case and Unicode form
  /// make no difference.
  func hasTwin(_ name: String, in folder: any DiskFolder) throws(DiskError) -> Bool {
    let others = try entry(of: folder).names[Self.folded(name)] ?? []
    return others.contains { !$0.utf8.elementsEqual(name.utf8) }
  }

  func noteName(_ name: String, in folder: any DiskFolder) {
    entries.withLock { $0[folder.path]?.add(name) }
  }

  func noteJournal(_ stem: String, in folder: any DiskFolder) {
    entries.withLock { _ = $0[folder.path]?.stems.insert(stem) }
  }

  private func entry(of folder: any DiskFolder) throws(DiskError) -> Entry {
    let now = clock.now
    let known = entries.withLock { $0[folder.path] }
    if let known, now.seconds(since: known.listedAt) < lifetime { return known }
    var entry = Entry(listedAt: now)
    for name in try folder.names() {
      if let stem = PartNames.stem(ofJournal: name) { entry.stems.insert(stem) }
      entry.add(PartNames.stem(ofPart: name) ?? name)
    }
    entries.withLock { [entry] entries in
      if entries.count >= Self.maxFolders { entries = [:] }
      if lifetime > 0 { entries[folder.path] = entry }
    }
    return entry
  }

  /// As `FileName.isSameName` compares; equality of strings does not see Unicode forms.
  private static func folded(_ name: String) -> String {
    name.uppercased().lowercased()
  }
}
