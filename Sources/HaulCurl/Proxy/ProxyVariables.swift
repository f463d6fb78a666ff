internal import Glibc

/// The variables of the environment that say which proxy is used.
struct ProxyVariables: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) {
    self.values = values.filter { !$0.value.isEmpty }
  }

  /// Those of the process.
  static var ofProcess: ProxyVariables {
    var values: [String: String] = [:]
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
      for name in [name, name.uppercased()] {
        // The value is copied at once.
        values[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
      }
    }
    return ProxyVariables(values)
  }

  /// The proxy for a scheme, and the variable that names it. `HTTP_PROXY` does not count, since web
  /// servers make it of a header field of their visitors (CVE-2016-5385).
  func proxy(for scheme: String) -> (text: String, variable: String)? {
    let own = scheme + "_proxy"
    let names = [own] + (scheme == "http" ? [] : [own.uppercased()]) + ["all_proxy", "ALL_PROXY"]
    return names.lazy.compactMap { name in values[name].map { ($0, name) } }.first
  }

  /// Whether any is named.
  var isEmpty: Bool { values.isEmpty }

  /// The hosts that are asked without a proxy.
  var noProxy: String? { values["no_proxy"] ?? values["NO_PROXY"] }
}
