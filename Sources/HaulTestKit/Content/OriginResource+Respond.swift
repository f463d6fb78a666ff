internal import Glibc
internal import HaulHTTP

extension OriginResource {
  /// Answers a request: 200, 206, 304, 405, 412 or 416.
  ///
  /// Preconditions are evaluated in the order of RFC 9110 §13.2.2; several ranges, suffixes and
  /// ranges in other units are ignored, which is legal.
  public func respond(to request: OriginRequest) -> OriginResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return OriginResponse(
        status: 405, fields: dateFields + [OriginField("Allow", "GET, HEAD")])
    }
    if let status = failedPrecondition(of: request) {
      return OriginResponse(
        status: status, fields: dateFields + validators,
        framing: status == 304 ? OriginFraming.none : nil)
    }
    guard request.method == "GET", honoursRanges, let range = request.range,
      ifRangeHolds(request)
    else { return answer(200, 0..<content.size, to: request) }
    guard let positions = range.positions(in: content.size) else {
      let fields = dateFields + [OriginField("Content-Range", "bytes */\(content.size)")]
      return OriginResponse(status: 416, fields: fields)
    }
    let value = "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(content.size)"
    return answer(206, positions, to: request).with("Content-Range", value)
  }

  private func answer(
    _ status: Int, _ positions: Range<Int64>, to request: OriginRequest
  ) -> OriginResponse {
    var all = dateFields + validators
    if advertisesRanges { all.append(OriginField("Accept-Ranges", "bytes")) }
    if let contentType { all.append(OriginField("Content-Type", contentType)) }
    if let disposition { all.append(OriginField("Content-Disposition", disposition)) }
    return OriginResponse(
      status: status, fields: all + fields,
      framing: .length(positions.upperBound - positions.lowerBound),
      body: request.method == "HEAD" ? [] : [.content(content, positions)])
  }

  private var dateFields: [OriginField] {
    switch date {
    case .now: [OriginField("Date", HTTPDate.format(Int64(time(nil))))]
    case .at(let time): [OriginField("Date", HTTPDate.format(time))]
    case .absent: []
    }
  }

  private var validators: [OriginField] {
    var fields: [OriginField] = []
    if let etag { fields.append(OriginField("ETag", etag)) }
    if let lastModifiedText { fields.append(OriginField("Last-Modified", lastModifiedText)) }
    return fields
  }

  private var lastModifiedText: String? {
    lastModified.map(HTTPDate.format)
  }

  /// Whether `If-Range` is absent or names this version (RFC 9110 §13.1.5).
  private func ifRangeHolds(_ request: OriginRequest) -> Bool {
    guard let value = request.header("If-Range") else { return true }
    // Only strong tags may match, and a date only when it is the very same text.
    if value.hasPrefix("\"") { return value == etag }
    return !value.hasPrefix("W/") && value == lastModifiedText
  }

  private func failedPrecondition(of request: OriginRequest) -> Int? {
    if let value = request.header("If-Match") {
      if !names(value, isWeak: false) { return 412 }
    } else if let value = request.header("If-Unmodified-Since"), value != lastModifiedText {
      return 412
    }
    if let value = request.header("If-None-Match") {
      if names(value, isWeak: true) { return 304 }
    } else if let value = request.header("If-Modified-Since"), value == lastModifiedText {
      return 304
    }
    return nil
  }

  /// Whether a list of entity tags names this version, by strong or weak comparison.
  private func names(_ list: String, isWeak: Bool) -> Bool {
    if list == "*" { return true }
    guard let etag, isWeak || !etag.hasPrefix("W/") else { return false }
    let tags = list.split(separator: ",").map { $0.drop { $0 == " " } }
    let opaque = etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
    return tags.contains { tag in
      isWeak && tag.hasPrefix("W/") ? tag.dropFirst(2) == opaque : tag == opaque
    }
  }
}
