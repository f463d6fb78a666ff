/// What a download does; the raw values are those of the service and of the database.
public enum DownloadState: String, Sendable, Hashable, CaseIterable {
  /// It was added and is not to start by itself.
  case none
  /// It starts when its turn comes.
  case waiting
  /// Bytes are on their way.
  case downloading
  /// All bytes are there and are checked.
  case verifying
  /// Its owner stopped it; what it has is kept.
  case paused
  /// The file is whole, checked and under its name.
  case finished
  /// It ended without its file, and its failure says why.
  case failed
}

/// What happens when the name of a file is taken already.
public enum NamePolicy: String, Sendable, Hashable, CaseIterable {
  /// The download fails.
  case fail
  /// The new file gets a number.
  case rename
  /// The new file takes the place of the old one, once it is whole and checked.
  case overwrite
  /// Nothing is fetched.
  case skip
}

/// Why a download failed.
public struct RecordFailure: Sendable, Hashable {
  /// A code of a closed list, such as `http-status`.
  public var code: String
  /// A sentence for people, without secrets.
  public var message: String

  /// Makes a failure.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
