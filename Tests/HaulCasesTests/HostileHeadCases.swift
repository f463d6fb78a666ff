import HaulTestKit
import HaulTransfer
import Testing

/// CASES L7, L8, T11, U4: heads of answers that are as large, odd or broken as heads can be.
@Suite struct HostileHeadCases {
  let bench: Bench

  init() throws {
    bench = try Bench(size: 50_000)
  }

  func fields(_ count: Int, of size: Int) -> [OriginField] {
    (0..<count).map { OriginField("X-\($0)", String(repeating: "v", count: size)) }
  }

  @Test(arguments: [(1, 90_000), (1_000, 100), (10_000, 1)])
  func aLargeHeadIsTaken(count: Int, size: Int) async throws {
    var resource = bench.resource
    resource.fields = fields(count, of: size)
    let large = resource
    let origin = try HostileOrigin { large.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: [(300, 1_000), (100_000, 1), (1, 1_000_000)])
  func aHeadWithoutEndIsAFailure(count: Int, size: Int) async throws {
    var resource = bench.resource
    resource.fields = fields(count, of: size)
    let large = resource
    let origin = try HostileOrigin { large.respond(to: $0) }
    let result = try await bench.fetch(origin.url("/file")).run()
    #expect(result.failure != nil)
    #expect(bench.folder.names == [])
    if Connections.count == 1 {
      #expect(origin.requests.count <= 3)
    }
  }

  @Test func interimAnswersWithoutEndAreAFailure() async throws {
    let hint = OriginInterim(
      status: 103, fields: [OriginField("Link", String(repeating: "x", count: 1_000))])
    let origin = try HostileOrigin { request in
      var response = bench.resource.respond(to: request)
      response.interim = Array(repeating: hint, count: 1_000)
      return response
    }
    let result = try await bench.fetch(origin.url("/file")).run()
    #expect(result.failure != nil)
    #expect(bench.folder.names == [])
  }

  @Test func interimAnswersComeBeforeTheOneThatCounts() async throws {
    let hint = OriginInterim(
      status: 103,
      fields: [OriginField("ETag", "\"other\""), OriginField("Content-Length", "3")])
    let script = Script(
      .next {
        bench.resource.respond(to: $0).cutting(after: 20_000)
          .preceded(by: OriginInterim(status: 100), OriginInterim(status: 102), hint)
      }
    ) { bench.resource.respond(to: $0).preceded(by: hint) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    bench.expectRight(await fetch.run())
    #expect(fetch.ear.restarts == [])
    #expect(origin.requests.last?.header("If-Range") == bench.resource.etag)
  }

  @Test(arguments: [
    "HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK", "HTTP/1.1 200 \u{1B}[31mOK",
    "HTTP/1.1 200 404 Not Found", "http/1.1 200 OK",
  ])
  func anOddStatusLineIsTaken(line: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0).withStatusLine(line) }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
  }

