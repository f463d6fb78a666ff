import HaulTestKit
import HaulTransfer
import Testing

/// CASES T9: a page in place of the file.
@Suite struct LoginPageCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  func page(_ type: String) -> OriginResponse {
    OriginResponse(status: 200, text: "<html>please log in</html>", contentType: type)
  }

  @Test(arguments: [
    "text/html", "TEXT/HTML; charset=\"utf-8\"", "application/xhtml+xml", " text/html ; q=1",
  ])
  func aResumeThatIsAnsweredWithAPageFailsAndKeepsTheBytes(type: String) async throws {
    let script = Script(
      .next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }, .next { _ in page(type) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    try await bench.expectKept(await fetch.run(), .wrongType)
    #expect(fetch.ear.restarts == [])
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(
        origin.requests.map { $0.header("Range") } == [nil, "bytes=300000-", "bytes=300000-"])
    }
  }

  @Test func aPortalThatRedirectsToItsPageIsFoundOut() async throws {
    let portal = try HostileOrigin { _ in page("text/html") }
    let portalURL = portal.url("/login")
    let script = Script(
      .next { bench.resource.respond(to: $0).cutting(after: Bench.cut) },
      .next { _ in .redirect(to: portalURL) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await bench.leavePart(of: origin.url("/file"))
    try await bench.expectKept(try bench.fetch(origin.url("/file")).run(), .wrongType)
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
  }

  @Test(arguments: [
    ("application/octet-stream", "text/html"), ("application/*", "text/html"),
    ("video/mp4", "video/mpeg"), ("image/*", "imagex/png"), ("video/mp4", ""),
    ("video/mp4", "junk"),
  ])
  func anotherTypeThanExpectedIsAFailureAtOnce(expected: String, sent: String) async throws {
    let origin = try HostileOrigin { request in
      let response = bench.resource.respond(to: request)
      return sent.isEmpty ? response.without("Content-Type") : response.with("Content-Type", sent)
    }
    let fetch = try bench.fetch(origin.url("/file")) { $0.expectedType = expected }
    bench.expectNothing(await fetch.run(), .wrongType)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: [
    ("application/octet-stream", "application/octet-stream"), ("APPLICATION/*", "application/zip"),
    ("video/mp4", "Video/MP4; codecs=\"avc1\""), ("*/*", "x/y"),
  ])
  func theExpectedTypeIsTaken(expected: String, sent: String) async throws {
    let origin = try HostileOrigin {
      bench.resource.respond(to: $0).with("Content-Type", sent)
    }
    let fetch = try bench.fetch(origin.url("/file")) { $0.expectedType = expected }
    bench.expectRight(await fetch.run())
  }

  @Test func anotherTypeOnResumeKeepsTheBytes() async throws {
    let script = Script(
      .next { bench.resource.respond(to: $0).cutting(after: Bench.cut) },
      finally: { _ in page("application/json") })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file")) {
      $0.expectedType = "application/octet-stream"
    }
    try await bench.expectKept(await fetch.run(), .wrongType)
  }

  @Test func aWebPageThatIsTheFileIsResumed() async throws {
    var resource = bench.resource
    resource.contentType = "text/html"
    let page = resource
    let script = Script(.next { page.respond(to: $0).cutting(after: Bench.cut) }) {
      page.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
  }
}
