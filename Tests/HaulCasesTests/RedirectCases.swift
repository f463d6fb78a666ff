import HaulTestKit
import HaulTransfer
import Testing

/// CASES U1, U2: where redirects lead.
@Suite struct RedirectCases {
  let bench: Bench

  init() throws {
    bench = try Bench(size: 100_000)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func everyKindIsFollowedByAGet(status: Int) async throws {
    let origin = try HostileOrigin { request in
      request.path == "/start"
        ? .redirect(status, to: "/file") : bench.resource.respond(to: request)
    }
    let fetch = try bench.fetch(origin.url("/start"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == ["/start", "/file"])
    }
    #expect(origin.requests.allSatisfy { $0.method == "GET" && $0.header("Referer") == nil })
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [] && fetch.ear.restarts == [])
    }
  }

  @Test(arguments: [
    ("/x/y", "/x/y"), ("y", "/a/b/y"), ("./y", "/a/b/y"), ("../y", "/a/y"), ("../../../../y", "/y"),
    ("?q=1", "/a/b/start?q=1"), ("y?q=/../z", "/a/b/y?q=/../z"), ("y#part", "/a/b/y"),
    ("/with space/y z", "/with%20space/y%20z"), ("/y?a b", "/y?a%20b"),
    ("/käse/日本", "/k%C3%A4se/%E6%97%A5%E6%9C%AC"), ("/k%C3%A4se", "/k%C3%A4se"),
    ("/%2e%2E/%2F%2f+y", "/%2e%2E/%2F%2f+y"), ("  /y  ", "/y"), ("/a//b///c", "/a//b///c"),
    ("/y;v=1,2!$'()*", "/y;v=1,2!$'()*"), ("/100%", "/100%"), ("/[x]{y}|z^`", "/[x]{y}|z^`"),
    (".", "/a/b/"), ("..", "/a/"), ("/back\\slash", "/back\\slash"), ("/q?\"x\"<y>", "/q?\"x\"<y>"),
  ])
  func everyFormOfALocationIsResolved(location: String, target: String) async throws {
    let origin = try HostileOrigin { request in
      request.target == "/a/b/start"
        ? .redirect(to: location) : bench.resource.respond(to: request)
    }
    bench.expectRight(try await bench.fetch(origin.url("/a/b/start")).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == ["/a/b/start", target])
    }
  }

  @Test func aLocationWithoutASchemeKeepsTheScheme() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let port = origin.port
    let start = try HostileOrigin { _ in .redirect(to: "//127.0.0.1:\(port)/file") }
    bench.expectRight(try await bench.fetch(start.url("/")).run())
  }

  /// The bytes of a location that is not UTF-8 were taken for ISO 8859-1 and sent as UTF-8, so
  /// that old servers did not find the file that they had named themselves.
  @Test func aLocationThatIsNotUTF8IsSentBackByteForByte() async throws {
    let origin = try HostileOrigin { request in
      guard request.target == "/start" else { return bench.resource.respond(to: request) }
      return OriginResponse(status: 302)
        .adding("Location", raw: Array("/k".utf8) + [0xE4] + Array("se".utf8))
    }
    bench.expectRight(try await bench.fetch(origin.url("/start")).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == ["/start", "/k%E4se"])
    }
  }

  @Test func aLoopIsAFailure() async throws {
    let origin = try HostileOrigin { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
    bench.expectNothing(
      try await bench.fetch(origin.url("/a")).run(), .redirectLoop, status: 302)
    if Connections.count == 1 {
      #expect(origin.requests.count == 21)
    }
  }

  @Test func redirectsWithoutEndAreAFailure() async throws {
    let origin = try HostileOrigin {
      .redirect(307, to: "/\($0.index)?secret-token=hunter2hunter2")
    }
    let fetch = try bench.fetch(origin.url("/")) { $0.maximumRedirects = 5 }
    let result = await fetch.run()
    bench.expectNothing(result, .redirectLoop, status: 307)
    #expect(result.failure?.message.contains("hunter2") == false)
    if Connections.count == 1 {
      #expect(origin.requests.count == 6)
    }
  }

  @Test func asManyRedirectsAsAllowedAreFollowed() async throws {
    let origin = try HostileOrigin { request in
      request.index < 5 ? .redirect(to: "/\(request.index)") : bench.resource.respond(to: request)
    }
    bench.expectRight(try await bench.fetch(origin.url("/")) { $0.maximumRedirects = 5 }.run())
  }

  @Test(arguments: [
    "file:///etc/passwd", "FILE:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x",
    "javascript:alert(1)", "data:text/plain,x", "scp://h/x", "smb://h/x", "unix:///x",
    "file:/etc/passwd", " file:///etc/passwd",
  ])
  func otherSchemesAreRefused(location: String) async throws {
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    bench.expectNothing(
      try await bench.fetch(origin.url("/")).run(), .redirectRefused, status: 302)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: ["", "http://", "http://a b/", "http://[::1/", "http://h:99999/", "http:///x"])
  func aLocationThatSaysNothingIsAFailure(location: String) async throws {
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    bench.expectNothing(try await bench.fetch(origin.url("/")).run(), .badResponse, status: 302)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test func noLocationIsAFailure() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 302, text: "no") }
    bench.expectNothing(try await bench.fetch(origin.url("/")).run(), .badResponse, status: 302)
  }

  @Test func theBodyOfARedirectIsNeverStored() async throws {
    let gate = Gate()
    let page = OriginContent(size: 5_000_000, seed: 99)
    let origin = try HostileOrigin { request in
      guard request.path == "/start" else { return bench.resource.respond(to: request) }
      return OriginResource(page).respond(to: request).withStatus(302).with("Location", "/file")
        .stalling(after: 4_000_000, at: gate)
    }
    bench.expectRight(try await bench.fetch(origin.url("/start")).run())
  }

  @Test func aResumeAsksForTheRestThroughEveryRedirect() async throws {
    let script = Script(.next { bench.resource.respond(to: $0).cutting(after: 40_000) }) {
      bench.resource.respond(to: $0)
    }
    let origin = try HostileOrigin { request in
      request.path == "/file" ? script.respond(to: request) : .redirect(to: "/file")
    }
    let fetch = try bench.fetch(origin.url("/start"))
    bench.expectRight(await fetch.run())
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(
        origin.requests.map { "\($0.path) \($0.header("Range") ?? "-")" } == [
          "/start -", "/file -", "/start bytes=40000-", "/file bytes=40000-",
        ])
    }
    #expect(origin.requests.last?.header("If-Range") == bench.resource.etag)
  }
}

