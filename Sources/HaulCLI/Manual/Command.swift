/// What the program can be told to do.
enum Command: String, CaseIterable {
  case get
  case help
  case version

  /// What stands after it.
  var arguments: String {
    switch self {
    case .get: "[OPTION]... URL..."
    case .help: "[TOPIC]"
    case .version: ""
    }
  }

  var summary: String {
    switch self {
    case .get: "fetch files; run it again to go on"
    case .help: "explain one thing"
    case .version: "versions of the program and its libraries"
    }
  }
}
