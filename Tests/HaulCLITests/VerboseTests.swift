import HaulTestKit
import Testing

/// `-v`: what was asked and answered, without secrets.
@Suite(.timeLimit(.minutes(1))) struct VerboseTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func requestsAndAnswersAreShown() async throws {
    let content = OriginContent(size: 50_000, seed: 5)
    let resource = OriginResource(content)
    let script = Script(
      .next { _ in
        OriginResponse(status: 302).with("Location", "/real?token=hunter2")
          .with("Set-Cookie", "id=hunter3")
      },
      .next { resource.respond(to: $0).resetting(after: 20_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let outcome = try await Haul.get(
      "-v", "-H", "Authorization: hunter4", "-H", "X-Key: hunter5", "-A", "Reader/1",
      origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains("> GET \(origin.url("/file"))\n"))
    #expect(outcome.error.contains("> User-Agent: Reader/1\n"))
    #expect(outcome.error.contains("> X-Key: …\n"))
    #expect(outcome.error.contains("> Range: bytes=20000-\n"))
    #expect(outcome.error.contains("< HTTP/1.1 302\n"))
    #expect(outcome.error.contains("> GET \(origin.url("/real?token=***"))\n"))
    #expect(outcome.error.contains("< HTTP/1.1 200\n"))
    #expect(outcome.error.contains("< Content-Length: 50000\n"))
    #expect(outcome.error.contains(" from byte 20000\n"))
    #expect(outcome.error.contains("< HTTP/1.1 206\n"))
    #expect(outcome.error.contains("< Content-Range: bytes 20000-49999/50000\n"))
    #expect(!outcome.error.contains("hunter"))
    #expect(content.matches(path: folder.path("file")))
  }

  @Test func withoutItNothingOfItIsShown() async throws {
    let resource = OriginResource(OriginContent(size: 50_000, seed: 5))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(!outcome.error.contains("GET"))
    #expect(!outcome.error.contains("HTTP/1.1"))
  }
}
