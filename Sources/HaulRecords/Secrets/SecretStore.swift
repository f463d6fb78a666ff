/// Where passwords and secret header fields of downloads are kept, apart from the list.
///
/// Secrets are stored before the record that needs them, and removed after it: a record without its
/// secrets would ask a server without them, while secrets without a record harm nobody and go at the
/// next clearing (`ids`). Calls may be made from any thread and may block it.
public protocol SecretStore: Sendable {
  /// What is kept for a download; nil when nothing is.
  ///
  /// - Throws: What keeps the store from being read.
  func secrets(of id: DownloadID) throws(SecretFailure) -> ItemSecrets?

  /// Keeps secrets, each in the place of what was kept for its download, all or none; empty ones are
  /// removed. They survive a power cut when this returns.
  ///
  /// - Throws: What keeps the store from being written. It is as it was then.
  func store(_ secrets: [DownloadID: ItemSecrets]) throws(SecretFailure)

  /// The downloads that secrets are kept for, in no order.
  ///
  /// - Throws: What keeps the store from being read.
  func ids() throws(SecretFailure) -> [DownloadID]
}

extension SecretStore {
  /// Removes the secrets of downloads; it is no error when there are none.
  ///
  /// - Throws: What keeps the store from being written.
  public func remove(_ ids: some Sequence<DownloadID>) throws(SecretFailure) {
    var changes: [DownloadID: ItemSecrets] = [:]
    for id in ids { changes[id] = ItemSecrets() }
    try store(changes)
  }
}

/// Why secrets could not be read or kept. It holds none of them.
public struct SecretFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure, each with its own remedy.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Others may read or write the file.
    case exposed = "exposed"
    /// The file is not what was written, or no file of secrets.
    case damaged = "damaged"
    /// A newer version of the program made it.
    case newerVersion = "newer-version"
    /// The permission is missing.
    case notPermitted = "not-permitted"
    /// The file, its folder or its volume cannot be written to.
    case readOnly = "read-only"
    /// The volume is full, or a quota is used up.
    case diskFull = "disk-full"
    /// Anything else; the message says what.
    case failed = "failed"
  }

  /// The kind of failure.
  public var code: Code
  /// What happened to which file, and what to do.
  public var message: String

  /// Makes a failure.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
