/// Figures as people read them: binary units, three digits.
enum Format {
  static func size(_ bytes: Int64) -> String {
    if bytes < 1024 { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while value >= 1000, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return "\(rounded(value)) \(units[unit])"
  }

  static func rate(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond.isFinite, bytesPerSecond < 9e18 else { return "-" }
    return size(Int64(max(0, bytesPerSecond))) + "/s"
  }

  static func percentage(_ received: Int64, of total: Int64) -> String {
    guard total > 0 else { return "100.0%" }
    // Never 100 before the end.
    let tenths = received >= total ? 1000 : min(999, Int(Double(received) / Double(total) * 1000))
    return "\(tenths / 10).\(tenths % 10)%"
  }

  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "-" }
    let whole = Int(max(0, seconds))
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return "\(whole / 60)m\(padded(whole % 60))s" }
    return "\(whole / 3600)h\(padded(whole / 60 % 60))m"
  }

  /// Seconds with one digit after the point.
  static func seconds(_ seconds: Double) -> String {
    let tenths = Int(max(0, min(seconds, 1e9)) * 10)
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func rounded(_ value: Double) -> String {
    if value >= 99.95 { return "\(Int(value + 0.5))" }
    if value >= 9.995 {
      let tenths = Int(value * 10 + 0.5)
      return "\(tenths / 10).\(tenths % 10)"
    }
    let hundredths = Int(value * 100 + 0.5)
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
