/// Users and passwords by host, as a `.netrc` file of ftp and curl holds them.
///
/// ```swift
/// let netrc = try Netrc(parsing: Array("machine files.example login me password secret".utf8))
/// netrc.credentials(for: "files.example")  // me, secret
/// ```
public struct Netrc: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    /// The host, in lower case, or nil for the entry that stands for all others.
    var host: String?
    var login: String?
    var password: String?
  }

  let entries: [Entry]

  /// Reads the bytes of a file.
  ///
  /// Words stand apart by spaces and line ends, in any order that makes sense; a word in double
  /// quotes may hold spaces, and `\"`, `\\`, `\n`, `\r` and `\t`. What follows a `#` at the start of
  /// a word is a comment. Macros (`macdef`) are passed over, and so are words of other programs.
  ///
  /// - Throws: `NetrcError` when it is not UTF-8, a quote does not end, a value is missing, or there
  ///   is no entry at all.
  public init(parsing bytes: [UInt8]) throws(NetrcError) {
    var parser = NetrcParser()
    entries = try parser.parse(bytes)
  }

  /// What an entry gives for a host.
  ///
  /// The first entry of the host counts, or the default one where it stands before; entries without
  /// a password count last.
  ///
  /// - Parameters:
  ///   - host: The host as it stands in an address; an IPv6 address may have its brackets.
  ///   - user: The only user that is meant, or nil for any.
  ///   - allowsDefault: Whether the entry for all hosts may be used.
  /// - Returns: User and password, either of which may be empty; nil when no entry fits.
  public func credentials(
    for host: String, user: String? = nil, allowsDefault: Bool = true
  ) -> Credentials? {
    let host = Self.plain(host)
    let fitting = entries.filter { entry in
      guard entry.login != nil || entry.password != nil else { return false }
      guard entry.host == host || (entry.host == nil && allowsDefault) else { return false }
      return user == nil || entry.login == user
    }
    let entry = fitting.first { $0.login != nil && $0.password != nil } ?? fitting.first
    return entry.map { Credentials(user: $0.login ?? "", password: $0.password ?? "") }
  }

  /// A host in lower case, without brackets and the dot at its end that makes it absolute.
  static func plain(_ host: String) -> String {
    var host = host.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.hasSuffix(".") { host.removeLast() }
    return host
  }
}

extension Netrc: CustomStringConvertible {
  /// How many entries there are; never what they hold.
  public var description: String { "netrc with \(entries.count) entries" }
}

/// Why a netrc file cannot be read.
public struct NetrcError: Error, Sendable, Hashable {
  /// The line, counted from 1, or nil where it is the whole file.
  public var line: Int?
  /// What is wrong, in words that follow the name of the file; never a word of the file.
  public var message: String
}
