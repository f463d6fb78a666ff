/// Figures as people read them: binary units, three digits.
enum Format {
  static func size(_ bytes: Int64) -> String {
    let (divisor, unit) = scale(bytes)
    if unit == 0 { return "\(bytes) B" }
    let value = Double(bytes) / divisor
    return "\(decimal(value, digits: digits(value))) \(units[unit])"
  }

  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// What to divide by so that at most three digits stand before the point, and its unit.
  private static func scale(_ bytes: Int64) -> (divisor: Double, unit: Int) {
    if bytes < 1024 { return (1, 0) }
    var divisor = 1.0
    var unit = 0
    while Double(bytes) / divisor >= 999.5, unit < units.count - 1 {
      divisor *= 1024
      unit += 1
    }
    return (divisor, unit)
  }

  static func rate(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond.isFinite, bytesPerSecond < 9e18 else { return "-" }
    return size(Int64(max(0, bytesPerSecond))) + "/s"
  }

  /// A part of something that is not over yet: never 100 %.
  static func percentage(_ share: Double) -> String {
    let tenths = share.isFinite ? Int(max(0, min(share * 1000 + 1e-9, 999))) : 0
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// `2.51/5.80 GiB`: both in the unit of the second one.
  static func sizes(_ received: Int64, of total: Int64) -> String {
    let (divisor, unit) = scale(total)
    let digits = digits(Double(total) / divisor)
    let part = decimal(Double(min(received, total)) / divisor, digits: unit == 0 ? 0 : digits)
    return part + "/" + size(total)
  }

  /// `2.51G`: for narrow places.
  static func shortSize(_ bytes: Int64) -> String {
    let text = size(bytes).split(separator: " ")
    return "\(text[0])\(text[1].prefix(1))"
  }

  /// A time to come: `58s`, `4m58s`, `3h07m`, `2d05h`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 8_640_000 else { return "-" }
    let whole = Int(max(0, seconds))
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return "\(whole / 60)m\(padded(whole % 60))s" }
    if whole < 360_000 { return "\(whole / 3600)h\(padded(whole / 60 % 60))m" }
    return "\(whole / 86_400)d\(padded(whole / 3600 % 24))h"
  }

  /// Seconds with one digit after the point.
  static func seconds(_ seconds: Double) -> String {
    let tenths = Int(max(0, min(seconds, 1e9)) * 10)
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// The time that something took: `2.5 s`, and from a minute on as `duration`.
  static func elapsed(_ time: Double) -> String { time < 60 ? seconds(time) : duration(time) }

  /// What a run fetched of so many bytes, and how fast: `2.51 MiB in 2.5 s, 1.00 MiB/s`, or
  /// `300 MiB (229 MiB fetched in 3.9 s, 58.8 MiB/s)` where an earlier run had the rest.
  static func fetched(_ fetched: Int64, of size: Int64, in time: Double) -> String {
    guard fetched < size else { return Self.size(size) + " in " + pace(size, time) }
    if fetched == 0 { return Self.size(size) + " (all of it was there)" }
    return "\(Self.size(size)) (\(Self.size(fetched)) fetched in \(pace(fetched, time)))"
  }

  /// How long so many bytes took, and how fast they came, unless that was too short to say something.
  static func pace(_ bytes: Int64, _ time: Double) -> String {
    elapsed(time)
      + (bytes > 0 && time >= shortestPace ? ", \(rate(Double(bytes) / time))" : "")
  }

  private static let shortestPace = 0.2

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The digits after the point of a number with three digits in all.
  private static func digits(_ value: Double) -> Int { value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2 }

  private static func decimal(_ value: Double, digits: Int) -> String {
    switch digits {
    case 0: return "\(Int(value + 0.5))"
    case 1:
      let tenths = Int(value * 10 + 0.5)
      return "\(tenths / 10).\(tenths % 10)"
    default:
      let hundredths = Int(value * 100 + 0.5)
      return "\(hundredths / 100).\(padded(hundredths % 100))"
    }
  }
}
