/// Sizes in messages: binary units, one digit after the point.
enum SizeText {
  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  static func of(_ bytes: Int64) -> String {
    guard bytes >= 1024 else { return "\(bytes) bytes" }
    var rest = Double(bytes) / 1024
    var unit = 0
    // What would be written as 1024.0 belongs to the next unit.
    while rest >= 1023.95, unit + 1 < units.count {
      rest /= 1024
      unit += 1
    }
    let tenths = Int(rest * 10 + 0.5)
    let digits = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(digits) \(units[unit])"
  }
}
