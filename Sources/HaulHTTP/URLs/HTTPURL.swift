/// An absolute address with a host (RFC 3986 §3), kept exactly as it was given.
///
/// Nothing is normalised but the case of the scheme and the host, as servers may tell `%2B` from
/// `%2b` and from `+`. Any scheme is accepted; who fetches decides which are allowed. Two addresses
/// are equal when all their parts consist of the same bytes.
///
///     let url = try HTTPURL(parsing: "https://me:secret@example.com/a b?token=x#top")
///     url.requestText  // https://example.com/a%20b?token=x
///     url.redacted     // https://example.com/a%20b?token=***
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, in lower case, without its colon.
  public let scheme: String
  /// The host, with ASCII letters in lower case; an IPv6 address stands in brackets, and a name
  /// outside ASCII as it was given, before IDNA.
  public let host: String
  /// The port, or nil where none is given.
  public let port: Int?
  /// The path as given; empty, or starting with a slash.
  public let path: String
  /// The query without its question mark, or nil.
  public let query: String?
  /// The fragment without its `#`, or nil. It is never sent.
  public let fragment: String?
  /// User and password as given, or nil.
  let userInfo: String?

  /// Reads an absolute address, such as `https://example.com/file`. Spaces at its ends do not
  /// count.
  /// - Throws: `AddressError` when the scheme or the host is missing, the host or the port (1 to 65535)
  ///   is malformed, an ASCII control character is in it, or it is longer than 64 KiB. Spaces and
  ///   characters outside ASCII in path and query are no error.
  public init(parsing text: String) throws(AddressError) {
    try self.init(absolute: URLReference(parsing: text))
  }

  /// Makes an address from a reference that has a scheme and an authority.
  init(absolute reference: URLReference) throws(AddressError) {
    guard let scheme = reference.scheme else { throw .missingScheme }
    guard let authority = reference.authority else {
      // `localhost:8080/x` reads as a scheme, but its writer forgot one.
      throw reference.path.utf8.first == UInt8(ascii: "/") ? .missingHost : .missingScheme
    }
    let server = try Authority(parsing: authority)
    self.init(scheme: scheme, authority: server, reference: reference)
  }

  private init(scheme: String, authority: Authority, reference: URLReference) {
    self.scheme = scheme
    userInfo = authority.userInfo
    host = authority.host
    port = authority.port
    path = reference.path
    query = reference.query
    fragment = reference.fragment
  }

  /// Makes an address on the same server, as the same user.
  init(sibling base: HTTPURL, path: String, query: String?, fragment: String?) {
    scheme = base.scheme
    userInfo = base.userInfo
    host = base.host
    port = base.port
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// Makes the same address without user and password.
  private init(withoutUserOf url: HTTPURL) {
    scheme = url.scheme
    userInfo = nil
    host = url.host
    port = url.port
    path = url.path
    query = url.query
    fragment = url.fragment
  }

  /// The same address without user and password.
  public var withoutUser: HTTPURL { HTTPURL(withoutUserOf: self) }

  /// The address exactly as given, but without user and password: reading it gives `withoutUser`. It
  /// may hold other secrets, such as a signed query; show `redacted` instead.
  public var textWithoutUser: String {
    let queryText = query.map { "?\($0)" } ?? ""
    let fragmentText = fragment.map { "#\($0)" } ?? ""
    return "\(scheme)://\(authorityText)\(path)\(queryText)\(fragmentText)"
  }

  /// The user, percent-decoded, or nil. Text that does not decode to UTF-8 stays as given.
  public var user: String? {
    guard let userInfo else { return nil }
    let end = userInfo.utf8.firstIndex(of: UInt8(ascii: ":")) ?? userInfo.endIndex
    let text = String(userInfo[..<end])
    return PercentCoding.decodeUTF8(text) ?? text
  }

  /// The password, percent-decoded, or nil. Text that does not decode to UTF-8 stays as given.
  public var password: String? {
    guard let userInfo, let colon = userInfo.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let text = String(Substring(userInfo.utf8[colon...].dropFirst()))
    return PercentCoding.decodeUTF8(text) ?? text
  }

  /// The port to connect to: the one given, else 443 for `https` and 80 for `http`; zero for any
  /// other scheme.
  public var effectivePort: Int { port ?? impliedPort ?? 0 }

  /// Scheme, host and effective port.
  public var origin: Origin { Origin(scheme: scheme, host: host, port: effectivePort) }

  /// What follows the last slash of the path, as given; empty for a path that ends in a slash.
  public var lastPathSegment: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(Substring(path.utf8[slash...].dropFirst()))
  }

  /// What is asked for: the address without user, password and fragment.
  ///
  /// In path and query, spaces and bytes outside ASCII are percent-encoded; everything else is
  /// exactly as given, dot segments and the spelling of encodings too. The host stays as given.
  public var requestText: String { "\(scheme)://\(authorityText)\(target)" }

  /// What makes two addresses the same download: the address without its fragment, but with user
  /// and password, and so not to be shown or stored; take its digest.
  ///
  /// It is `requestText` with user and password, without a port that the scheme implies, and with
  /// `/` for an empty path.
  public var identityText: String {
    let user = userInfo.map { "\($0)@" } ?? ""
    let portText = port == impliedPort ? "" : port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(user)\(host)\(portText)\(path.isEmpty ? "/" : "")\(target)"
  }

  /// The address without secrets; see `redacted`.
  public var description: String { redacted }

  /// Host and port as given, without user and password.
  var authorityText: String { port.map { "\(host):\($0)" } ?? host }

  private var impliedPort: Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }

  private var target: String {
    PercentCoding.encodeNonASCII(path + (query.map { "?\($0)" } ?? ""))
  }

  /// Whether all parts of both addresses consist of the same bytes.
  public static func == (one: HTTPURL, other: HTTPURL) -> Bool {
    one.port == other.port && one.path.hasSameBytes(as: other.path)
      && one.scheme.hasSameBytes(as: other.scheme) && one.host.hasSameBytes(as: other.host)
      && hasSameBytes(one.query, other.query) && hasSameBytes(one.userInfo, other.userInfo)
      && hasSameBytes(one.fragment, other.fragment)
  }

  private static func hasSameBytes(_ one: String?, _ other: String?) -> Bool {
    switch (one, other) {
    case (let one?, let other?): one.hasSameBytes(as: other)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}