/// CASES T4, T8: links that live for a short time.
@Suite struct ExpiringLinkCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// An origin whose front gives out links that work for one request each.
  func oneTimeLinks(refusing status: Int) throws -> HostileOrigin {
    let links = Watched(0)
    return try HostileOrigin { request in
      if request.path == "/front" {
        links.change { $0 += 1 }
        return .redirect(to: "/link?number=\(links.value)")
      }
      let isFresh = request.query == "number=\(links.value)"
      guard isFresh else { return OriginResponse(status: status, text: "expired") }
      let response = bench.resource.respond(to: request)
      return links.value == 1 ? response.cutting(after: Bench.cut) : response
    }
  }

  @Test(arguments: [401, 403, 404, 410])
  func aTargetThatExpiresIsResolvedAnewAndTheBytesKept(status: Int) async throws {
    let links = Watched(0)
    let origin = try HostileOrigin { request in
      if request.path == "/front" {
        links.change { $0 += 1 }
        return .redirect(to: "/link\(links.value)")
      }
      switch request.path {
      case "/link1": return bench.resource.respond(to: request).cutting(after: Bench.cut)
      case "/link2": return OriginResponse(status: status, text: "expired")
      default: return bench.resource.respond(to: request)
      }
    }
    let fetch = try bench.fetch(origin.url("/front"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost, .httpStatus])
    }
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(
        origin.requests.map(\.path) == ["/front", "/link1", "/front", "/link2", "/front", "/link3"])
      #expect(origin.requests.last?.header("Range") == "bytes=300000-")
    }
  }

  @Test(arguments: [401, 403, 404, 410])
  func aTargetThatNeverWorkedIsAFailureAtOnce(status: Int) async throws {
    let origin = try HostileOrigin { request in
      request.path == "/front"
        ? .redirect(to: "/link") : OriginResponse(status: status, text: "no")
    }
    bench.expectNothing(
      try await bench.fetch(origin.url("/front")).run(), .httpStatus, status: status)
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  /// The first address was blamed for what the target is at fault for.
  @Test func aTargetThatIsAtFaultIsNamed() async throws {
    let nginx = try NginxServer()
    let missing = try HostileOrigin { _ in OriginResponse(status: 404, text: "no") }
    let targets: [(String, TransferFailure.Code, String)] = [
      (nginx.url("/file", on: .http2), .certificate, "which has a certificate that cannot be"),
      ("http://127.0.0.1:1/file", .connectionFailed, "which could not be reached"),
      ("http://nonexistent.invalid/file", .nameNotResolved, "which has a host that was not found"),
      (missing.url("/gone"), .httpStatus, "which was answered with 404"),
    ]
    for (target, code, says) in targets {
      let origin = try HostileOrigin { _ in .redirect(to: target + "?token=hunter2") }
      let fetch = try bench.fetch(origin.url("/start")) { $0.retries.maximumDelay = 0 }
      let failure = await fetch.run().failure
      #expect(failure?.code == code)
      let words = "\(origin.url("/start")) was redirected to \(target)?token=***, \(says)"
      #expect(failure?.message.hasPrefix(words) == true, "\(String(describing: failure))")
      #expect(!fetch.ear.text.contains("hunter2"))
    }
  }

  @Test(arguments: [401, 403, 404, 410])
  func aTargetThatStaysExpiredEndsAfterAllTriesAndTheBytesAreKept(status: Int) async throws {
    let script = Script(.next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }) { _ in
      OriginResponse(status: status, text: "expired")
    }
    let origin = try HostileOrigin { request in
      request.path == "/front" ? .redirect(to: "/link") : script.respond(to: request)
    }
    let result = try await bench.fetch(origin.url("/front")).run()
    try await bench.expectKept(result, .httpStatus, status: status)
    if Connections.count == 1 {
      #expect(
        origin.requests.map(\.path) == ["/front", "/link", "/front", "/link", "/front", "/link"])
    }
  }

  @Test func aLinkThatWorksOnceIsAskedForOnce() async throws {
    let origin = try HostileOrigin { request in
      request.index == 0
        ? bench.resource.respond(to: request) : OriginResponse(status: 403, text: "used up")
    }
    bench.expectRight(try await bench.fetch(origin.url("/once")).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.method) == ["GET"])
    }
  }

  @Test func linksForOneRequestEachAreResolvedForEveryTry() async throws {
    let origin = try oneTimeLinks(refusing: 403)
    let fetch = try bench.fetch(origin.url("/front"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost])
      #expect(
        origin.requests.map(\.target) == ["/front", "/link?number=1", "/front", "/link?number=2"])
    }
  }

  @Test(arguments: [403, 405, 501])
  func aServerThatRefusesHeadIsNeverAskedForOne(status: Int) async throws {
    let origin = try HostileOrigin { request in
      request.method == "GET"
        ? bench.resource.respond(to: request) : OriginResponse(status: status, text: "GET only")
    }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.method) == ["GET"])
    }
  }
}
