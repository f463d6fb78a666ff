import HaulHTTP
import Testing

@Suite struct StatusKindTests {
  private static let kinds: [StatusKind: [Int]] = [
    .ok: [200, 203], .partial: [206], .redirect: [301, 302, 303, 307, 308],
    .rangeNotSatisfiable: [416], .proxyAuthentication: [407],
    .retryable: [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524],
  ]

  @Test func sortsEveryCode() {
    for status in [Int.min, -1] + Array(0...1_100) + [.max] {
      let expected = Self.kinds.first { $0.value.contains(status) }?.key ?? .permanent
      #expect(StatusKind(status) == expected, "\(status)")
    }
  }

  @Test func hasAPhraseForEveryCodeItSortsByName() {
    for status in Self.kinds.values.joined() {
      #expect(StatusKind.reasonPhrase(status) != nil, "\(status)")
    }
    #expect(StatusKind.reasonPhrase(404) == "Not Found")
    #expect(StatusKind.reasonPhrase(299) == nil)
    #expect(StatusKind.reasonPhrase(.min) == nil)
  }
}

@Suite struct ContentCodingTests {
  @Test(
    arguments: [
      ([:], .identity), (["Content-Encoding": ""], .identity),
      (["Content-Encoding": "identity"], .identity), (["Content-Encoding": "gzip"], .gzip),
      (["content-encoding": " X-GZIP "], .gzip), (["Content-Encoding": "Deflate"], .deflate),
      (["Content-Encoding": "identity, gzip"], .gzip),
      (["Content-Encoding": "BR"], .unsupported("br")),
      (["Content-Encoding": "gzip, gzip"], .unsupported("gzip, gzip")),
      (["Content-Encoding": "gzip", "Content-Encoding": "br"], .unsupported("gzip, br")),
      (["Content-Encoding": "a\u{1B}b"], .unsupported("a\u{FFFD}b")),
    ] as [(Fields, ContentCoding)])
  func readsCodings(fields: Fields, expected: ContentCoding) {
    #expect(ContentCoding.parse(fields.header) == expected)
  }
}

@Suite struct BodyFramingTests {
  @Test(
    arguments: [
      (.http11, 200, ["Content-Length": "5"], .length(5)),
      (.http11, 200, ["Content-Length": "0"], .length(0)),
      (.http11, 200, ["Transfer-Encoding": "chunked"], .delimited),
      (.http11, 200, ["Transfer-Encoding": "Chunked", "Content-Length": "5"], .delimited),
      (.http11, 200, ["Transfer-Encoding": "chunked", "Content-Length": "x"], .delimited),
      (.http11, 200, ["Transfer-Encoding": "gzip, chunked"], .delimited),
      (.http11, 200, ["Transfer-Encoding": "gzip", "Content-Length": "5"], .untilClose),
      (.http11, 200, ["Transfer-Encoding": "identity", "Content-Length": "5"], .length(5)),
      (.http10, 200, ["Content-Length": "5"], .length(5)), (.http10, 200, [:], .untilClose),
      (.http11, 206, [:], .untilClose), (.http2, 200, [:], .delimited),
      (.http3, 206, [:], .delimited),
      (.http2, 200, ["Content-Length": "5"], .length(5)),
      (.http11, 204, ["Content-Length": "5"], .none),
      (.http11, 304, ["Content-Length": "5"], .none), (.http2, 204, ["Content-Length": "x"], .none),
    ] as [(HTTPVersion, Int, Fields, BodyFraming)])
  func knowsTheEnd(version: HTTPVersion, status: Int, fields: Fields, expected: BodyFraming) throws
  {
    let head = ResponseHead(version: version, status: status, fields: fields.header)
    #expect(try BodyFraming.of(head) == expected)
  }

  @Test(arguments: [HTTPVersion.http10, .http11, .http2, .http3])
  func refusesAMalformedLength(version: HTTPVersion) {
    let head = ResponseHead(
      version: version, status: 200, fields: header(["Content-Length": "5, 6"]))
    #expect(throws: MalformedField(name: "Content-Length", value: "5, 6")) {
      try BodyFraming.of(head)
    }
  }
}
