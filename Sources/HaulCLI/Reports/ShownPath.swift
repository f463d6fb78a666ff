/// A path as people write it.
enum ShownPath {
  /// The path without the `./` of this folder; it stays where the name would be taken for an option.
  static func text(_ path: String) -> String {
    guard path.hasPrefix("./") else { return path }
    let rest = path.dropFirst(2).drop { $0 == "/" }
    return rest.isEmpty || rest.hasPrefix("-") ? path : String(rest)
  }
}
