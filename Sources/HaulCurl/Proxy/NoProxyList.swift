/// The hosts that are asked without a proxy, as curl reads `--noproxy` and `no_proxy`.
///
/// Names, IP addresses and networks (`10.0.0.0/8`), separated by commas or spaces. A name stands for
/// the host and everything below it, with or without a leading dot; `*` alone stands for all.
struct NoProxyList: Sendable {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether a host, with an IPv6 address in brackets, is in the list.
  func contains(_ host: String) -> Bool {
    if text == "*" { return true }
    let entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    if let address = IPAddress(host) {
      return entries.contains { address.isInside($0) }
    }
    let name = Self.plain(host[...])
    return entries.contains { entry in
      var entry = Self.plain(entry)
      if entry.hasPrefix(".") { entry.removeFirst() }
      return !entry.isEmpty && (name == entry || name.hasSuffix("." + entry))
    }
  }

  /// A name in lower case, without the dot at its end that makes it absolute.
  private static func plain(_ name: Substring) -> String {
    var name = name.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    return name
  }
}
