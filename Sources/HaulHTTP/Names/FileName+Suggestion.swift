extension FileName {
  /// The longest name in bytes that still takes our longest suffix, `.haul-journal`, within the 255
  /// bytes that file systems allow.
  public static let maximumByteCount = 255 - 13

  /// The name for a download whose caller gave none.
  ///
  /// In this order: the name in `Content-Disposition`; the last segment of the first address, then
  /// of the final one, that has an extension; then without; the host of the first address;
  /// `download`. A name that is not the server's and has no extension gets that of the media type.
  /// - Parameters:
  ///   - disposition: The `Content-Disposition` field, or nil.
  ///   - firstURL: The address that the caller gave.
  ///   - finalURL: The address that answered, after redirects.
  ///   - mediaType: The type of the content, or nil.
  /// - Returns: A safe name of at most `maximumByteCount` bytes.
  public static func suggested(
    disposition: String?, firstURL: HTTPURL, finalURL: HTTPURL,
    mediaType: @autoclosure () -> MediaType?
  ) -> String {
    let given = disposition.flatMap { ContentDisposition.fileName($0) }.flatMap { safe($0) }
    let isSame = finalURL.path.hasSameBytes(as: firstURL.path)
    let segments = (isSame ? [firstURL] : [firstURL, finalURL]).compactMap { segmentName($0) }
    let complete = given ?? segments.first { hasExtension($0) }
    if let complete { return fitted(complete, maxBytes: maximumByteCount) }

    let stem = segments.first ?? safe(firstURL.host) ?? "download"
    let ending = mediaType()?.preferredExtension.map { ".\($0)" } ?? ""
    return fitted(stem + ending, maxBytes: maximumByteCount)
  }

  private static func segmentName(_ url: HTTPURL) -> String? {
    let segment = url.lastPathSegment
    return safe(PercentCoding.decodeUTF8(segment) ?? segment)
  }
}
