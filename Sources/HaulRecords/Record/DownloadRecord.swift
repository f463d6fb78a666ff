public import HaulHTTP

/// One download as it is kept: what was asked for, how far it is, and how it ended.
///
/// It holds no user and no password (they belong into a `SecretStore`), but its address may still hold
/// a signed query: show `url.redacted`. Times are in milliseconds since 1970.
public struct DownloadRecord: Sendable, Hashable, Identifiable {
  /// Its name for as long as it is in the list.
  public let id: DownloadID
  /// Its place in the list, smallest first; equal ones stand in the order of their ids.
  public var position: Int64 = 0
  /// Who goes first among those that wait; higher ones do.
  public var priority: Int16 = 0
  /// What it does.
  public var state = DownloadState.none
  /// The number of its attempt. News of an earlier one no longer count.
  public var attempt: UInt32 = 0
  /// Where it comes from; without user and password.
  public var url: HTTPURL
  /// The name that its owner wants, or nil for the one that the server suggests.
  public var wantedName: String?
  /// The folder that its file goes to.
  public var folder: RecordPath
  /// Its file, once that is known; under the same base.
  public var file: RecordPath?
  /// The bytes that are there; not negative, and not above the total.
  public var received: Int64 = 0
  /// The bytes of the whole file, or nil while nobody said.
  public var total: Int64?
  /// How it is to be fetched.
  public var options = DownloadOptions()
  /// Why it failed, or nil.
  public var failure: RecordFailure?
  /// When it was added.
  public var added: Int64 = 0
  /// When its state last changed.
  public var updated: Int64 = 0
  /// When it finished, or nil.
  public var finished: Int64?

  /// Makes a record of a download that has not begun. User and password of the address are left out.
  public init(id: DownloadID, url: HTTPURL, folder: RecordPath) {
    self.id = id
    self.url = url.withoutUser
    self.folder = folder
  }

  /// The name to show and to sort by: that of the file, else the one wanted, else the last part of the
  /// address, else its host.
  public var name: String {
    if let name = file?.lastComponent { return name }
    if let wantedName { return wantedName }
    let segment = url.lastPathSegment
    return segment.isEmpty ? url.host : segment
  }

  /// The server that it comes from.
  public var origin: OriginKey { OriginKey(url.origin) }

  /// A number for what it asks for, the same in every run: FNV-1a with 64 bits of the identity text of the
  /// address, the folder and the wanted name, each with a zero byte behind it.
  ///
  /// Records that ask for the same thing have the same number. Of those that have the same number nearly
  /// all ask for the same thing: who has to be sure compares the records.
  public var key: UInt64 {
    var hash = StableHash()
    // No part has a zero byte, and so the parts cannot run into each other.
    for text in [url.identityText, folder.base, folder.relative] {
      hash.add(text.utf8)
      hash.add(CollectionOfOne(0))
    }
    // A name that is empty is another wish than none.
    if let wantedName {
      hash.add(wantedName.utf8)
      hash.add(CollectionOfOne(0))
    }
    return hash.value
  }

  /// The part that a list keeps in memory.
  public var summary: DownloadSummary {
    DownloadSummary(
      id: id, position: position, received: received, origin: origin, key: key, total: total,
      state: state, priority: priority, attempt: attempt)
  }

  /// Says whether the record may be stored.
  ///
  /// - Throws: `RecordError` when a number is negative or above the total, the address has a user or a
  ///   password, a name has a zero byte, the file has another base than the folder, or an option is not
  ///   allowed.
  public func check() throws(RecordError) {
    try DownloadSummary.check(received: received, total: total)
    guard url == url.withoutUser else {
      throw RecordError("its address holds a user or a password, which belong to the secrets")
    }
    guard wantedName?.utf8.contains(0) != true else {
      throw RecordError("its name has a zero byte")
    }
    guard file == nil || file?.base == folder.base else {
      throw RecordError("its file has another base than its folder")
    }
    try options.check()
  }
}
