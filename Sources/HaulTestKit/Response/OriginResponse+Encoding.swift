internal import HaulHTTP

extension OriginField {
  var encoded: [UInt8] {
    Array(name.utf8) + [58, 32] + value + [13, 10]
  }

  func isNamed(_ other: String) -> Bool {
    name.equalsIgnoringASCIICase(other)
  }
}

extension OriginInterim {
  var encoded: [UInt8] {
    let line = "HTTP/1.1 \(status) \(OriginResponse.reason(for: status))\r\n"
    return fields.reduce(into: Array(line.utf8)) { $0 += $1.encoded } + [13, 10]
  }
}

extension OriginResponse {
  /// The status line, the header section and the empty line, as they go on the wire.
  var encodedHead: [UInt8] {
    if let rawHead { return rawHead }
    var head = statusLine ?? Array("HTTP/1.1 \(status) \(reason)".utf8)
    head += [13, 10]
    for field in fields + framing.fields { head += field.encoded }
    return head + [13, 10]
  }

  /// Whether the origin ends the connection after this answer.
  var closesConnection: Bool {
    if framing == .close { return true }
    return header("Connection")?.lowercased() == "close"
  }

  static func reason(for status: Int) -> String {
    reasons[status] ?? "Status \(status)"
  }

  private static let reasons: [Int: String] = [
    100: "Continue", 103: "Early Hints", 200: "OK", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 407: "Proxy Authentication Required",
    408: "Request Timeout", 410: "Gone", 412: "Precondition Failed",
    416: "Range Not Satisfiable", 425: "Too Early", 429: "Too Many Requests",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}
