import HaulTestKit
import HaulTransfer
import Testing

/// CASES T11: what is the proxy's fault is told as such, and named. It read as if the server were
/// down, and people looked for the fault there.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ProxyFailureCases {
  let bench: Bench
  let origin: HostileOrigin

  init() throws {
    let bench = try Bench()
    self.bench = bench
    origin = try HostileOrigin { bench.resource.respond(to: $0) }
  }

  func run(
    _ proxy: String, _ url: String? = nil,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> (failure: TransferFailure?, ear: Ear) {
    let fetch = try bench.fetch(url ?? origin.url("/file")) {
      $0.connection.proxy = proxy
      $0.retries.maximumDelay = 0
      change(&$0)
    }
    let failure = await fetch.run().failure
    #expect(bench.folder.names == [])
    #expect(!fetch.ear.text.contains("hunter2"))
    #expect(
      failure?.message.contains("could not be asked: ") == true, "\(String(describing: failure))")
    return (failure, fetch.ear)
  }

  @Test(arguments: ["http", "https", "socks4", "socks4a", "socks5", "socks5h"])
  func oneThatIsDead(_ scheme: String) async throws {
    for url in [origin.url("/file"), "https://127.0.0.1:\(origin.port)/file"] {
      let (failure, ear) = try await run("\(scheme)://me:hunter2@127.0.0.1:1", url)
      #expect(failure?.code == .proxy)
      #expect(
        failure?.message.contains("the proxy 127.0.0.1:1 of --proxy could not be reached") == true)
      // First contacts that are refused end soon.
      #expect(ear.retries == [.proxy, .proxy])
    }
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: ["http", "https", "socks4", "socks5", "socks5h"])
  func oneWhoseNameDoesNotExist(_ scheme: String) async throws {
    let (failure, ear) = try await run("\(scheme)://me:hunter2@nonexistent.invalid:3128")
    #expect(failure?.code == .proxy)
    #expect(
      failure?.message.contains(
        "the proxy nonexistent.invalid:3128 of --proxy was not found; check its spelling") == true)
    #expect(ear.retries == [.proxy])
  }

  @Test(arguments: [
    "htp://me:hunter2@127.0.0.1:1", "http://me:hunter2@[::1:1", "ftp://127.0.0.1:1",
  ])
  func oneThatCannotBeRead(_ proxy: String) async throws {
    let (failure, ear) = try await run(proxy)
    #expect(failure?.code == .proxy)
    #expect(failure?.message.contains("cannot be read; it takes http://HOST:PORT") == true)
    #expect(ear.retries == [])
  }

  /// A server stands in for a proxy, and has no idea of being one.
  @Test(arguments: [
    ("https", "does not speak TLS"), ("socks5h", "made no connection in time"),
    ("socks4", "made no connection in time"),
  ])
  func oneOfAnotherKind(_ scheme: String, _ says: String) async throws {
    let nginx = try NginxServer()
    let port = scheme == "https" ? nginx.port() : origin.port
    let (failure, _) = try await run("\(scheme)://127.0.0.1:\(port)") {
      $0.connection.connectTimeout = scheme == "https" ? 20 : 0.2
      $0.retries.tries = 2
    }
    #expect(failure?.code == .proxy)
    #expect(
      failure?.message.contains("the proxy 127.0.0.1:\(port) of --proxy \(says)") == true,
      "\(String(describing: failure))")
    #expect(origin.requests.isEmpty)
  }

  @Test func oneThatNeverOpensItsTunnel() async throws {
    let gate = Gate()
    let silent = try HostileOrigin {
      OriginResponse(status: 200, text: $0.target).stalling(after: 0, at: gate)
    }
    let relay = try TCPRelay(to: silent.port) { _ in .freeze(after: 0, gate) }
    let (failure, ear) = try await run("http://127.0.0.1:\(relay.port)", "https://a.test/file") {
      $0.connection.connectTimeout = 0.2
      $0.retries.tries = 2
    }
    #expect(failure?.code == .proxy)
    #expect(failure?.message.contains("made no connection in time") == true)
    #expect(failure?.message.contains("--connect-timeout") == true)
    #expect(ear.retries == [.proxy])
    gate.open()
  }

  @Test func oneThatClosesTheTunnelAtOnce() async throws {
    let relay = try TCPRelay(to: origin.port) { _ in .cut(after: 0) }
    let (failure, _) = try await run("http://127.0.0.1:\(relay.port)", "https://a.test/file")
    #expect(failure?.code == .proxy)
    #expect(failure?.message.contains("closed the connection") == true)
  }

  @Test(arguments: [(403, 0), (502, 2), (503, 2)])
  func oneThatRefusesTheTunnel(_ status: Int, _ retries: Int) async throws {
    let refusing = try HostileOrigin { _ in OriginResponse(status: status, text: "no") }
    let (failure, ear) = try await run("http://127.0.0.1:\(refusing.port)", "https://a.test/file")
    #expect(failure?.code == .proxy)
    #expect(failure?.message.contains("of --proxy answered with \(status)") == true)
    #expect(ear.retries.count == retries)
  }

  /// nginx takes absolute targets, and so it is a proxy to which one speaks over TLS.
  @Test func oneWithACertificateOfItsOwnAuthority() async throws {
    let nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
    let proxy = "https://localhost:\(nginx.port(.tls))"
    let (failure, ear) = try await run(proxy, "http://files.test/file") {
      // That of the server does not count here.
      $0.connection.certificateAuthorities = nginx.authorityPath
    }
    #expect(failure?.code == .proxy)
    #expect(failure?.message.contains("--proxy-cacert FILE") == true)
    #expect(ear.retries == [])
    let fetch = try bench.fetch("http://files.test/file") {
      $0.connection.proxy = proxy
      $0.connection.proxyCertificateAuthorities = nginx.authorityPath
    }
    bench.expectRight(await fetch.run())
  }

  /// A fault of the server is not put upon the proxy, but the way there is told.
  @Test func theServersOwnFaultsKeepTheirCode() async throws {
    let proxy = try HostileProxy()
    let broken = try HostileOrigin { _ in .hangUp(.reset) }
    let fetch = try bench.fetch(broken.url("/file")) { $0.connection.proxy = proxy.url }
    let result = await fetch.run()
    bench.expectNothing(result, .connectionLost)
    #expect(
      result.failure?.message.contains(
        "asked through the proxy 127.0.0.1:\(proxy.port) of --proxy") == true)
    let nginx = try NginxServer()
    let tls = try bench.fetch(nginx.url("/file", on: .expired)) {
      $0.connection.proxy = proxy.url
      $0.connection.certificateAuthorities = nginx.authorityPath
    }
    bench.expectNothing(await tls.run(), .certificate)
  }

  @Test func hostsInTheListAreAskedDirectly() async throws {
    let fetch = try bench.fetch(origin.url("/file")) {
      $0.connection.proxy = "http://127.0.0.1:1"
      $0.connection.noProxy = "other.test,127.0.0.0/8"
    }
    bench.expectRight(await fetch.run())
  }
}
