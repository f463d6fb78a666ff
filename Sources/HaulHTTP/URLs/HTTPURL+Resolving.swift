extension HTTPURL {
  /// The address that a reference found here means (RFC 3986 §5.2), such as the `Location` of a
  /// redirect or a line of a playlist.
  ///
  /// Dot segments of the reference are removed. Spaces, characters outside ASCII and backslashes
  /// inside it are kept; `requestText` encodes the first two. An empty reference means this address
  /// without its fragment. A relative reference keeps user and password.
  /// - Throws: `AddressError` for the same faults as `init(parsing:)`.
  public func resolve(_ reference: String) throws(AddressError) -> HTTPURL {
    var parts = try URLReference(parsing: reference)
    if parts.scheme != nil || parts.authority != nil {
      parts.scheme = parts.scheme ?? scheme
      parts.path = Self.removingDotSegments(parts.path)
      return try HTTPURL(absolute: parts)
    }

    var path = self.path
    var query = parts.query
    if parts.path.isEmpty {
      query = query ?? self.query
    } else if parts.path.utf8.first == UInt8(ascii: "/") {
      path = Self.removingDotSegments(parts.path)
    } else {
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { String(path[...$0]) } ?? "/"
      path = Self.removingDotSegments(folder + parts.path)
    }
    guard path.utf8.count + (query?.utf8.count ?? 0) <= URLReference.maximumByteCount else {
      throw .tooLong
    }
    return HTTPURL(sibling: self, path: path, query: query, fragment: parts.fragment)
  }

  /// The path of an absolute address without `.` and `..` (RFC 3986 §5.2.4), in linear time.
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.contains(UInt8(ascii: ".")) else {
      return path
    }
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring] = []
    var endsInFolder = false
    for segment in segments.map(Substring.init) {
      endsInFolder = segment == "." || segment == ".."
      if segment == ".." {
        _ = kept.popLast()
      } else if segment != "." {
        kept.append(segment)
      }
    }
    if endsInFolder { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
