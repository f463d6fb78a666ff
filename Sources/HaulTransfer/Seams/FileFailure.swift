/// Why a job on the disk failed.
public struct FileFailure: Error, Sendable, Hashable {
  /// The kinds of failure, each with its own remedy.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case diskFull = "disk-full"
    case notPermitted = "not-permitted"
    case exists = "exists"
    case inUse = "in-use"
    case folderMissing = "folder-missing"
    case notAFolder = "not-a-folder"
    case nameTooLong = "name-too-long"
    case readOnly = "read-only"
    case unsafeTarget = "unsafe-target"
    /// Whoever was reading what is passed on reads no more.
    case readerGone = "reader-gone"
    case inputOutput = "io"
    /// It was given up because the owner said `interrupt`.
    case interrupted = "interrupted"
  }

  /// The kind of failure.
  public var code: Code
  /// What was tried, on what, and what to do about it, as a sentence.
  public var message: String

  /// Makes a failure.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
