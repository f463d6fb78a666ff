/// Why a transfer failed.
public struct TransferFailure: Error, Sendable, Hashable {
  /// The kinds of failure: a closed list that programs may rely on.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case nameNotResolved = "name-not-resolved"
    case connectionFailed = "connection-failed"
    case connectionLost = "connection-lost"
    case timeout = "timeout"
    case stalled = "stalled"
    case tls = "tls"
    case certificate = "certificate"
    case notHTTP = "not-http"
    case proxy = "proxy"

    case httpStatus = "http-status"
    case redirectLoop = "redirect-loop"

    case digestMismatch = "digest-mismatch"
    case digestMissing = "digest-missing"
    case lengthMismatch = "length-mismatch"
    case wrongType = "wrong-type"
    case changing = "changing"
    case badRange = "bad-range"
    case badResponse = "bad-response"
    case badCoding = "bad-coding"

    case diskFull = "disk-full"
    case notPermitted = "not-permitted"
    case exists = "exists"
    case inUse = "in-use"
    case folderMissing = "folder-missing"
    case notAFolder = "not-a-folder"
    case nameTooLong = "name-too-long"
    case readOnly = "read-only"
    case readerGone = "reader-gone"
    case inputOutput = "io"

    case scheme = "scheme"
    case redirectRefused = "redirect-refused"
    case unsafeTarget = "unsafe-target"
    case tooLarge = "too-large"

    case interrupted = "interrupted"
  }

  /// The groups of failures; each has one exit status.
  public enum Category: Sendable, Hashable {
    case network, server, integrity, file, policy, interrupted
  }

  /// Tries in a row that brought nothing new.
  public struct Tries: Sendable, Hashable {
    /// How many were made.
    public var made: Int
    /// How many are allowed.
    public var allowed: Int

    /// Makes a count.
    public init(made: Int, allowed: Int) {
      self.made = made
      self.allowed = allowed
    }
  }

  /// The kind of failure.
  public var code: Code
  /// The status of the answer that led to it, if one did.
  public var status: Int?
  /// The tries it was one of; nil when trying again would not have helped.
  public var tries: Tries?
  /// What happened to which URL, why, and what to do; no secrets.
  public var message: String
  /// Whether bytes are kept that a later run goes on from.
  public var isResumable = false

  /// Makes a failure.
  public init(code: Code, status: Int? = nil, message: String) {
    self.code = code
    self.status = status
    self.message = message
  }
}

extension TransferFailure.Code {
  /// The group that the code belongs to.
  public var category: TransferFailure.Category {
    switch self {
    case .nameNotResolved, .connectionFailed, .connectionLost, .timeout, .stalled, .tls,
      .certificate, .notHTTP, .proxy:
      .network
    case .httpStatus, .redirectLoop:
      .server
    case .digestMismatch, .digestMissing, .lengthMismatch, .wrongType, .changing, .badRange,
      .badResponse,
      .badCoding:
      .integrity
    case .diskFull, .notPermitted, .exists, .inUse, .folderMissing, .notAFolder, .nameTooLong,
      .readOnly, .readerGone, .inputOutput:
      .file
    case .scheme, .redirectRefused, .unsafeTarget, .tooLarge:
      .policy
    case .interrupted:
      .interrupted
    }
  }
}

extension TransferFailure {
  /// The kind of failure in few words, for a list.
  var brief: String { status.map { "\(code.rawValue) \($0)" } ?? code.rawValue }

  /// The failure of a transfer that a failure on the disk leads to.
  public init(_ failure: FileFailure) {
    // Every code of a file failure is one of a transfer by the same name; a test goes through them.
    self.init(
      code: Code(rawValue: failure.code.rawValue) ?? .inputOutput, message: failure.message)
  }
}
