public import HaulRecords

/// Why a manager could not do what it was asked for. Nothing was changed then, and nothing is lost.
public struct DownloadManagerFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure, each with its own remedy.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Another process has the list.
    case inUse = "in-use"
    /// The list is damaged, and salvage is not wanted.
    case corrupt = "corrupt"
    /// A newer version of the program made the list, or its secrets.
    case newerVersion = "newer-version"
    /// What stands at the place of the list is something else.
    case foreign = "foreign"
    /// The list is held by another program for a moment. The same call may succeed later.
    case locked = "locked"
    /// The list, or its folder, cannot be written to.
    case readOnly = "read-only"
    /// The volume of the list is full.
    case diskFull = "disk-full"
    /// The permission is missing.
    case notPermitted = "not-permitted"
    /// The file of secrets is damaged, or others can read it.
    case secrets = "secrets"
    /// What was asked for is not possible.
    case invalid = "invalid"
    /// The list has one like it, and a second one is not wanted.
    case duplicate = "duplicate"
    /// The list has no download of this id.
    case unknownID = "unknown-id"
    /// The manager was closed.
    case closed = "closed"
    /// Anything else; the message says what.
    case failed = "failed"
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, and what to do; no secrets.
  public var message: String
  /// Which of several requests it is about, counted from 0; nil when it is about none.
  public var index: Int?
  /// The download that is in the way, or is not there.
  public var id: DownloadID?

  /// Makes a failure.
  public init(code: Code, message: String, index: Int? = nil, id: DownloadID? = nil) {
    self.code = code
    self.message = message
    self.index = index
    self.id = id
  }

  /// The message.
  public var description: String { message }

  init(_ failure: DatabaseFailure) {
    let code: Code =
      switch failure.code {
      case .locked: .locked
      case .corrupt: .corrupt
      case .readOnly: .readOnly
      case .newerVersion: .newerVersion
      case .foreign: .foreign
      case .diskFull: .diskFull
      case .notPermitted: .notPermitted
      case .invalid: .invalid
      default: .failed
      }
    self.init(code: code, message: failure.message)
  }

  init(_ failure: SecretFailure) {
    let code: Code =
      switch failure.code {
      case .exposed, .damaged: .secrets
      case .newerVersion: .newerVersion
      case .notPermitted: .notPermitted
      case .readOnly: .readOnly
      case .diskFull: .diskFull
      default: .failed
      }
    self.init(code: code, message: failure.message)
  }

  static func unknown(_ id: DownloadID) -> DownloadManagerFailure {
    DownloadManagerFailure(
      code: .unknownID, message: "There is no download \(id) in the list (any more).", id: id)
  }

  static let closed = DownloadManagerFailure(
    code: .closed, message: "The manager of downloads was closed. Make another one.")
}
