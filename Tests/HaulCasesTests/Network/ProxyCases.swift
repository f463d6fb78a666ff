import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES T11: proxies.
@Suite struct ProxyCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  static let word = "hunter2"

  @Test func aProxyWithCredentialsIsUsedAndTheyAreShownNowhere() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let proxy = try HostileProxy(user: "me", password: Self.word)
    let fetch = try bench.fetch("http://files.test:\(origin.port)/file") {
      $0.connection.proxy = "http://me:hunter2@127.0.0.1:\(proxy.port)"
    }
    bench.expectRight(await fetch.run())
    #expect(proxy.requests.map(\.target) == ["http://files.test:\(origin.port)/file"])
    #expect(origin.requests.map { $0.header("Proxy-Authorization") } == [nil])
    #expect(!fetch.ear.text.contains(Self.word))
  }

  @Test(arguments: ["", "me:wrong-hunter2@"])
  func aProxyThatWantsCredentialsIsAFailureAtOnce(userinfo: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let proxy = try HostileProxy(user: "me", password: Self.word)
    for scheme in ["http", "https"] {
      let fetch = try bench.fetch("\(scheme)://files.test:\(origin.port)/file") {
        $0.connection.proxy = "http://\(userinfo)127.0.0.1:\(proxy.port)"
      }
      let result = await fetch.run()
      #expect(result.failure?.code == .proxy)
      #expect(result.failure?.message.contains("--proxy") == true)
      #expect(!fetch.ear.text.contains(Self.word))
      #expect(fetch.ear.retries == [])
      #expect(bench.folder.names == [])
    }
    #expect(origin.requests.isEmpty)
    #expect(proxy.requests.map(\.method) == ["GET", "CONNECT"])
  }

  @Test func aProxyThatWantsCredentialsOnResumeKeepsTheBytes() async throws {
    let script = Script(.next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }) {
      bench.resource.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let proxy = try HostileProxy(user: "me", password: Self.word)
    try await bench.leavePart(of: origin.url("/file"))
    let fetch = try bench.fetch(origin.url("/file")) { $0.connection.proxy = proxy.url }
    try await bench.expectKept(await fetch.run(), .proxy, status: 407)
  }

  /// libcurl quotes a proxy whose scheme or port it cannot read, with user and password, in its
  /// error text, which became part of the message.
  @Test(arguments: [
    "bogus://me:hunter2@127.0.0.1:1", "http://me:hunter2@127.0.0.1:1",
    "http://me:hunter2@127.0.0.1:999999", "socks5h://me:hunter2@127.0.0.1:1",
    "http://me:hunter2@nonexistent.invalid:1", "me:hunter2@127.0.0.1:1", "http://me:hunter2@[::1:1",
    "http://me:hunter2@a b:1", "https://me:hunter2@127.0.0.1:1", "http://me:hunter2@",
    "://me:hunter2@127.0.0.1:1", "socks4://me:hunter2@127.0.0.1:1",
  ])
  func aProxyThatCannotBeUsedIsAFailureWithoutItsPassword(proxy: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file")) {
      $0.connection.proxy = proxy
      $0.retries.tries = 2
    }
    let result = await fetch.run()
    #expect(result.failure != nil)
    #expect(!fetch.ear.text.contains(Self.word))
    #expect(bench.folder.names == [])
    #expect(origin.requests.isEmpty)
  }

  @Test func aTunnelThatIsCutIsBuiltAgain() async throws {
    let nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
    let proxy = try HostileProxy { $0.index == 0 ? .cut(after: 500_000) : .none }
    let fetch = try bench.fetch(nginx.url("/file", on: .tls)) {
      $0.connection.proxy = proxy.url
      $0.connection.certificateAuthorities = nginx.authorityPath
      $0.fields = [
        RequestField(HeaderField(name: "Authorization", value: "Bearer hunter2")),
        RequestField(HeaderField(name: "Cookie", value: "a=hunter2")),
        RequestField(HeaderField(name: "X-Key", value: "hunter2"), isSecret: true),
      ]
    }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost])
    }
    #expect(fetch.ear.restarts == [])
    #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT"])
    // What belongs to the origin is sent inside the tunnel only.
    for request in proxy.requests {
      #expect(!request.fields.fields.contains { $0.value.contains(Self.word) })
    }
  }
}
