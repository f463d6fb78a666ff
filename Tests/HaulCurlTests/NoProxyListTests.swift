import HaulTestKit
import Testing

@testable import HaulCurl

/// Which hosts are asked without a proxy. Where curl can be asked for its opinion, it is.
@Suite struct NoProxyListTests {
  /// A list, a host, and whether it is in there.
  static let rows: [(list: String, host: String, isIn: Bool)] = [
    ("*", "a.test", true),
    ("* ", "a.test", false),
    ("a.test", "a.test", true),
    ("a.test", "A.TEST", true),
    ("A.Test", "a.test", true),
    ("a.test", "b.a.test", true),
    ("a.test", "ba.test", false),
    ("a.test", "test", false),
    (".a.test", "a.test", true),
    (".a.test", "b.a.test", true),
    (".a.test", "ba.test", false),
    ("a.test.", "a.test", true),
    ("a.test", "a.test.", true),
    ("x.test,a.test", "a.test", true),
    ("x.test, a.test", "a.test", true),
    ("x.test a.test", "a.test", true),
    (",,a.test,,", "a.test", true),
    (",", "a.test", false),
    (".", "a.test", false),
    ("*.a.test", "b.a.test", false),
    ("127.0.0.1", "127.0.0.1", true),
    ("127.0.0.1", "127.0.0.2", false),
    ("127.0.0.0/8", "127.9.9.9", true),
    ("127.0.0.0/30", "127.0.0.3", true),
    ("127.0.0.0/30", "127.0.0.4", false),
    ("127.0.0.1/32", "127.0.0.1", true),
    ("127.0.0.0/33", "127.0.0.1", false),
    ("127.0.0.0/x", "127.0.0.1", false),
    ("0.0.1", "127.0.0.1", false),
    ("::1", "[::1]", true),
    ("fd00::/8", "[fd12::1]", true),
    ("fd00::/8", "[fe12::1]", false),
    ("::1", "127.0.0.1", false),
    ("localhost", "127.0.0.1", false),
  ]

  @Test(arguments: rows)
  func hosts(_ row: (list: String, host: String, isIn: Bool)) {
    #expect(NoProxyList(row.list).contains(row.host) == row.isIn, "“\(row.list)” \(row.host)")
  }

  @Test(arguments: ["127.0.0.0/-1", "127.0.0.0/", "/8", "/", "::/129", "127.0.0.0/8/8", "\u{0}"])
  func whatIsNoNetworkHoldsNothing(_ list: String) {
    #expect(!NoProxyList(list).contains("127.0.0.1"))
    #expect(!NoProxyList(list).contains("[::1]"))
  }

  @Test func everythingIsInANetworkOfNoBits() {
    #expect(NoProxyList("0.0.0.0/0").contains("10.1.2.3"))
    #expect(!NoProxyList("0.0.0.0/0").contains("[::1]"))
  }

  /// One host that curl asks directly ends at the origin; one in no list ends at the proxy.
  @Test func curlIsOfTheSameOpinion() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 200, text: "direct") }
    let proxy = try HostileProxy { _ in .refuse }
    for row in Self.rows where !row.host.hasPrefix("[") {
      let child = try ChildProcess(
        "curl",
        [
          "-s", "-x", proxy.url, "--noproxy", row.list, "--resolve", "*:\(origin.port):127.0.0.1",
          "--connect-timeout", "5", "http://\(row.host):\(origin.port)/",
        ])
      await child.wait()
      // Of other loopback addresses nobody answers at this port.
      let wasDirect = child.exit == .exited(7) || child.outputText == "direct"
      #expect(wasDirect == row.isIn, "“\(row.list)” \(row.host) \(String(describing: child.exit))")
    }
  }
}
