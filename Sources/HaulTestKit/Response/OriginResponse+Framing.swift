extension OriginResponse {
  /// Declares the body in another way; the steps stay.
  public func framed(_ framing: OriginFraming) -> OriginResponse {
    var copy = self
    copy.framing = framing
    return copy
  }

  /// Sends the body in chunks, without a length.
  public func chunked(trailers: [OriginField] = []) -> OriginResponse {
    var copy = framed(.chunked)
    copy.trailers = trailers
    return copy
  }

  /// Sends the body in chunks and closes the connection without the last one.
  public func chunkedWithoutEnd() -> OriginResponse {
    var copy = framed(.chunked)
    copy.endsChunks = false
    copy.body.append(.close)
    return copy
  }

  /// Sends a chunk whose size line is no number after so many bytes of the body, then closes.
  public func brokenChunk(after count: Int64) -> OriginResponse {
    var copy = framed(.chunked).cutting(after: count)
    copy.body.insert(.raw(Array("zz-no-size\r\n".utf8)), at: copy.body.count - 1)
    return copy
  }

  /// Sends no length; the end of the connection ends the body.
  public func closeDelimited() -> OriginResponse {
    framed(.close)
  }

  /// Declares a `Content-Length` that need not be true.
  public func declaring(length: Int64) -> OriginResponse {
    framed(.length(length))
  }

  /// Leaves out the last bytes and says so: a shorter 206 is legal (RFC 9110 §15.3.7), a shorter
  /// 200 is a shorter file.
  public func shortened(by count: Int64) -> OriginResponse {
    let kept = max(0, bodyByteCount - count)
    var copy = cutting(after: kept)
    copy.body.removeLast()
    if case .length = framing { copy.framing = .length(kept) }
    guard let value = header("Content-Range"), let dash = value.firstIndex(of: "-"),
      let slash = value.firstIndex(of: "/"),
      let first = value[..<dash].split(separator: " ").last.flatMap({ Int64($0) })
    else { return copy }
    return copy.with(
      "Content-Range", "\(value[...dash])\(first + kept - 1)\(value[slash...])")
  }

  /// Codes the body with gzip and says so, whatever the client accepts.
  ///
  /// The whole body is held in memory. Gates and endings among the steps are lost: apply other
  /// faults afterwards.
  public func gzipped() -> OriginResponse {
    let coded = Gzip.stored(body.flatMap(\.bodyBytes))
    var copy = with("Content-Encoding", "gzip")
    copy.body = [.bytes(coded)]
    if case .length = framing { copy.framing = .length(Int64(coded.count)) }
    return copy
  }
}
