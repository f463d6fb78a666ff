public import HaulHTTP

/// What a transfer would do, as a dry run found out.
public struct PlannedTransfer: Sendable, Hashable {
  /// What would happen to the bytes.
  public enum Step: Sendable, Hashable {
    /// All of them would be fetched.
    case fetch
    /// So many are there, and only the rest would be fetched.
    case resume(from: Int64)
    /// Some are there, but all would be fetched again.
    case restart(RestartReason)
    /// All are there; they would be checked and get their name.
    case publish
  }

  /// What would let a broken transfer go on from where it was.
  public enum Continuation: String, Sendable, Hashable {
    /// A strong validator of the server's.
    case validator
    /// A digest of the whole file that is checked in the end.
    case digest
    /// Equal bytes before the seam.
    case overlap
    /// Nothing.
    case never
  }

  /// The path under which the file would stand.
  public var path: String
  /// The name that it would have if no other file had it.
  public var wantedName: String
  /// Its length in bytes, or nil when the server did not say it.
  public var total: Int64?
  /// What would happen to the bytes.
  public var step: Step
  /// Its media type, or nil when the server did not say it.
  public var mediaType: String?
  /// The address that answered, without secrets; nil when it is the one that was given.
  public var finalURL: String?
  /// What would let it go on after a break.
  public var continuation: Continuation
  /// Whether the server takes requests for parts of the file; nil when it did not say.
  public var acceptsRanges: Bool?
  /// The digests that would be checked: the owner's, or else those that the server sent.
  public var digests: [Digest]
}
