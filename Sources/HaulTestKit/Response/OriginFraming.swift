/// What an answer declares about the length of its body, whatever is sent then.
public enum OriginFraming: Sendable, Hashable {
  /// `Content-Length` with a number.
  case length(Int64)
  /// `Content-Length` with a text that need not be a number: `-1`, `99999999999999999999`.
  case lengthText(String)
  /// `Transfer-Encoding: chunked`; each step makes one or more chunks.
  case chunked
  /// Both; the chunks count (RFC 9112 §6.3).
  case chunkedWithLength(Int64)
  /// No length; the end of the connection is the end of the body.
  case close
  /// Nothing, and the connection stays: for 204, 304 and answers without a body.
  case none

  var isChunked: Bool {
    switch self {
    case .chunked, .chunkedWithLength: true
    case .length, .lengthText, .close, .none: false
    }
  }

  var fields: [OriginField] {
    switch self {
    case .length(let length): [OriginField("Content-Length", String(length))]
    case .lengthText(let text): [OriginField("Content-Length", text)]
    case .chunked: [OriginField("Transfer-Encoding", "chunked")]
    case .chunkedWithLength(let length):
      [
        OriginField("Content-Length", String(length)),
        OriginField("Transfer-Encoding", "chunked"),
      ]
    case .close: [OriginField("Connection", "close")]
    case .none: []
    }
  }
}
