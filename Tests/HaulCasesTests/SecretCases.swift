import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES U3, U4: what may be seen by whom.
@Suite struct SecretCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// Every secret that these tests use contains this word.
  static let word = "hunter2"
  /// `user:hunter2` as Basic credentials.
  static let basic = "Basic dXNlcjpodW50ZXIy"

  func addSecrets(_ request: inout TransferRequest) {
    request.fields = [
      RequestField(HeaderField(name: "authorization", value: "Bearer hunter2-bearer")),
      RequestField(HeaderField(name: "COOKIE", value: "session=hunter2-cookie")),
      RequestField(HeaderField(name: "X-Api-Key", value: "hunter2-key"), isSecret: true),
      RequestField(HeaderField(name: "Proxy-Authorization", value: "Basic hunter2-proxy")),
      RequestField(HeaderField(name: "X-Plain", value: "seen")),
    ]
  }

  func secrets(in request: OriginRequest) -> Int {
    request.fields.fields.count { $0.value.contains(Self.word) }
  }

  @Test func secretsGoToTheOriginOfTheGivenURLOnly() async throws {
    let back = Watched("")
    let other = try HostileOrigin { _ in .redirect(to: back.value) }
    let otherURL = other.url("/elsewhere")
    let origin = try HostileOrigin { request in
      request.path == "/start" ? .redirect(to: otherURL) : bench.resource.respond(to: request)
    }
    back.change { $0 = origin.url("/file") }
    let fetch = try bench.fetch(origin.url("/start"), addSecrets)
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map { secrets(in: $0) } == [4, 4])
    }
    // The same host at another port is another origin.
    if Connections.count == 1 {
      #expect(other.requests.map { secrets(in: $0) } == [0])
      #expect(other.requests.map { $0.header("X-Plain") } == ["seen"])
    }
    #expect(other.requests[0].header("Authorization") == nil)
    #expect(other.requests[0].header("Cookie") == nil)
    #expect(other.requests[0].header("Referer") == nil)
    #expect(!fetch.ear.text.contains(Self.word))
  }

  @Test func theSameHostUnderAnotherNameIsAnotherOrigin() async throws {
    let origin = try HostileOrigin { request in
      let host = request.header("Host") ?? ""
      return request.path == "/start"
        ? .redirect(to: "http://localhost:\(host.split(separator: ":")[1])/file")
        : bench.resource.respond(to: request)
    }
    bench.expectRight(try await bench.fetch(origin.url("/start"), addSecrets).run())
    if Connections.count == 1 {
      #expect(origin.requests.map { secrets(in: $0) } == [4, 0])
    }
  }

  @Test func theUserInTheURLIsSentToItsOriginAndShownNowhere() async throws {
    let other = try HostileOrigin { bench.resource.respond(to: $0) }
    let otherURL = other.url("/file")
    let origin = try HostileOrigin { request in
      request.path == "/start" ? .redirect(to: "near") : .redirect(to: otherURL)
    }
    let url = "http://user:hunter2@127.0.0.1:\(origin.port)/start"
    let fetch = try bench.fetch(url)
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Authorization") } == [Self.basic, Self.basic])
      #expect(origin.requests.map(\.target) == ["/start", "/near"])
    }
    #expect(origin.requests.allSatisfy { $0.header("Host") == "127.0.0.1:\(origin.port)" })
    if Connections.count == 1 {
      #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }
    #expect(other.requests.allSatisfy { $0.header("Referer") == nil })
    #expect(!fetch.ear.text.contains(Self.word))
  }

  @Test func theUserInARedirectIsNotUsed() async throws {
    let other = try HostileOrigin { bench.resource.respond(to: $0) }
    let location = "http://user:hunter2@127.0.0.1:\(other.port)/file"
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    bench.expectRight(try await bench.fetch(origin.url("/start")).run())
    if Connections.count == 1 {
      #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }
  }

  @Test(arguments: [
    ("us%20er:p%3Aw%40", "us er:p:w@"), ("user", "user:"), ("user:", "user:"), (":pw", ":pw"),
    ("käse:日本", "käse:日本"), ("100%:x", "100%:x"),
  ])
  func everyFormOfUserinfoIsDecodedOnce(userinfo: String, plain: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let url = "http://\(userinfo)@127.0.0.1:\(origin.port)/file"
    bench.expectRight(try await bench.fetch(url).run())
    let parts = plain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let expected = BasicAuthorization.value(user: String(parts[0]), password: String(parts[1]))
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Authorization") } == [expected])
    }
  }

  @Test func givenCredentialsRuleThoseInTheURL() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let url = "http://wrong:wrong@127.0.0.1:\(origin.port)/file"
    let fetch = try bench.fetch(url) {
      $0.credentials = Credentials(user: "user", password: "hunter2")
    }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Authorization") } == [Self.basic])
    }
  }

  enum End: String, CaseIterable {
    case cut, refused, redirectedAway, redirectedWithoutEnd, junk, wrongLength, wrongType

    func answer(_ right: OriginResponse) -> OriginResponse {
      switch self {
      case .cut: .hangUp()
      case .refused: OriginResponse(status: 403, text: "hunter2")
      case .redirectedAway: .redirect(to: "ftp://user:hunter2@h/?token=hunter2hunter2hunter2")
      case .redirectedWithoutEnd: .redirect(to: "/?token=hunter2hunter2hunter2")
      case .junk: .junk(Array("hunter2\r\n\r\n".utf8))
      case .wrongLength: right.framed(.lengthText("x"))
      case .wrongType: right.with("Content-Type", "text/html")
      }
    }
  }

  @Test(arguments: End.allCases)
  func noSecretIsInAnyMessageEventOrFile(end: End) async throws {
    let script = Script(.next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }) {
      end.answer(bench.resource.withoutValidators().respond(to: $0.asking(for: nil)))
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url =
      "http://user:hunter2@127.0.0.1:\(origin.port)/file"
      + "?X-Amz-Signature=hunter2hunter2hunter2&token=hunter2&v=1#hunter2"
    let fetch = try bench.fetch(url) {
      addSecrets(&$0)
      $0.retries.tries = 2
      $0.expectedType = end == .wrongType ? "application/*" : nil
    }
    let result = await fetch.run()
    let failure = try #require(result.failure)
    #expect(!"\(failure)".contains(Self.word))
    #expect(failure.message.contains("127.0.0.1:\(origin.port)/file"))
    #expect(!fetch.ear.text.contains(Self.word))
    #expect(!"\(fetch.transfer.progress)".contains(Self.word))
    try await bench.expectKept()
    for name in bench.folder.names {
      let bytes = try #require(bench.folder.bytes(of: name))
      #expect(!bytes.contains(Array(Self.word.utf8)), "\(name)")
      #expect(!bytes.contains(Array(Self.basic.dropFirst(6).utf8)), "\(name)")
    }
    #expect(!bench.folder.names.contains { $0.contains(Self.word) })
  }

  @Test func cookiesSetOnTheWayAreKeptForTheItemAndForNoOther() async throws {
    let origin = try HostileOrigin { request in
      guard request.path == "/login" else {
        guard request.header("Cookie")?.contains("pass=granted") == true else {
          return OriginResponse(status: 403, text: "no cookie")
        }
        return bench.resource.respond(to: request)
      }
      return OriginResponse.redirect(to: "/file").with("Set-Cookie", "pass=granted; Path=/")
    }
    let fetch = try bench.fetch(origin.url("/login")) { request in
      request.fields = [RequestField(HeaderField(name: "Cookie", value: "mine=1"))]
    }
    bench.expectRight(await fetch.run())
    let sent = try #require(origin.requests.last?.header("Cookie"))
    #expect(sent.contains("mine=1") && sent.contains("pass=granted"))
    #expect(origin.requests.last?.fields.all("Cookie").count == 1)
    let other = try bench.fetch(origin.url("/file"), named: "other")
    #expect(await other.run().failure?.status == 403)
    #expect(origin.requests.last?.header("Cookie") == nil)
  }

  @Test func cookiesOutliveRetriesOfTheItem() async throws {
    let script = Script(
      .next {
        bench.resource.respond(to: $0).cutting(after: Bench.cut)
          .with("Set-Cookie", "node=7; Path=/")
      }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Cookie") } == [nil, "node=7"])
    }
  }

  /// A server's entity tag comes back in `If-Range`: nothing in it may become a field of its own.
  @Test(arguments: [
    "\"a\rX-Evil: 1\"", "\"a\tb\"", "\"\u{1B}[31m\"", "\"a\u{7F}\"", "\"a\"\rX-Evil: 1",
    "\"\u{85}\"",
  ])
  func nothingInAValidatorBecomesAField(tag: String) async throws {
    let resource = OriginResource(bench.content, etag: tag, lastModified: nil)
    let script = Script(.next { resource.respond(to: $0).cutting(after: Bench.cut) }) {
      resource.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
    for request in origin.requests {
      #expect(request.header("X-Evil") == nil)
      #expect(request.header("If-Range") == nil)
    }
  }
}
