import Glibc
import HaulTestKit
import Testing

@Suite struct NginxServerTests {
  @Test func `nginx serves over plain HTTP, TLS and HTTP2`() async throws {
    let nginx = try NginxServer()
    let content = OriginContent(size: 300_000)
    try content.write(to: nginx.path("file"))
    let authority = nginx.authorityPath
    for listener in [NginxServer.Listener.plain, .tls, .http2] {
      let answer = try await curl(
        "--cacert", authority, "-w", "%{stderr}%{http_version} %{http_code}",
        nginx.url("/file", on: listener))
      #expect(answer.body == content.bytes())
      #expect(answer.log == (listener == .http2 ? "2 200" : "1.1 200"))
    }
    let untrusted = try await curl(nginx.url("/file", on: .tls))
    #expect(untrusted.exit == .exited(60))
    for (listener, words) in [
      (NginxServer.Listener.expired, "expired"), (.wrongHost, "subject name"),
    ] {
      let answer = try await curl("--cacert", authority, nginx.url("/file", on: listener))
      #expect(answer.exit == .exited(60))
      #expect(answer.log.contains(words))
    }
    let relay = try TCPRelay(to: nginx.port(.tls)) { _ in .cut(after: 50_000) }
    let cut = try await curl("--cacert", authority, "https://localhost:\(relay.port)/file")
    #expect([.exited(18), .exited(56)].contains(cut.exit))
    #expect(cut.body.count < 50_000)
  }

  @Test func `the prefixes behave as they say`() async throws {
    let nginx = try NginxServer(limitRate: 1_000_000)
    let content = OriginContent(size: 300_000)
    try content.write(to: nginx.path("file"))
    let ranged = try await curl("-r", "5-9", nginx.url("/limited/file"))
    #expect(ranged.body == content.bytes(in: 5..<10))
    let coded = try await curl("-i", "-H", "Accept-Encoding: gzip", nginx.url("/gzip/file"))
    #expect(String(decoding: coded.body.prefix(400), as: UTF8.self).contains("gzip"))
    let decoded = try await curl("--compressed", nginx.url("/gzip/file"))
    #expect(decoded.body == content.bytes())
    let refused = try await curl("-w", "%{stderr}%{http_code}", nginx.url("/private/file"))
    #expect(refused.log == "401")
    let allowed = try await curl("-u", "haul:secret", nginx.url("/private/file"))
    #expect(allowed.body == content.bytes())
    let few = try await curl(
      "-w", "%{stderr}%{num_connects}", nginx.url("/[1-5]", on: .few), "-o", "/dev/null")
    #expect(few.log == "10010")
    let origin = try HostileOrigin { OriginResource(content).respond(to: $0).cutting(after: 9) }
    let proxied = try await curl(
      "--cacert", nginx.authorityPath, nginx.url("/origin/\(origin.port)/x?y", on: .http2))
    #expect(proxied.exit != .exited(0))
    #expect(proxied.body == content.bytes(in: 0..<9))
    #expect(origin.requests.first?.target == "/x?y")
    #expect(nginx.accessLog.contains { $0.hasSuffix("GET /limited/file 206 5 bytes=5-9") })
  }

  @Test func `stopping ends nginx`() throws {
    let nginx = try NginxServer()
    nginx.stop()
    #expect(throws: KitError.self) { try RawClient(port: nginx.port()) }
    nginx.stop()
  }
}
