import HaulTestKit
import HaulTransfer
import Testing

/// CASES T11: SOCKS.
@Suite(.timeLimit(.minutes(1))) struct SOCKSCases {
  let bench: Bench
  let origin: HostileOrigin

  init() throws {
    let bench = try Bench()
    self.bench = bench
    origin = try HostileOrigin { bench.resource.respond(to: $0) }
  }

  static let word = "hunter2"

  func run(_ url: String? = nil, proxy: String) async throws -> (TransferResult, Ear) {
    let fetch = try bench.fetch(url ?? "http://localhost:\(origin.port)/file") {
      $0.connection.proxy = proxy
      $0.retries.maximumDelay = 0
    }
    return (await fetch.run(), fetch.ear)
  }

  @Test(arguments: ["socks5", "socks5h"])
  func aRealServerIsUsed(_ scheme: String) async throws {
    let server = try SOCKS5Server()
    let (result, _) = try await run(proxy: "\(scheme)://127.0.0.1:\(server.port)")
    bench.expectRight(result)
    // With the h it is the server that looks the name up.
    let host = scheme == "socks5h" ? "localhost" : "127.0.0.1"
    #expect(server.log.contains("connected to \(host):\(origin.port)"), "\(server.log)")
  }

  @Test func aRealServerIsUsedForTLS() async throws {
    let nginx = try NginxServer()
    let server = try SOCKS5Server(user: "me", password: Self.word)
    try bench.content.write(to: nginx.path("file"))
    let fetch = try bench.fetch(nginx.url("/file", on: .http2)) {
      $0.connection.certificateAuthorities = nginx.authorityPath
      $0.connection.proxy = "socks5h://me:hunter2@127.0.0.1:\(server.port)"
    }
    bench.expectRight(await fetch.run())
    #expect(!fetch.ear.text.contains(Self.word))
  }

  @Test(arguments: ["", "me:wrong-hunter2@", "you:hunter2@"])
  func wrongCredentialsAreAFailureAtOnce(_ userInfo: String) async throws {
    let server = try SOCKS5Server(user: "me", password: Self.word)
    let (result, ear) = try await run(proxy: "socks5h://\(userInfo)127.0.0.1:\(server.port)")
    bench.expectNothing(result, .proxy)
    let message = result.failure?.message ?? ""
    #expect(message.contains("127.0.0.1:\(server.port) of --proxy wants a user and a password"))
    // It was --proxy http://…, which would have made a proxy of another kind of it.
    #expect(message.hasSuffix("--proxy socks5h://USER:PASSWORD@127.0.0.1:\(server.port)"))
    #expect(!ear.text.contains(Self.word))
    #expect(ear.retries == [])
    #expect(origin.requests.isEmpty)
  }

  @Test func aClosedPortBehindTheServerIsNotTheProxysFault() async throws {
    let server = try SOCKS5Server()
    let proxy = "socks5h://127.0.0.1:\(server.port)"
    let (result, ear) = try await run("http://127.0.0.1:1/file", proxy: proxy)
    bench.expectNothing(result, .connectionFailed)
    #expect(result.failure?.message.contains("its port is closed, says the proxy") == true)
    #expect(ear.retries == [.connectionFailed, .connectionFailed])
  }

  @Test func aNameThatDoesNotExistIsNotTheProxysFault() async throws {
    let server = try SOCKS5Server()
    let proxy = "socks5://127.0.0.1:\(server.port)"
    let (result, _) = try await run("http://nonexistent.invalid/file", proxy: proxy)
    bench.expectNothing(result, .nameNotResolved)
    #expect(result.failure?.message.contains("has a host that was not found") == true)
  }

  @Test(arguments: [("socks4", "localhost"), ("socks4a", "files.test")])
  func theOldVersionsAreSpoken(_ scheme: String, _ host: String) async throws {
    let server = try SOCKS4Server()
    let (result, ear) = try await run(
      "http://\(host):\(origin.port)/file", proxy: "\(scheme)://hunter2@127.0.0.1:\(server.port)")
    bench.expectRight(result)
    let asked = scheme == "socks4a" ? host : "127.0.0.1"
    if Connections.count == 1 {
      #expect(
        server.requests == [
          SOCKS4Server.Request(host: asked, port: origin.port, user: "hunter2")
        ])
    }
    #expect(!ear.text.contains(Self.word))
  }

  @Test(arguments: ["socks4", "socks4a"])
  func aRefusalOfTheOldVersionsIsTheProxys(_ scheme: String) async throws {
    let server = try SOCKS4Server(isRefusing: true)
    let (result, _) = try await run(proxy: "\(scheme)://127.0.0.1:\(server.port)")
    bench.expectNothing(result, .proxy)
    #expect(result.failure?.message.contains("127.0.0.1:\(server.port) of --proxy") == true)
  }
}
