public import HaulTransfer

/// Where the download of one file stands.
public struct FileDownloadSnapshot: Sendable, Hashable {
  /// What it is doing.
  public enum State: Sendable, Hashable {
    /// It was not started yet.
    case idle
    /// The server is being asked.
    case connecting
    /// Bytes arrive.
    case downloading
    /// Nothing arrives for a while: a failure is being waited out, or nil when a place at the server is.
    case waiting(TransferFailure?)
    /// All bytes are there and are being checked.
    case verifying
    /// Paused; what is there is kept.
    case paused
    /// Stopped by its owner; what is there is kept.
    case stopped
    /// The file stands under its final name, whole and checked.
    case finished
    /// It failed. What is there is kept when the failure says so.
    case failed(TransferFailure)
  }

  /// What it is doing.
  public var state = State.idle
  /// The bytes that are there; never above the total, never negative.
  public var received: Int64 = 0
  /// The length of the file in bytes, or nil while it is not known.
  public var total: Int64?
  /// Bytes a second, smoothed; nil while that is not known, or nothing runs.
  public var rate: Double?
  /// The path of the file, planned or final; nil while it is not known.
  public var path: String?

  /// Makes the snapshot of a download that was not started.
  public init() {}

  /// How much of it is there, from 0 to 1; nil while the length is not known. An empty file is whole.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
  }

  /// The seconds that it takes yet at this rate, or nil when that cannot be told.
  public var secondsLeft: Double? {
    guard let total, let rate, rate > 0 else { return nil }
    return Double(max(0, total - received)) / rate
  }

  /// Whether nothing follows until it is started again.
  public var isOver: Bool {
    switch state {
    case .stopped, .finished, .failed: true
    case .idle, .connecting, .downloading, .waiting, .verifying, .paused: false
    }
  }
}
