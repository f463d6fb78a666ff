internal import HaulHTTP

/// Where a proxy is to go for a request, and what to send there.
struct ProxyTarget {
  /// The port that the target names.
  let port: UInt16
  /// The head for the server, or nil for a tunnel.
  let request: [UInt8]?

  init?(_ request: OriginRequest) {
    if request.method == "CONNECT" {
      guard let port = Self.port(of: request.target[...]) else { return nil }
      self.port = port
      self.request = nil
      return
    }
    guard request.target.lowercased().hasPrefix("http://") else { return nil }
    let rest = request.target.dropFirst(7)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    port = Self.port(of: authority) ?? 80
    // One request for each connection to the server, so that its end is the end of the answer.
    var text = "\(request.method) \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1\r\n"
    for field in request.fields.fields where !Self.isForProxy(field.name) {
      text += "\(field.name): \(field.value)\r\n"
    }
    self.request = Array("\(text)Connection: close\r\n\r\n".utf8)
  }

  private static func port(of authority: Substring) -> UInt16? {
    authority.split(separator: ":").last.flatMap { UInt16($0) }
  }

  private static func isForProxy(_ name: String) -> Bool {
    ["Connection", "Proxy-Connection", "Proxy-Authorization"]
      .contains { $0.equalsIgnoringASCIICase(name) }
  }
}

/// Base64 (RFC 4648 §4).
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = (0..<3).reduce(UInt32(0)) { value, index in
        value << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
      }
      for index in 0..<4 {
        let letter = letters[Int(value >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= group.count ? letter : "=")
      }
    }
    return text
  }
}
