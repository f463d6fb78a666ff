import HaulTestKit
import Testing

@Suite struct FaultTests {
  let file = OriginResource(OriginContent(size: 1_000))
  let ranged = OriginRequest().asking(for: OriginRange(first: 100, last: 199))

  private func exchange(
    _ answer: @escaping @Sendable (OriginRequest) -> OriginResponse, _ fields: String...
  ) async throws -> RawClient.Answer {
    let origin = try HostileOrigin(answer)
    return try RawClient.get(origin, "/", fields.joined(separator: "\r\n"))
  }

  @Test func `a shorter 206 agrees with itself`() throws {
    let response = file.respond(to: ranged).shortened(by: 40)
    #expect(response.header("Content-Range") == "bytes 100-159/1000")
    #expect(response.framing == .length(60))
    #expect(response.bodyByteCount == 60)
  }

  @Test func `a resource can be made to answer something else than was asked`() {
    let whole = file.respond(to: ranged.asking(for: OriginRange(first: 0)))
    #expect(whole.status == 206)
    #expect(whole.header("Content-Range") == "bytes 0-999/1000")
    let ignoring = file.ignoringRanges(advertised: true).respond(to: ranged)
    #expect(ignoring.status == 200)
    #expect(ignoring.header("Accept-Ranges") == "bytes")
    let lying = file.respond(to: ranged).wrongContentRange("Bytes 0-99/*")
    #expect(lying.header("content-range") == "Bytes 0-99/*")
    let bare = file.withoutValidators().respond(to: ranged)
    #expect(bare.header("ETag") == nil && bare.header("Last-Modified") == nil)
  }

  @Test func `surplus bytes, wrong lengths and raw fields go on the wire`() async throws {
    let surplus = try await exchange { file.respond(to: $0).surplus(5) }
    #expect(surplus.header("Content-Length") == "1000")
    #expect(surplus.body == file.content.bytes() + [UInt8](repeating: 0x58, count: 5))
    let lengths = try await exchange { file.respond(to: $0).framed(.lengthText("-1")) }
    #expect(lengths.header("Content-Length") == "-1")
    let origin = try HostileOrigin {
      file.respond(to: $0).with("X-Raw", raw: [0x66, 0xFC, 0x72]).without("Date")
    }
    let raw = try await curl("-i", origin.url("/"))
    #expect(raw.body.contains([0x66, 0xFC, 0x72]))
  }

  @Test func `interim answers, other status lines and junk are sent`() async throws {
    let origin = try HostileOrigin { request in
      switch request.path {
      case "/hints":
        OriginResponse(status: 200, text: "ok").preceded(
          by: OriginInterim(status: 103, fields: [OriginField("Link", "</a>")]),
          OriginInterim(status: 100))
      case "/old": OriginResponse(status: 200, text: "x").withStatusLine("ICY 200 OK")
      case "/junk": .junk(Array("SSH-2.0-hello\r\n".utf8))
      case "/moved": .redirect(301, to: "/hints?ä b")
      default: .hangUp()
      }
    }
    let hints = try await curl("-i", origin.url("/hints"))
    let text = String(decoding: hints.body, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue"))
    #expect(text.hasSuffix("\r\n\r\nok"))
    #expect(try RawClient.get(origin, "/old").status == "ICY 200 OK")
    #expect(try await curl(origin.url("/junk")).exit == .exited(1))
    #expect(try await curl(origin.url("/none")).exit == .exited(52))
    #expect(try RawClient.get(origin, "/moved").header("Location") == "/hints?ä b")
  }

  @Test func `a coded body can be decoded`() async throws {
    let origin = try HostileOrigin { file.respond(to: $0).gzipped() }
    #expect(try await curl("--compressed", origin.url("/")).body == file.content.bytes())
    let cut = try HostileOrigin { file.respond(to: $0).gzipped().cutting(after: 100) }
    #expect(try await curl("--compressed", cut.url("/")).exit == .exited(18))
  }

  @Test func `slow bodies arrive whole`() async throws {
    let origin = try HostileOrigin { request in
      request.path == "/paced"
        ? file.respond(to: request).throttled(bytesPerSecond: 5_000)
        : OriginResponse(
          status: 200, framing: .chunked,
          body: [.trickle(Array("slow".utf8), everyMilliseconds: 5)])
    }
    let start = ContinuousClock.now
    #expect(try await curl(origin.url("/paced")).body == file.content.bytes())
    #expect(ContinuousClock.now - start >= .milliseconds(190))
    #expect(try await curl(origin.url("/")).body == Array("slow".utf8))
  }

  @Test func `a version is replaced while the origin runs`() async throws {
    let versioned = VersionedResource(file)
    let gate = Gate()
    let origin = try HostileOrigin { versioned.respond(to: $0).stalling(after: 10, at: gate) }
    async let first = curl(origin.url("/"))
    await gate.waitUntilReached()
    versioned.replace(with: file.changed)
    gate.open()
    #expect(try await first.body == file.content.bytes())
    let second = try await curl("-i", origin.url("/"))
    #expect(Array(second.body.suffix(1_000)) == file.content.changed.bytes())
    #expect(versioned.current.etag == "\"1+\"")
  }

  @Test func `an orderly end keeps later requests unanswered`() async throws {
    let origin = try HostileOrigin { file.respond(to: $0).closeDelimited() }
    let client = try RawClient(port: origin.port)
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = client.readToEnd()
    #expect(answer.error == 0)
    #expect(answer.body == file.content.bytes())
    #expect(origin.requests.count == 1)
  }
}
