import Glibc
import HaulTestKit
import Testing

@Suite struct RelayTests {
  let file = OriginResource(OriginContent(size: 200_000))

  @Test func `a relay passes, cuts, resets, freezes and refuses`() async throws {
    let origin = try HostileOrigin { file.respond(to: $0) }
    let gate = Gate()
    let relay = try TCPRelay(to: origin.port) { connection in
      [.none, .cut(after: 10_000), .reset(after: 10_000), .freeze(after: 500, gate), .refuse][
        connection]
    }
    let url = "http://127.0.0.1:\(relay.port)/"
    #expect(try await curl(url).body == file.content.bytes())
    let passed = relay.bytesToClients
    #expect(passed > 200_000)
    let cut = try await curl(url)
    #expect(cut.exit == .exited(18))
    #expect(relay.bytesToClients == passed + 10_000)
    let reset = try await curl(url)
    #expect(reset.exit == .exited(56))
    #expect(relay.bytesToClients == passed + 20_000)
    async let frozen = curl(url)
    await gate.waitUntilReached()
    #expect(relay.bytesToClients == passed + 20_500)
    gate.open()
    #expect(try await frozen.body == file.content.bytes())
    #expect([.exited(52), .exited(56)].contains(try await curl(url).exit))
    #expect(relay.connectionCount == 5)
  }

  @Test func `a proxy forwards and opens tunnels`() async throws {
    let origin = try HostileOrigin { file.respond(to: $0) }
    let proxy = try HostileProxy()
    let target = "http://files.test:\(origin.port)/file?x=1"
    #expect(try await curl("-x", proxy.url, target).body == file.content.bytes())
    #expect(try await curl("-p", "-x", proxy.url, target).body == file.content.bytes())
    #expect(proxy.requests.map(\.method) == ["GET", "CONNECT"])
    #expect(proxy.requests.map(\.target) == [target, "files.test:\(origin.port)"])
    #expect(origin.requests.map(\.target) == ["/file?x=1", "/file?x=1"])
    #expect(origin.requests[0].header("Host") == "files.test:\(origin.port)")
  }

  @Test func `a proxy demands credentials and cuts tunnels`() async throws {
    let origin = try HostileOrigin { file.respond(to: $0) }
    let proxy = try HostileProxy(user: "me", password: "se:cret") {
      $0.method == "CONNECT" ? .cut(after: 5_000) : .none
    }
    let target = "http://files.test:\(origin.port)/"
    let refused = try await curl("-x", proxy.url, "-w", "%{http_code}", target)
    #expect(refused.body == Array("407".utf8))
    #expect(origin.requests.isEmpty)
    let login = ["-x", proxy.url, "-U", "me:se:cret"]
    #expect(try await curl(login[0], login[1], login[2], login[3], target).body.count == 200_000)
    #expect(origin.requests.first?.header("Proxy-Authorization") == nil)
    let tunnel = try await curl(login[0], login[1], login[2], login[3], "-p", target)
    #expect(tunnel.exit == .exited(18))
    #expect(proxy.requests.count == 3)
  }
}
