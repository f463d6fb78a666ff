public import HaulRecords

/// One download of a list, as it is at one moment.
public struct DownloadSnapshot: Sendable, Hashable, Identifiable {
  /// Its name for as long as it is in the list.
  public let id: DownloadID
  /// Its address, without secrets.
  public var url: String
  /// The name to show: that of the file, or what is known of it.
  public var name: String
  /// The path of its file, planned or final; nil while it is not known.
  public var path: String?
  /// What it does.
  public var state: DownloadState
  /// Why it waits; never nil while it does.
  public var reason: WaitReason?
  /// The seconds until it is tried again; nil unless it waits for that.
  public var secondsToRetry: Double?
  /// The bytes that are there; never negative, and never above the total.
  public var received: Int64
  /// The bytes of the whole file, or nil while nobody said.
  public var total: Int64?
  /// Bytes a second, smoothed; nil while that is not known, or nothing runs.
  public var rate: Double?
  /// The connections that it has now.
  public var connections = 0
  /// Who goes first among those that wait; higher ones do.
  public var priority: Int16
  /// The number of its attempt; 0 before the first.
  public var attempt: UInt32
  /// Why it failed, also while it waits to be tried again; nil otherwise.
  public var failure: RecordFailure?
  /// When it was added, in milliseconds since 1970.
  public var added: Int64
  /// When it finished, in milliseconds since 1970, or nil.
  public var finished: Int64?
  /// Whether it is not in the list any more.
  public var isRemoved = false

  /// How much of it is there, from 0 to 1; nil while the length is not known. An empty file is whole.
  public var fraction: Double? {
    if state == .finished { return 1 }
    return total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
  }

  /// The seconds that it takes yet at this rate, or nil when that cannot be told.
  public var secondsLeft: Double? {
    guard let total, let rate, rate > 0 else { return nil }
    return Double(max(0, total - received)) / rate
  }

  /// Whether nothing follows unless its owner asks for it.
  public var isOver: Bool {
    isRemoved || state == .finished || state == .failed
  }
}

/// A part of the list, as it is at one moment.
public struct DownloadPage: Sendable, Hashable {
  /// The downloads, in the order that was asked for.
  public var items: [DownloadSnapshot] = []
  /// Those of this part whose records cannot be read.
  public var unreadable: [UnreadableRecord] = []
  /// How many there are of the kind that was asked for, in all.
  public var total = 0

  init() {}
}
