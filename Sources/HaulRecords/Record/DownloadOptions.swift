public import HaulHTTP

/// How a file is to be fetched: what its owner asked for, beyond its address and its place.
///
/// None of it is secret; secret fields and passwords belong into a `SecretStore`.
public struct DownloadOptions: Sendable, Hashable {
  /// Further addresses of the same file, in the order of preference; without users and passwords.
  public var mirrors: [HTTPURL] = []
  /// What the whole file must agree with.
  public var digests: [Digest] = []
  /// What happens when the name is taken.
  public var namePolicy = NamePolicy.rename
  /// Fields that requests carry, in order.
  public var headers: [HeaderField] = []
  /// The address under which what was received is kept, when the file has another one by now; without user
  /// and password.
  public var keptUnder: HTTPURL?
  /// How many connections the file may have, at least 1; nil for what is found best.
  public var connections: Int?
  /// The most bytes in a second, at least 1; nil for no limit.
  public var rateLimit: Int64?

  /// Makes options that ask for nothing.
  public init() {}

  /// - Throws: `RecordError` when a number is out of its range, or a mirror has a user.
  func check() throws(RecordError) {
    if let connections, connections < 1 {
      throw RecordError("its number of connections is not at least 1")
    }
    if let rateLimit, rateLimit < 1 { throw RecordError("its rate limit is not at least 1") }
    if let keptUnder, keptUnder != keptUnder.withoutUser {
      throw RecordError("its former address holds a user or a password")
    }
    for mirror in mirrors where mirror != mirror.withoutUser {
      throw RecordError("a mirror holds a user or a password, which belong to the secrets")
    }
  }
}
