internal import HaulHTTP
internal import HaulTransfer

/// The proxy that a request goes through.
///
/// It is chosen here by the rules of curl, and not by libcurl, which would not tell: a message about
/// a proxy that is down has to say that it is the proxy, which one, and where it was named.
struct ProxyChoice: Sendable {
  /// As libcurl takes it, with user and password.
  let text: String
  /// Where it was named: `--proxy` or a variable of the environment.
  let source: String
  /// Its scheme, in lower case; `http` where none was written.
  let scheme: String
  /// Host and port as they may be shown, or nil when they cannot be read.
  let place: String?
  /// The host, or nil when it cannot be read.
  let host: String?
  /// Whether the proxy itself is spoken to over TLS.
  let isSecure: Bool

  /// Nil when the server is asked directly.
  init?(for url: HTTPURL, _ options: ConnectionOptions, _ variables: ProxyVariables) {
    let named = options.proxy.map { ($0, "--proxy") } ?? variables.proxy(for: url.scheme)
    guard let (text, source) = named, !text.isEmpty else { return nil }
    let exceptions = NoProxyList(options.noProxy ?? variables.noProxy ?? "")
    guard !exceptions.contains(url.host) else { return nil }
    self.text = text
    self.source = source
    let proxy = try? HTTPURL(parsing: text.contains("://") ? text : "http://" + text)
    scheme = proxy?.scheme ?? "http"
    isSecure = scheme == "https"
    host = proxy?.host
    // The ports that libcurl takes when none is given.
    place = proxy.map { "\($0.host):\($0.port ?? ($0.scheme == "https" ? 443 : 1080))" }
  }

  /// How its user and password are given. SOCKS4 knows no passwords.
  var remedyForCredentials: String {
    let password = scheme.hasPrefix("socks4") ? "" : ":PASSWORD"
    return "--proxy \(scheme)://USER\(password)@\(place ?? "HOST:PORT")"
  }

  /// What to call it in a message.
  var name: String {
    "the proxy" + (place.map { " \($0)" } ?? "") + " of \(source)"
  }
}
