/// How many downloads run, how fast, and when.
public struct DownloadSettings: Sendable, Hashable {
  /// The most downloads that run at once; with 0 none begins.
  public var parallel = 3
  /// The most downloads that run at once from one server; nil for no limit of its own.
  public var perHost: Int?
  /// The most bytes in a second over all downloads; nil for no limit. It holds for the manager's own engine.
  public var rateLimit: Int64?
  /// When downloads run; nil for always.
  public var schedule: DownloadSchedule?
  /// Whether there is a network. An app that knows says so: what runs stops, and goes on by itself when
  /// the network is back. Otherwise failures tell.
  public var isOnline = true

  /// Three at once, at any time, as fast as can be.
  public init() {}

  func limits(isOpen: Bool) -> QueueLimits {
    QueueLimits(
      parallel: max(0, parallel), perHost: perHost.map { max(0, $0) }, isOpen: isOpen,
      isOnline: isOnline)
  }
}
