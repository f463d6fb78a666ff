import Haul

/// How one download looks.
enum Row {
  static func text(_ download: DownloadSnapshot, isSelected: Bool) -> String {
    let name = name(of: download)
    let column = name.count > 30 ? name.prefix(29) + "…" : name + pad(name, 30)
    let row =
      "\(isSelected ? ">" : " ") \(column) \(bar(download.fraction)) \(doing(download))"
    return isSelected ? "\u{1B}[1m\(row)\u{1B}[m" : row
  }

  /// Its name; whatever a terminal would obey is no part of it.
  static func name(of download: DownloadSnapshot) -> String { shown(download.name) }

  /// What it does, and why, with the sentence of a failure.
  static func status(of download: DownloadSnapshot) -> String {
    doing(download) + (download.failure.map { ": " + shown($0.message) } ?? "")
  }

  /// What it does, and why.
  private static func doing(_ download: DownloadSnapshot) -> String {
    var parts = [download.state.rawValue]
    if let reason = download.reason { parts.append("(\(reason.rawValue))") }
    if let seconds = download.secondsToRetry { parts.append("in \(Int(seconds.rounded(.up))) s") }
    if download.state == .downloading, let rate = download.rate { parts.append("\(bytes(rate))/s") }
    if let failure = download.failure { parts.append("[\(failure.code)]") }
    return parts.joined(separator: " ")
  }

  static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          switch $0.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "?"
          default: $0
          }
        }))
  }

  private static func bar(_ fraction: Double?) -> String {
    guard let fraction else { return String(repeating: "─", count: 20) + "    ? %" }
    let full = Int(fraction * 20)
    let percent = "\(Int(fraction * 100))"
    return String(repeating: "━", count: full) + String(repeating: "─", count: 20 - full)
      + pad(percent, 5) + percent + " %"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count))
  }

  private static func bytes(_ count: Double) -> String {
    count < 1_048_576 ? "\(Int(count / 1024)) KiB" : "\(Int(count / 1_048_576)) MiB"
  }
}
