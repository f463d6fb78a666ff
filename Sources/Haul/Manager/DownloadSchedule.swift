#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The hours of the day at which downloads run, by the local time.
///
/// ```swift
/// settings.schedule = DownloadSchedule(from: 23 * 60, to: 6 * 60)  // at night
/// ```
public struct DownloadSchedule: Sendable, Hashable {
  /// The first minute of the day, counted from midnight.
  public var start: Int
  /// The first minute at which they do not run any more. When it is not after the first one, it is one of
  /// the next day; when it is the same, they always run.
  public var end: Int

  /// Makes a schedule. Numbers are taken within the 1,440 minutes of a day.
  public init(from start: Int, to end: Int) {
    self.start = min(max(0, start), 1440)
    self.end = min(max(0, end), 1440)
  }

  /// Whether downloads run at a minute of the day.
  public func isOpen(atMinute minute: Int) -> Bool {
    if start == end { return true }
    return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  /// Whether downloads run at a time, in seconds since 1970.
  func isOpen(atUnixTime seconds: Int64) -> Bool {
    var time = time_t(seconds)
    var parts = unsafe tm()
    // Both live through the call, which writes the parts only.
    guard unsafe localtime_r(&time, &parts) != nil else { return true }
    return unsafe isOpen(atMinute: Int(parts.tm_hour) * 60 + Int(parts.tm_min))
  }
}