  @Test(arguments: [
    "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 -200 OK", "HTTP/1.1 +200 OK", "HTTP/1.1 OK",
    "HTTP/9.9 200 OK", "HTTP/1.1", "HTTP/ 200 OK", "ICY 200 OK", "<html>",
    "SSH-2.0-OpenSSH_9.2", "220 ftp ready", "HTTP/1.1 099 no", "HTTP/1.1 000 no",
  ])
  func whatIsNoStatusLineIsAFailure(line: String) async throws {
    let origin = try HostileOrigin {
      var response = bench.resource.respond(to: $0).withStatusLine(line)
      response.framing = .close
      return response
    }
    let result = try await bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }.run()
    #expect(result.failure != nil, "\(result)")
    #expect(bench.folder.names == [])
  }

  @Test(arguments: ["hello, I am HTTP/0.9", "\0\0\0\0", "\n", "\r\n\r\n", "{\"json\": true}\n"])
  func junkIsAFailure(text: String) async throws {
    let origin = try HostileOrigin { _ in .junk(Array(text.utf8)) }
    let result = try await bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }.run()
    #expect(result.failure != nil)
    #expect(bench.folder.names == [])
    if Connections.count == 1 {
      #expect(origin.requests.count <= 2)
    }
  }

  /// A head in which libcurl and Haul would see different things must not be used: one of them
  /// would store framing as content, or take a cut for the end.
  @Test(arguments: [
    "Content-Length: 50000\r\nContent-Length: 49999\r\n", "Content-Length: 50000, 49999\r\n",
    "Content-Length: 49999\r\nContent-Length: 50000\r\n", "Content-Length: 5 0000\r\n",
    "Content-Length: +50000\r\n", "Content-Length: 50000;\r\n", "Content-Length: 0x10\r\n",
    "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n", "Content-Length:\r\n",
    "Content-Length:\r\n 50000\r\n", "Content-Length: 50\r\n 000\r\n",
    "Content-Length: 50000\r\n 0\r\n", "Content-Length : 49999\r\n",
    "Content-Length\t: 49999\r\nContent-Length: 50000\r\n",
    "Content-Length: 49999\r\nX:\u{0} y\r\n", "Content-Length: 50000\0\r\n", "X-Nul: a\0b\r\n",
    "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: gzip\r\n",
    "Transfer-Encoding: chunked, gzip\r\n", "Transfer-Encoding: gzip\r\nContent-Length: 50000\r\n",
    "X-\u{0}: 1\r\nContent-Length: 50000\r\n",
    "no colon here\r\nContent-Length: 49999\r\n",
  ])
  func aHeadThatIsNotClearIsAFailure(lines: String) async throws {
    let origin = try HostileOrigin { request in
      var response = bench.resource.respond(to: request)
      response.rawHead = Array("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\(lines)\r\n".utf8)
      response.body.append(.close)
      return response
    }
    let result = try await bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }.run()
    #expect(result.failure != nil, "\(result)")
    #expect(!bench.folder.names.contains("file"))
    #expect(result.failure?.message.unicodeScalars.contains { $0.value < 32 } == false)
  }

  /// Chunks whose field libcurl does not recognise arrive as they are: sizes and line ends would
  /// be stored as content, and the end of the connection taken for the end of the file.
  @Test(arguments: [
    "Transfer-Encoding:\r\n chunked\r\n", "Transfer-Encoding : chunked\r\n",
    "Transfer-Encoding\t: chunked\r\n",
    "Transfer-Encoding:\r\n\tchunked\r\nContent-Length: 1000\r\n",
    "Transfer-Encoding: identity,\r\n chunked\r\n",
    "X: y\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n",
  ])
  func chunksThatAreNotDecodedAreNeverStored(lines: String) async throws {
    let origin = try HostileOrigin { request in
      var response = bench.resource.respond(to: request).chunked()
      response.rawHead = Array("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\(lines)\r\n".utf8)
      response.fields.append(OriginField("Connection", "close"))
      return response
    }
    let result = try await bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }.run()
    if result.finished != nil {
      // Read as chunks after all: then the file has to be right.
      #expect(bench.content.matches(path: bench.folder.file("file")))
    } else {
      #expect(!bench.folder.names.contains("file"))
    }
  }

  @Test(arguments: [
    "Content-Length: 50000\r\nContent-Length: 50000\r\n", "Content-Length: 50000, 50000\r\n",
    "content-LENGTH:50000\r\n", "Content-Length: \t 50000 \t\r\n", "Content-Length: 00050000\r\n",
    "X-Folded: a\r\n b\r\n\tc\r\nContent-Length: 50000\r\n",
    "X: \u{1}\u{2}\r\nContent-Length: 50000\r\n",
    "Content-Length: 50000\r\n: no name\r\n", "Content-Length: 50000\n",
    "X:a\rContent-Length: 3\r\nContent-Length: 50000\r\n",
  ])
  func aHeadThatIsOddButClearIsTaken(lines: String) async throws {
    let origin = try HostileOrigin { request in
      var response = bench.resource.respond(to: request)
      response.rawHead = Array("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\(lines)\r\n".utf8)
      return response
    }
    let result = try await bench.fetch(origin.url("/file")).run()
    bench.expectRight(result)
    #expect(result.finished?.verification == .length)
  }

  /// A field that looked like a status line made the parser forget the fields before it, the
  /// length among them, and take its number for the status.
  @Test(arguments: ["HTTP/1.1 206 Partial", "HTTP/1.1 302 Found: x", "HTTP/evil: 1", "HTTP/2 200"])
  func aFieldThatLooksLikeAStatusLineIsNone(line: String) async throws {
    let origin = try HostileOrigin { request in
      var response = bench.resource.respond(to: request)
      response.rawHead = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\(line)\r\n\r\n".utf8)
      response.body = [.content(bench.content, 0..<20_000), .close]
      return response
    }
    let fetch = try bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }
    #expect(await fetch.run().failure != nil)
    #expect(!bench.folder.names.contains("file"))
  }

  /// Over HTTP/1 no status line makes a cut noticeable that ends an answer without a length.
  @Test(arguments: ["HTTP/2 200", "HTTP/2.0 200 OK", "HTTP/3 200", "HTTP/1.0 200 OK"])
  func aLengthThatNobodySaidIsNotCalledVerified(line: String) async throws {
    let origin = try HostileOrigin {
      bench.resource.respond(to: $0).closeDelimited().withStatusLine(line).cutting(after: 20_000)
    }
    let result = try await bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }.run()
    guard let file = result.finished else {
      #expect(bench.folder.names == [])
      return
    }
    #expect(file.verification == .unverified)
  }

  /// What a server sends may be shown to the user of a terminal.
  @Test func nothingThatAServerSendsReachesATerminalAsACommand() async throws {
    let escape = "\u{1B}[2J\u{9B}31m\u{202E}"
    let script = Script(.next { bench.resource.respond(to: $0).cutting(after: 20_000) }) {
      bench.resource.respond(to: $0).withStatus(206).wrongContentRange("bytes \(escape)0-1/2")
    }
    let answers: [@Sendable (OriginRequest) -> OriginResponse] = [
      { script.respond(to: $0) },
      { bench.resource.respond(to: $0).framed(.lengthText(escape)) },
      { bench.resource.respond(to: $0).with("Content-Encoding", escape) },
      { bench.resource.respond(to: $0).with("Transfer-Encoding", escape) },
      { _ in .redirect(to: "x\(escape)://h/") },
      { _ in .redirect(to: "http://h/\(escape)\u{1}") },
      { $0.index > 30 ? .hangUp() : .redirect(to: "/\u{9B}\u{202E}") },
      { bench.resource.respond(to: $0).with("Content-Type", "text/\(escape)") },
    ]
    for (number, answer) in answers.enumerated() {
      let bench = try Bench(size: 50_000)
      let origin = try HostileOrigin { answer($0) }
      let fetch = try bench.fetch(origin.url("/file")) { $0.expectedType = "application/*" }
      let failure = try #require(await fetch.run().failure, "\(number)")
      #expect(!failure.message.unicodeScalars.contains(where: isCommand), "\(failure.code)")
      for case .retrying(let failure, _) in fetch.ear.events {
        #expect(!failure.message.unicodeScalars.contains(where: isCommand), "\(failure.code)")
      }
    }
  }

  private func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format].contains(scalar.properties.generalCategory)
  }
}
