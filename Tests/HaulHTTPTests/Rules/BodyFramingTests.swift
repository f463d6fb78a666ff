import HaulHTTP
import Testing

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

  @Test(arguments: SplitMix64.seeds)
  func survivesHostileFields(seed: UInt64) {
    for text in Hostile.texts(like: ["5, 5", "gzip, chunked"], count: 500, seed: seed) {
      let coding = text.utf8.count % 2 == 0 ? "identity" : text
      let fields = header(["Content-Length": text, "Transfer-Encoding": coding])
      let head = ResponseHead(version: .http11, status: 200, fields: fields)
      if case .length(let length)? = try? BodyFraming.of(head), length < 0 {
        Issue.record("\(text.debugDescription) gave \(length)")
      }
    }
  }
}
