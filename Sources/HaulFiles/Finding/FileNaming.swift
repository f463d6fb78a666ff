/// Stands in for the naming rules of HaulHTTP.
enum FileNaming {
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 0 else { return name }
    let mark = " (\(number))"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name + mark }
    return name[..<dot] + mark + name[dot...]
  }

  static func isSame(_ left: String, _ right: String) -> Bool {
    left.lowercased() == right.lowercased()
  }
}
