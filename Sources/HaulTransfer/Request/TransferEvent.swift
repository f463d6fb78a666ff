public import HaulHTTP

/// How sure it is that a file is right.
public enum Verification: String, Sendable, Hashable, CaseIterable {
  /// A digest of the whole file was right.
  case digest
  /// The length is what the server said, and all bytes are of one version.
  case length
  /// Answers were joined where 64 KiB before the seam were equal.
  case overlap
  /// The server ended the file by closing the connection; nothing says where it should end.
  case unverified
}

/// A file that a transfer has finished.
public struct FinishedTransfer: Sendable, Hashable {
  /// The path under which it stands.
  public var path: String
  /// The name that it would have if no other file had it.
  public var wantedName: String
  /// Its length in bytes.
  public var byteCount: Int64
  /// The seconds from the start of the transfer.
  public var seconds: Double
  /// The digest that was checked, or nil.
  public var digest: Digest?
  /// How sure it is that the file is right.
  public var verification: Verification
  /// Whether the server sent it in a content coding, which was undone.
  public var isDecoded = false

  /// Makes a description.
  public init(
    path: String, wantedName: String, byteCount: Int64, seconds: Double, digest: Digest? = nil,
    verification: Verification, isDecoded: Bool = false
  ) {
    self.path = path
    self.wantedName = wantedName
    self.byteCount = byteCount
    self.seconds = seconds
    self.digest = digest
    self.verification = verification
    self.isDecoded = isDecoded
  }
}

/// The end of a transfer.
public enum TransferResult: Sendable, Hashable {
  /// The file stands under its final name, whole and checked.
  case finished(FinishedTransfer)
  /// The same file was there, as far as that can be told, and was to be kept.
  case skipped(path: String, by: Likeness)
  /// It was a dry run: this would have been done.
  case planned(PlannedTransfer)
  /// Nothing stands under the final name.
  case failed(TransferFailure)
  /// The owner stopped it; what was received is kept. A later run goes on from there when it is
  /// resumable; otherwise the file starts again.
  case stopped(received: Int64, isResumable: Bool = false)
}

extension TransferResult {
  /// The same end, when what was received could not be kept.
  var withNothingKept: TransferResult {
    switch self {
    case .failed(var failure):
      if failure.isResumable, failure.code == .diskFull {
        failure.message += "; what was received could not be kept either"
      }
      failure.isResumable = false
      return .failed(failure)
    case .stopped(let received, _): return .stopped(received: received, isResumable: false)
    case .finished, .skipped, .planned: return self
    }
  }
}

/// Why a transfer starts again from the first byte.
public enum RestartReason: String, Sendable, Hashable, CaseIterable {
  /// The file changed on the server.
  case changed = "changed"
  /// The server gave nothing by which answers could be combined.
  case noValidator = "no-validator"
  /// The server sent the whole file although a part was asked for.
  case rangeIgnored = "range-ignored"
  /// The server's partial answers made no sense.
  case badRange = "bad-range"
  /// The digest of the combined file was wrong.
  case digestMismatch = "digest-mismatch"
  /// Another source is asked, and no digest lets bytes of both be combined.
  case otherSource = "other-source"
  /// An earlier run left bytes without a journal, which would vouch for them.
  case journalMissing = "journal-missing"
  /// An earlier run left bytes whose journal cannot be read.
  case journalDamaged = "journal-damaged"
  /// An earlier run left bytes whose journal is of a later version of its format.
  case journalNewer = "journal-newer"
  /// An earlier run left bytes that it did not make durable, and the machine was started since.
  case notDurable = "not-durable"
}

/// How it was found that bytes are wrong.
public enum DamageReason: String, Sendable, Hashable, CaseIterable {
  /// What an earlier run left on disk is not what it wrote.
  case disk = "disk"
  /// A piece does not have the digest that the owner gave for it.
  case pieces = "pieces"
  /// An answer does not have the digest that the server gave for it.
  case digest = "digest"
}

/// Something that happened to a transfer.
public enum TransferEvent: Sendable, Hashable {
  /// A request is on its way; only told when the transfer's request `tellsExchanges`.
  case asked(RequestSummary)
  /// The head of an answer is there; only told when the request `tellsExchanges`.
  case answered(AnswerSummary)
  /// Bytes are about to arrive.
  case started(path: String, total: Int64?, resumedFrom: Int64)
  /// A try failed; another follows after a delay in seconds. The failure's `tries` say which one
  /// it was, and of how many.
  case retrying(TransferFailure, delay: Double)
  /// It starts again from the first byte.
  case restarted(RestartReason)
  /// One of several sources is not asked any more, for a reason. The address has no secrets.
  case sourceDropped(url: String, TransferFailure)
  /// Bytes turned out to be wrong, and are fetched again.
  case damaged(byteCount: Int64, DamageReason)
  /// All bytes are there and are being checked.
  case verifying
  /// The end. Nothing comes after it.
  case ended(TransferResult)
}

/// What a transfer is doing.
public enum TransferState: Sendable, Hashable {
  /// Looking at the disk, or asking for a first answer.
  case connecting
  /// Bytes arrive.
  case receiving
  /// Nothing arrives until a pause is over.
  case waiting(TransferFailure)
  /// The server asked everybody for a pause (`Retry-After`); the request follows after it.
  case waitingForHost
  /// As many connections to the server, or in all, are open as may be; the request follows when one of
  /// them has ended.
  case waitingForPlace
  /// All bytes are there and are being checked.
  case verifying
  /// It is over.
  case ended
}

/// What one connection of a transfer brings.
public struct TransferSegment: Sendable, Hashable {
  /// Where the next byte goes that it brings.
  public var position: Int64
  /// The end of what it is to bring, or nil for the end of a file of unknown length.
  public var end: Int64?
  /// The address that it asked, without secrets.
  public var source: String

  /// Makes a description.
  public init(position: Int64, end: Int64?, source: String) {
    self.position = position
    self.end = end
    self.source = source
  }
}

/// Where a transfer stands.
public struct TransferProgress: Sendable, Hashable {
  /// What it is doing.
  public var state: TransferState
  /// The bytes that are there; never above the total, never negative.
  public var received: Int64
  /// The bytes that were there before this run.
  public var resumedFrom: Int64
  /// The length of the file, or nil while it is not known.
  public var total: Int64?
  /// The name of the file as it is planned now, or nil while it is not known.
  public var path: String?
  /// The open connections.
  public var connections: Int
  /// When the next request goes out, by the transfer's clock; nil unless it waits for that.
  public var resumesAt: Instant?
  /// What each connection that receives is to bring yet, in the order of the file. No two overlap.
  public var segments: [TransferSegment] = []
  /// Seconds that the connections of a file which had several take for what they have left, at their speeds
  /// of the last seconds: when few hold the last bytes, the speed of the whole file says too little.
  /// Infinite where they stand still; nil while it is not known.
  public var secondsLeft: Double?

  /// Describes where a transfer stands.
  public init(
    state: TransferState, received: Int64, resumedFrom: Int64 = 0, total: Int64? = nil,
    path: String? = nil, connections: Int = 0, resumesAt: Instant? = nil,
    segments: [TransferSegment] = [], secondsLeft: Double? = nil
  ) {
    self.state = state
    self.received = received
    self.resumedFrom = resumedFrom
    self.total = total
    self.path = path
    self.connections = connections
    self.resumesAt = resumesAt
    self.segments = segments
    self.secondsLeft = secondsLeft
  }
}
