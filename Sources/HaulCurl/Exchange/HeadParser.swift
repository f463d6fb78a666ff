internal import HaulHTTP

/// Puts together the head of the final answer from the lines that libcurl shows.
struct HeadParser {
  private var version = HTTPVersion.http11
  private var status = 0
  private var fields = HeaderFields()
  private var pending: HeaderField?
  /// Whether HTTP/2 can have been agreed upon at all. Without TLS it cannot, whatever a status
  /// line says, and an answer without a length ends where anybody cuts it.
  private let mayBeHTTP2: Bool
  private var byteCount = 0
  private var isInside = false
  private(set) var isComplete = false

  /// The largest header section that is accepted, in bytes.
  static let maximumByteCount = 256 * 1024

  /// Why the head cannot be used, if it cannot.
  private(set) var failure: String?

  init(mayBeHTTP2: Bool) {
    self.mayBeHTTP2 = mayBeHTTP2
  }

  /// Notes that the body begins although no head was complete.
  mutating func missed() {
    failure = failure ?? "sent content without an answer to it"
  }

  /// Takes a line with its line end; returns the head at the empty line of a final answer.
  ///
  /// Lines after that are trailers, and are ignored.
  mutating func take(_ line: RawSpan) -> ResponseHead? {
    guard !isComplete, failure == nil else { return nil }
    byteCount += line.byteCount
    guard byteCount <= Self.maximumByteCount else {
      failure = "sent a header section of more than \(Self.maximumByteCount) bytes"
      return nil
    }
    let line = HeadLine(line)
    // Only the first line is one of status; further down it would make earlier fields forgotten.
    if !isInside {
      begin(line.text)
      return nil
    }
    if line.isEmpty { return end() }
    if line.isContinuation {
      if let pending, Self.framesContent(pending.name) {
        failure = "sent a \(pending.name) field on several lines"
        return nil
      }
      pending?.value += " " + line.text
      return nil
    }
    flush()
    guard let field = line.field else { return nil }
    if !field.isNameExact, Self.framesContent(field.name) {
      failure = "sent a \(field.name) field with a space in its name"
      return nil
    }
    pending = HeaderField(name: field.name, value: field.value)
    return nil
  }

  /// Whether libcurl finds the end of the content by this field.
  ///
  /// It does not see one that is folded or has a space before its colon. To read it here all the
  /// same would be to take sizes of chunks for content, or a cut for the end.
  private static func framesContent(_ name: String) -> Bool {
    name.equalsIgnoringASCIICase("Content-Length")
      || name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  private mutating func begin(_ text: String) {
    fields = HeaderFields()
    pending = nil
    isInside = true
    let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
      .map { String(Substring($0)) }
    status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    version =
      switch words.first {
      case "HTTP/1.0": .http10
      case "HTTP/2" where mayBeHTTP2, "HTTP/2.0" where mayBeHTTP2: .http2
      case "HTTP/3" where mayBeHTTP2, "HTTP/3.0" where mayBeHTTP2: .http3
      default: .http11
      }
  }

  private mutating func end() -> ResponseHead? {
    flush()
    isInside = false
    // Interim answers come before the one that counts (RFC 9110 §15.2).
    guard status >= 100 else {
      failure = "sent an answer without a status"
      return nil
    }
    guard status >= 200 else { return nil }
    isComplete = true
    return ResponseHead(version: version, status: status, fields: fields)
  }

  private mutating func flush() {
    if let pending { fields.append(name: pending.name, value: pending.value) }
    pending = nil
  }
}
