import HaulHTTP

/// Where a checksum file is.
enum ChecksumLocation: Sendable {
  case url(HTTPURL)
  /// A path; `-` is standard input.
  case file(String)

  /// Reads the value of `--digest-from`.
  init(_ value: String, of option: String) throws(UsageError) {
    let value = try Values.text(value, of: option, form: "--digest-from URL or FILE")
    let parts = value.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      self = .file(value)
      return
    }
    guard ["http", "https"].contains(parts[0].lowercased()) else {
      throw UsageError(
        "\(option) takes an address of http or https, or the path of a file; “\(parts[0])” is "
          + "neither")
    }
    do { self = .url(try HTTPURL(parsing: value)) } catch {
      throw UsageError("\(option): \(error.message)")
    }
  }

  /// Whether it is standard input.
  var isStandardInput: Bool {
    if case .file("-") = self { true } else { false }
  }

  /// What it is called in messages; no secrets.
  var shown: String {
    switch self {
    case .url(let url): url.redacted
    case .file("-"): "standard input"
    case .file(let path): path
    }
  }

  /// The last part of it, in which the algorithm may be named.
  var name: String {
    switch self {
    case .url(let url): url.lastPathSegment
    case .file("-"): shown
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    }
  }
}
