/// Why a database of records could not do what was asked.
///
/// Nothing of the database was changed by the call that failed, except where a code says otherwise.
public struct DatabaseFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure, each with its own remedy.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Another program holds the database. The same call may succeed later.
    case locked = "locked"
    /// The file is damaged. It is left as it is until it is set aside by request.
    case corrupt = "corrupt"
    /// The file, its folder or its volume cannot be written to.
    case readOnly = "read-only"
    /// A newer version of the program made it.
    case newerVersion = "newer-version"
    /// It belongs to another program, or is no database at all.
    case foreign = "foreign"
    /// The volume is full, or a quota is used up.
    case diskFull = "disk-full"
    /// The permission is missing.
    case notPermitted = "not-permitted"
    /// A change does not fit to what is stored, or holds what may not be stored.
    case invalid = "invalid"
    /// Anything else; the message says what. After a sync that failed the database takes no changes
    /// until it is opened anew.
    case failed = "failed"
  }

  /// The kind of failure.
  public var code: Code
  /// What happened to which database, and what to do; no secrets.
  public var message: String

  /// Makes a failure.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// A change that cannot be made to a record.
  package static func invalid(_ id: DownloadID, _ reason: String) -> DatabaseFailure {
    DatabaseFailure(
      code: .invalid,
      message: "The download \(id) cannot be stored: \(reason). Nothing was changed; correct it.")
  }

  /// An insertion of a record whose id is there already.
  package static func isThere(_ id: DownloadID) -> DatabaseFailure {
    invalid(id, "there is one of this id already")
  }

  /// A replacement of a record that is not there.
  package static func isMissing(_ id: DownloadID) -> DatabaseFailure {
    invalid(id, "it is not in the list any more")
  }
}
