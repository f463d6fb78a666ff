/// Figures in tables.
enum Number {
  /// With so many digits after the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let units = Int((abs(value) * Double(scale)).rounded())
    let whole = "\(value < 0 && units > 0 ? "−" : "")\(units / scale)"
    guard digits > 0 else { return whole }
    let rest = "\(units % scale)"
    return "\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }

  /// A ratio, as `0.52`.
  static func ratio(_ value: Double) -> String { fixed(value, 2) }

  /// A time in seconds or milliseconds.
  static func seconds(_ value: Double) -> String {
    value < 1 ? "\(fixed(value * 1000, 1)) ms" : "\(fixed(value, 2)) s"
  }

  /// Times: the median, and in brackets the least and the greatest, all in the median's unit.
  static func seconds(_ times: Statistics) -> String {
    let isSmall = times.median < 1
    let scale = isSmall ? 1000.0 : 1
    let digits = isSmall ? 1 : 2
    return "\(seconds(times.median)) "
      + "(\(fixed(times.least * scale, digits))–\(fixed(times.greatest * scale, digits)))"
  }

  /// Memory given in KiB.
  static func mebibytes(_ kibibytes: Double) -> String { "\(fixed(kibibytes / 1024, 1)) MiB" }

  /// A part of one, as a percentage.
  static func percentage(_ part: Double) -> String { "\(fixed(part * 100, 1)) %" }
}
