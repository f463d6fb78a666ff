/// An answer of an origin: head, framing and body, each as right or as wrong as the test wants.
///
/// The body is a list of steps, and the framing says what is declared about it; nothing keeps
/// the two in agreement but the initialisers.
public struct OriginResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The reason phrase.
  public var reason: String
  /// The fields, without those of the framing.
  public var fields: [OriginField]
  /// What is declared about the length of the body.
  public var framing: OriginFraming
  /// How the body is sent.
  public var body: [BodyStep]
  /// What happens before the first byte of the answer.
  public var prelude: [BodyStep] = []
  /// Interim answers (1xx) before the final one.
  public var interim: [OriginInterim] = []
  /// Bytes in the place of the status line, without the line's end; nil for a right one.
  public var statusLine: [UInt8]?
  /// Bytes in the place of the status line and the header section; nil for right ones.
  public var rawHead: [UInt8]?
  /// Fields after the last chunk.
  public var trailers: [OriginField] = []
  /// Whether a chunked body ends with the last chunk of zero bytes.
  public var endsChunks = true
  /// Whether the body is sent even in answer to HEAD.
  public var answersHeadWithBody = false

  /// Makes an answer from its parts. Without a framing the length of the steps is declared.
  public init(
    status: Int, reason: String? = nil, fields: [OriginField] = [],
    framing: OriginFraming? = nil, body: [BodyStep] = []
  ) {
    self.status = status
    self.reason = reason ?? Self.reason(for: status)
    self.fields = fields
    self.framing = framing ?? .length(body.reduce(0) { $0 + $1.byteCount })
    self.body = body
  }

  /// Makes an answer with a text as its body.
  public init(status: Int, text: String, contentType: String = "text/plain; charset=utf-8") {
    self.init(
      status: status, fields: [OriginField("Content-Type", contentType)],
      body: [.bytes(Array(text.utf8))])
  }

  /// A redirect; the location is sent as given, raw UTF-8 and spaces included.
  public static func redirect(_ status: Int = 302, to location: String) -> OriginResponse {
    OriginResponse(status: status, fields: [OriginField("Location", location)])
  }

  /// Bytes that are no HTTP answer, then a step that ends the connection.
  public static func junk(_ bytes: [UInt8], then end: BodyStep = .close) -> OriginResponse {
    var response = OriginResponse(status: 0, framing: OriginFraming.none, body: [end])
    response.rawHead = bytes
    response.answersHeadWithBody = true
    return response
  }

  /// No answer at all: the connection is closed, or reset, once the request has been read.
  public static func hangUp(_ end: BodyStep = .close) -> OriginResponse {
    junk([], then: end)
  }

  /// The number of bytes of the body that the steps send.
  public var bodyByteCount: Int64 {
    body.reduce(0) { $0 + $1.byteCount }
  }

  /// The value of the first field of this name, as UTF-8, or nil.
  public func header(_ name: String) -> String? {
    fields.first { $0.isNamed(name) }.map { String(decoding: $0.value, as: UTF8.self) }
  }
}

/// A field line of an answer, whose value may be any bytes.
public struct OriginField: Sendable, Hashable {
  /// The name as it is sent.
  public var name: String
  /// The value as it is sent.
  public var value: [UInt8]

  /// Makes a field with a text, sent as UTF-8.
  public init(_ name: String, _ value: String) {
    self.init(name, raw: Array(value.utf8))
  }

  /// Makes a field with any bytes: ISO 8859-1, for instance, or a bare control character.
  public init(_ name: String, raw value: [UInt8]) {
    self.name = name
    self.value = value
  }
}

/// An interim answer, such as 100 or 103.
public struct OriginInterim: Sendable, Hashable {
  /// The status code, 100 to 199.
  public var status: Int
  /// The fields.
  public var fields: [OriginField]

  /// Makes an interim answer.
  public init(status: Int, fields: [OriginField] = []) {
    self.status = status
    self.fields = fields
  }
}
