extension Program {
  /// The list of files as the program reads it; nil when it knows no lists.
  func list(of fetch: Fetch) -> String? {
    let lines: [String]? =
      switch self {
      case .haul, .aria2c, .wget2: fetch.files.map(\.url)
      case .curl:
        fetch.files.map { "url = \"\($0.url)\"\noutput = \"\(fetch.folder)/\($0.name)\"" }
      case .axel, .cp, .receiver: nil
      }
    return lines.map { $0.joined(separator: "\n") + "\n" }
  }
}
