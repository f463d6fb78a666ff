import Glibc
import HaulTestKit
import Testing

@Suite struct HostileOriginTests {
  let file = OriginResource(
    OriginContent(size: 100_000), etag: "\"v1\"", lastModified: 784_111_777)

  @Test func `a resource answers as RFC 9110 says`() throws {
    let origin = try HostileOrigin { file.respond(to: $0) }
    let whole = try RawClient.get(origin)
    #expect(whole.status == "HTTP/1.1 200 OK")
    #expect(whole.body == file.content.bytes())
    #expect(whole.header("ETag") == "\"v1\"")
    #expect(whole.header("Last-Modified") == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(whole.header("Date") != nil)

    let part = try RawClient.get(origin, "/", "Range: bytes=10-19")
    #expect(part.status == "HTTP/1.1 206 Partial Content")
    #expect(part.header("Content-Range") == "bytes 10-19/100000")
    #expect(part.body == file.content.bytes(in: 10..<20))

    let rest = try RawClient.get(origin, "/", "Range: bytes=99990-", "If-Range: \"v1\"")
    #expect(rest.body == file.content.bytes(in: 99_990..<100_000))
    let dated = try RawClient.get(
      origin, "/", "Range: bytes=5-5", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(dated.body.count == 1)
    let changed = try RawClient.get(origin, "/", "Range: bytes=5-", "If-Range: \"v0\"")
    #expect(changed.status == "HTTP/1.1 200 OK")
    let weak = try RawClient.get(origin, "/", "Range: bytes=5-", "If-Range: W/\"v1\"")
    #expect(weak.status == "HTTP/1.1 200 OK")

    let beyond = try RawClient.get(origin, "/", "Range: bytes=100000-")
    #expect(beyond.status == "HTTP/1.1 416 Range Not Satisfiable")
    #expect(beyond.header("Content-Range") == "bytes */100000")
    #expect(try RawClient.get(origin, "/", "If-None-Match: \"v1\"").status.contains("304"))
    #expect(origin.requests.count == 8)
    #expect(origin.requests[1].range == OriginRange(first: 10, last: 19))
  }

  @Test func `a connection is used again`() throws {
    let origin = try HostileOrigin { file.respond(to: $0) }
    let client = try RawClient(port: origin.port)
    for first in [0, 50] {
      client.send("GET /x?y=1 HTTP/1.1\r\nHost: a\r\nRange: bytes=\(first)-\(first + 9)\r\n\r\n")
      #expect(client.readAnswer().body.count == 10)
    }
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
    let answers = client.readToEnd()
    #expect(answers.head.contains("Content-Length: 100000"))
    #expect(String(decoding: answers.body, as: UTF8.self).hasPrefix("HTTP/1.1 405"))
    let requests = origin.requests
    #expect(requests.map(\.connectionRequestIndex) == [0, 1, 2, 3])
    #expect(requests.map(\.index) == [0, 1, 2, 3])
    #expect(Set(requests.map(\.connection)) == [0])
    #expect(requests[0].path == "/x" && requests[0].query == "y=1")
    #expect(requests[3].body == Array("abc".utf8))
    #expect(origin.connectionCount == 1)
  }

  @Test func `a cut ends in order after so many bytes`() throws {
    let origin = try HostileOrigin { file.respond(to: $0).cutting(after: 1_000) }
    let answer = try RawClient.get(origin)
    #expect(answer.error == 0)
    #expect(answer.header("Content-Length") == "100000")
    #expect(answer.body == file.content.bytes(in: 0..<1_000))
    #expect(origin.bodyBytesSent == 1_000)
  }

  @Test func `a reset comes after so many bytes have arrived`() throws {
    let origin = try HostileOrigin { file.respond(to: $0).resetting(after: 50_000) }
    let answer = try RawClient.get(origin)
    #expect(answer.error == ECONNRESET)
    #expect(answer.body == file.content.bytes(in: 0..<50_000))
  }

  @Test func `chunks may be whole, endless or broken`() throws {
    let small = OriginResource(OriginContent(text: "hello world"))
    let script = Script(
      .next { small.respond(to: $0).chunked(trailers: [OriginField("X", "1")]) },
      .next { small.respond(to: $0).chunkedWithoutEnd() },
      .next { small.respond(to: $0).brokenChunk(after: 5) },
      .next { small.respond(to: $0).framed(.chunkedWithLength(3)) },
      finally: { small.respond(to: $0).closeDelimited() })
    let origin = try HostileOrigin { script.respond(to: $0) }
    func body() throws -> String {
      String(decoding: try RawClient.get(origin).body, as: UTF8.self)
    }
    #expect(try body() == "b\r\nhello world\r\n0\r\nX: 1\r\n\r\n")
    #expect(try body() == "b\r\nhello world\r\n")
    #expect(try body() == "5\r\nhello\r\nzz-no-size\r\n")
    let both = try RawClient.get(origin)
    #expect(both.header("Content-Length") == "3")
    #expect(both.header("Transfer-Encoding") == "chunked")
    let closed = try RawClient.get(origin)
    #expect(closed.header("Content-Length") == nil)
    #expect(closed.body == Array("hello world".utf8))
    #expect(script.requestCount == 5)
  }

  @Test func `a gate holds an answer until it is opened`() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { file.respond(to: $0).stalling(after: 100, at: gate) }
    let client = try RawClient(port: origin.port)
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await gate.waitUntilReached()
    #expect(gate.waiting == 1)
    #expect(origin.bodyBytesSent == 100)
    gate.open()
    #expect(client.readToEnd().body == file.content.bytes())
  }

  @Test func `stopping ends answers that are blocked`() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { request in
      request.path == "/gate"
        ? file.respond(to: request).delayed(gate)
        : OriginResource(OriginContent(size: 1 << 40)).respond(to: request)
    }
    let first = try RawClient(port: origin.port)
    first.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    let second = try RawClient(port: origin.port)
    second.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
    let idle = try RawClient(port: origin.port)
    await gate.waitUntilReached()
    await origin.waitForRequests(2)
    origin.stop()
    #expect(first.readToEnd().body.isEmpty)
    #expect(idle.readToEnd().body.isEmpty)
    #expect(origin.openConnections == 0)
    #expect(throws: KitError.self) { try RawClient(port: origin.port) }
  }

  @Test func `losing the origin ends it`() throws {
    var origin: HostileOrigin? = try HostileOrigin { file.respond(to: $0) }
    let port = try #require(origin?.port)
    origin = nil
    #expect(throws: KitError.self) { try RawClient(port: port) }
  }

  @Test func `a client that goes away does no harm`() async throws {
    let origin = try HostileOrigin { _ in
      OriginResource(OriginContent(size: 1 << 40)).respond(to: OriginRequest())
    }
    do {
      let client = try RawClient(port: origin.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await origin.waitForRequests(1)
    }
    await origin.waitUntilIdle()
    #expect(origin.connectionCount == 1)
  }

  @Test func `many connections are served at once`() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { file.respond(to: $0).delayed(gate) }
    let clients = try (0..<200).map { _ in try RawClient(port: origin.port) }
    for client in clients { client.send("GET / HTTP/1.0\r\n\r\n") }
    await gate.waitUntilReached(200)
    gate.open()
    for client in clients { #expect(client.readToEnd().body.count == 100_000) }
    #expect(origin.peakConnections == 200)
    #expect(origin.peakRequests == 200)
    #expect(Set(origin.requests.map(\.concurrent)) == Set(1...200))
  }
}
