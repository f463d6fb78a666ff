import HaulTestKit
import HaulTransfer
import Testing

/// CASES U2, U5, T11: TLS.
@Suite(.serialized) struct CertificateCases {
  let bench: Bench
  let nginx: NginxServer

  init() throws {
    bench = try Bench()
    nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
  }

  func trusting(_ request: inout TransferRequest) {
    request.connection.certificateAuthorities = nginx.authorityPath
  }

  func isInLog(_ status: Int) -> Bool {
    nginx.accessLog.contains { $0.contains(" /file \(status) ") }
  }

  @Test(arguments: [NginxServer.Listener.tls, .http2])
  func aPrivateAuthorityCanBeTrusted(listener: NginxServer.Listener) async throws {
    let fetch = try bench.fetch(nginx.url("/file", on: listener), trusting)
    let result = await fetch.run()
    bench.expectRight(result)
    #expect(result.finished?.verification == .length)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
    }
  }

  @Test(arguments: [NginxServer.Listener.tls, .http2, .expired, .wrongHost])
  func anUnknownAuthorityIsAFailureAtOnce(listener: NginxServer.Listener) async throws {
    let fetch = try bench.fetch(nginx.url("/file", on: listener))
    let result = await fetch.run()
    bench.expectNothing(result, .certificate)
    #expect(result.failure?.message.contains("--cacert") == true)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
    }
    #expect(!isInLog(200))
  }

  @Test(arguments: [NginxServer.Listener.expired, .wrongHost])
  func aBadCertificateOfATrustedAuthorityIsAFailureAtOnce(
    listener: NginxServer.Listener
  ) async throws {
    let fetch = try bench.fetch(nginx.url("/file", on: listener), trusting)
    bench.expectNothing(await fetch.run(), .certificate)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
    }
    #expect(!isInLog(200))
  }

  @Test func anAuthorityFileThatIsNoneIsAFailureAtOnce() async throws {
    for path in ["/nonexistent/ca.pem", nginx.path("file")] {
      let fetch = try bench.fetch(nginx.url("/file", on: .tls)) {
        $0.connection.certificateAuthorities = path
      }
      bench.expectNothing(await fetch.run(), .certificate)
      if Connections.count == 1 {
        #expect(fetch.ear.retries == [])
      }
    }
  }

  @Test(arguments: [NginxServer.Listener.tls, .expired, .wrongHost, .http2])
  func switchingChecksOffIsForOneItem(listener: NginxServer.Listener) async throws {
    let url = nginx.url("/file", on: listener)
    bench.expectRight(try await bench.fetch(url) { $0.connection.isInsecure = true }.run())
    // The connection that was not checked may still be open: it must not serve another item.
    let other = try bench.fetch(url, named: "other")
    #expect(await other.run().failure?.code == .certificate)
    #expect(bench.folder.names == ["file"])
  }

  @Test func aServerThatSpeaksNoTLSIsAFailure() async throws {
    let fetch = try bench.fetch("https://localhost:\(nginx.port(.plain))/file", trusting)
    bench.expectNothing(await fetch.run(), .tls)
    let other = try bench.fetch("http://127.0.0.1:\(nginx.port(.tls))/file")
    bench.expectNothing(await other.run(), .httpStatus, status: 400)
  }

  @Test func aCutWithoutCloseNotifyIsNoticedAndContinued() async throws {
    for listener in [NginxServer.Listener.tls, .http2] {
      let bench = try Bench()
      let relay = try TCPRelay(to: nginx.port(listener)) { $0 == 0 ? .cut(after: 400_000) : .none }
      let fetch = try bench.fetch("https://localhost:\(relay.port)/file", trusting)
      bench.expectRight(await fetch.run())
      if Connections.count == 1 {
        #expect(fetch.ear.retries == [.connectionLost])
      }
      #expect(fetch.ear.restarts == [])
      if Connections.count == 1 {
        #expect(relay.connectionCount == 2)
      }
    }
    #expect(isInLog(206))
  }

  /// A body without a length over TLS: only `close_notify` tells the end from a cut.
  @Test func aCutIsNeverTakenForTheEndOfABodyWithoutALength() async throws {
    let origin = try HostileOrigin {
      bench.resource.withoutValidators().respond(to: $0).closeDelimited()
    }
    let relay = try TCPRelay(to: nginx.port(.tls)) { _ in .cut(after: 400_000) }
    let url = "https://localhost:\(relay.port)/origin/\(origin.port)/file"
    let result = try await bench.fetch(url) {
      trusting(&$0)
      $0.retries.tries = 2
    }.run()
    #expect(result.failure?.code == .lengthMismatch)
    #expect(!bench.folder.names.contains("file"))
  }

  @Test func aConnectionThatIsResetAmidTheRecordsIsContinued() async throws {
    let relay = try TCPRelay(to: nginx.port(.tls)) { $0 == 0 ? .reset(after: 400_000) : .none }
    let fetch = try bench.fetch("https://localhost:\(relay.port)/file", trusting)
    bench.expectRight(await fetch.run())
    #expect(fetch.ear.restarts == [])
  }

  @Test func fromHTTPSToHTTPIsRefusedUnlessAllowed() async throws {
    let plain = nginx.url("/file")
    let origin = try HostileOrigin { _ in .redirect(to: plain) }
    let url = nginx.url("/origin/\(origin.port)/", on: .tls)
    bench.expectNothing(try await bench.fetch(url, trusting).run(), .redirectRefused, status: 302)
    let fetch = try bench.fetch(url) {
      trusting(&$0)
      $0.allowsDowngrade = true
    }
    bench.expectRight(await fetch.run())
  }

  @Test func fromHTTPToHTTPSIsFollowedWithoutSecrets() async throws {
    let files = try HostileOrigin { bench.resource.respond(to: $0) }
    let secure = nginx.url("/origin/\(files.port)/file", on: .tls)
    let origin = try HostileOrigin { _ in .redirect(to: secure) }
    let fetch = try bench.fetch("http://user:hunter2@localhost:\(origin.port)/", trusting)
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(files.requests.map { $0.header("Authorization") } == [nil])
    }
  }
}
