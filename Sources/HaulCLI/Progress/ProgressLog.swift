import HaulTransfer

/// Lines of progress for a log: each tenth of a file, but at most one in ten seconds, and at least
/// one in five minutes. A file that is done in ten seconds has none.
struct ProgressLog {
  private struct Entry {
    var time: Double
    var received: Int64
    var share: Double
  }

  private static let shortest = 10.0
  private static let longest = 300.0
  private let text = DisplayText(isUTF8: true)
  private var entries: [Int: Entry] = [:]

  private static func tenths(_ share: Double) -> Int { Int(share * 10 + 1e-9) }

  /// The lines that are due; `now` is in seconds.
  mutating func lines(_ running: [RunningFile], now: Double) -> [String] {
    if entries.count > running.count {
      let files = Set(running.map(\.file))
      entries = entries.filter { files.contains($0.key) }
    }
    return running.compactMap { line($0, now) }
  }

  private mutating func line(_ file: RunningFile, _ now: Double) -> String? {
    let progress = file.progress
    let share = progress.total.map { Double(progress.received) / Double(max(1, $0)) } ?? 0
    let next = Entry(time: now, received: progress.received, share: share)
    guard let last = entries[file.file], last.received <= next.received else {
      // Its first look, or it started again.
      entries[file.file] = next
      return nil
    }
    let span = now - last.time
    guard progress.state == .receiving, span >= Self.shortest,
      span >= Self.longest || Self.tenths(share) > Self.tenths(last.share)
    else { return nil }
    entries[file.file] = next
    let rate = Double(next.received - last.received) / span
    var parts = [Format.size(progress.received)]
    if let total = progress.total {
      parts = [
        Format.percentage(share), "\(Format.size(progress.received)) of \(Format.size(total))",
      ]
    }
    parts.append(Format.rate(rate))
    if let total = progress.total, rate >= 1 {
      parts.append(Format.duration(Double(total - progress.received) / rate) + " left")
    }
    let name = text.name(path: file.path, url: file.url)
    return "\(name): \(parts.joined(separator: ", "))"
  }
}
