import HaulSystem
import HaulTransfer
import Synchronization

/// Remembers for a moment what a folder holds, so that thousands of downloads into one folder do
/// not list it thousands of times.
///
/// Only two questions are answered from memory: which journals there are, and whether a name is
/// there, if only in another case or Unicode form. What this process adds is known at once;
/// what others add, after `lifetime` or, in a folder that takes long to list, a little later.
/// Neither answer is needed for safety: names are taken by exclusive creation and by renaming
/// without replacing.
final class FolderIndex: Sendable {
  private struct Content: Sendable {
    var names = NameSet()
    var stems: Set<String> = []
    var isKnownUntil: Instant?
  }

  /// One folder; listing it makes only those wait who ask about it.
  private final class Folder: Sendable {
    let content = Mutex(Content())
  }

  private static let maxFolders = 64
  /// The part of the time that may be spent on listing.
  private static let listingShare = 0.05
  private let clock: any Clock
  private let lifetime: Double
  private let folders = Mutex<[String: Folder]>([:])

  /// Makes an empty index. With a `lifetime` of zero seconds nothing is remembered.
  init(clock: any Clock, lifetime: Double) {
    self.clock = clock
    self.lifetime = lifetime
  }

  /// Whether it is known that a folder has no journal; without a look at the disk, and without
  /// waiting for somebody who takes one.
  func hasNoJournals(_ path: String) -> Bool {
    guard let folder = folders.withLock({ $0[path] }) else { return false }
    let now = clock.now
    return folder.content.withLockIfAvailable {
      $0.stems.isEmpty && $0.isKnownUntil.map { now < $0 } == true
    } ?? false
  }

  /// The stems of all journals in a folder, sorted.
  func stems(in folder: any DiskFolder) throws(DiskError) -> [String] {
    try withContent(of: folder) { $0.stems.sorted() }
  }

  /// Whether a file or a part of another name would be the same one where case and Unicode form
  /// make no difference.
  func hasTwin(_ name: String, in folder: any DiskFolder) throws(DiskError) -> Bool {
    let known = try withContent(of: folder) {
      (hasTwin: $0.names.mayHaveTwin(of: name), isNamed: $0.names.mayHave(name))
    }
    // A twin whose few bits happen to be those of the name looks like the name itself: then the name
    // has to be there, or planned by a part.
    guard known.hasTwin || known.isNamed else { return false }
    if !known.hasTwin, try isThere(name, folder) { return false }
    var isFound = false
    try folder.forEachName { other in
      if NameSet.areTwins(PartNames.stem(ofPart: other) ?? other, name) { isFound = true }
    }
    return isFound
  }

  private func isThere(_ name: String, _ folder: any DiskFolder) throws(DiskError) -> Bool {
    if try folder.status(PartNames.part(name)) != nil { return true }
    return try folder.status(name) != nil
  }

  /// Whether a name may be used, or planned by a part, if only in another case or Unicode form.
  func mayHave(_ name: String, in folder: any DiskFolder) throws(DiskError) -> Bool {
    try withContent(of: folder) { $0.names.mayHave(name) }
  }

  func noteName(_ name: String, in folder: any DiskFolder) {
    known(folder)?.content.withLock { $0.names.insert(name) }
  }

  func noteJournal(_ stem: String, in folder: any DiskFolder) {
    known(folder)?.content.withLock { _ = $0.stems.insert(stem) }
  }

  private func known(_ folder: any DiskFolder) -> Folder? {
    folders.withLock { $0[folder.path] }
  }

  private func withContent<Result>(
    of folder: any DiskFolder, _ body: (borrowing Content) -> Result
  ) throws(DiskError) -> Result {
    let known = folders.withLock { folders in
      if let known = folders[folder.path] { return known }
      if folders.count >= Self.maxFolders { folders = [:] }
      let new = Folder()
      if lifetime > 0 { folders[folder.path] = new }
      return new
    }
    return try known.content.withLock { (content) throws(DiskError) in
      let start = clock.now
      if content.isKnownUntil.map({ start >= $0 }) ?? true {
        // The old one goes before the new one is made.
        content = Content()
        try Self.list(folder, into: &content)
        let spent = clock.now.seconds(since: start)
        content.isKnownUntil = clock.now.advanced(
          seconds: max(lifetime, spent / Self.listingShare))
      }
      return body(content)
    }
  }

  private static func list(
    _ folder: any DiskFolder, into content: inout Content
  ) throws(DiskError) {
    try folder.forEachName { name in
      if let stem = PartNames.stem(ofJournal: name) { content.stems.insert(stem) }
      content.names.insert(PartNames.stem(ofPart: name) ?? name)
    }
  }
}
