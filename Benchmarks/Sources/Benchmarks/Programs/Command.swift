/// A command line; the program is named by its path, or looked up in `PATH`.
struct Command: Sendable, Hashable {
  var words: [String]

  init(_ words: [String]) {
    self.words = words
  }
}

extension Contestant {
  /// The command that only starts the program.
  func versionCommand(path: String) -> Command {
    Command([path, "--version"])
  }

  /// The command that fetches, or nil when the program cannot do that.
  ///
  /// Configuration files are left out, and nothing is shown. Beyond that each program gets the
  /// options that make it fast on a local server.
  func command(for fetch: Fetch, path: String) -> Command? {
    switch self {
    case .haul(let isDurable, let isChecked, let connections):
      Command(
        [path]
          + haul(fetch, isDurable: isDurable, isChecked: isChecked, connections: connections))
    case .curl:
      Command([path] + curl(fetch))
    case .curlAndDigest:
      curlAndDigest(fetch, path: path)
    case .aria2c(let connections, let isChecked):
      Command([path] + aria2c(fetch, connections: connections, isChecked: isChecked))
    case .wget2:
      Command([path] + wget2(fetch))
    case .wget2Chunks(let threads):
      fetch.list == nil
        ? Command([path, "--chunk-size=1M", "--max-threads=\(threads)"] + wget2(fetch)) : nil
    case .axel(let connections):
      fetch.list == nil ? Command([path] + axel(fetch, connections: connections)) : nil
    case .receiver:
      fetch.list == nil && fetch.authority == nil ? Command([path, fetch.url, fetch.target]) : nil
    case .copy:
      fetch.source.map { Command([path, $0, fetch.target]) }
    case .ideal: nil
    }
  }
}
