public import HaulHTTP

/// What lies in a folder of a download that is not over: a part, its journal, or both; or the note that
/// its file was published.
public struct Leftover: Sendable, Hashable {
  /// What a file is told by: two that have the same stamp are the same file, unchanged.
  package struct Stamp: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
    package var byteCount: Int64
    package var modified: Int64

    package init(device: UInt64, inode: UInt64, byteCount: Int64, modified: Int64) {
      self.device = device
      self.inode = inode
      self.byteCount = byteCount
      self.modified = modified
    }
  }

  /// The path of the part; nil when there is none.
  public var partPath: String?
  /// The path of the journal; nil when there is none.
  public var journalPath: String?
  /// The address that it comes from, without its secrets, and cut when it is very long; nil when there is
  /// no journal that can be read.
  public var url: String?
  /// Whether nothing was left out of `url`, so that it can be asked for again.
  public var isWholeURL = false
  /// The SHA-256 of the identity text of the whole address, secrets included; nil when there is no journal
  /// that can be read.
  public var sourceDigest: Digest?
  /// The name that was asked for, before it was numbered; nil when there is no journal that can be read.
  public var requestedName: String?
  /// The bytes that the journal vouches for. Whether they are still right is looked at when the transfer
  /// goes on.
  public var received: Int64 = 0
  /// The length of the file in bytes, or nil while it is not known.
  public var total: Int64?
  /// The path of the file, when it was published and stands there. Whether its bytes are still right is
  /// looked at when a transfer finds it.
  public var publishedPath: String?
  /// Whether somebody works on it at this moment.
  public var isInUse = false
  package var part: Stamp?
  package var journal: Stamp?

  /// Makes the description of what nothing is known of.
  public init(partPath: String? = nil, journalPath: String? = nil) {
    self.partPath = partPath
    self.journalPath = journalPath
  }
}
