import HaulTestKit
import HaulTransfer
import Testing

/// CASES U4: addresses are sent as given.
@Suite struct URLCases {
  let bench: Bench

  init() throws {
    bench = try Bench(size: 10_000)
  }

  @Test(arguments: [
    "/", "/a%2Fb%2fc", "/%41%7e~", "/a+b%20c", "/a/../b/./c", "//double//slash", "/%", "/%zz",
    "/%00",
    "/?", "/?a=1&a=2&&b", "/?q=%26%3D%23", "/;x=1;y", "/a:b@c", "/*!'()$,", "/a|b^c`d{e}",
    "/?a?b/c",
    "/[1]", "/\"<>", "/a\\b", "/%E2%80%AE", "/.", "/..", "/...", "/%2e%2e/%2e",
  ])
  func aTargetIsSentAsGiven(target: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url(target)).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [
    ("/a b", "/a%20b"), ("/käse", "/k%C3%A4se"), ("/?日本=本", "/?%E6%97%A5%E6%9C%AC=%E6%9C%AC"),
    ("/file#part", "/file"), ("/file?x#part?y", "/file?x"), ("", "/"), ("?x", "/?x"), ("#f", "/"),
  ])
  func whatMayNotBeSentIsEncodedOrLeftOut(given: String, target: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    bench.expectRight(try await bench.fetch(origin.url(given)).run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [8_192, 60_000])
  func aLongAddressIsSentWhole(count: Int) async throws {
    let target =
      "/" + String(repeating: "x", count: count / 2) + "?"
      + String(repeating: "y", count: count / 2)
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let fetch = try bench.fetch(origin.url(target))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == [target])
    }
  }

  @Test(arguments: [
    ("http://[::1]", "[::1]"), ("http://[2001:DB8::1]", "[2001:db8::1]"),
    ("http://files.test", "files.test"), ("HTTP://FILES.Test", "files.test"),
    ("http://xn--bcher-kva.test", "xn--bcher-kva.test"),
    ("http://bücher.test", "xn--bcher-kva.test"), ("http://BÜCHER.test", "xn--bcher-kva.test"),
    ("http://日本.test", "xn--wgv71a.test"),
  ])
  func everyFormOfAHostIsAskedFor(prefix: String, host: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let proxy = try HostileProxy()
    let fetch = try bench.fetch("\(prefix):\(origin.port)/file") {
      $0.connection.proxy = proxy.url
    }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Host") } == ["\(host):\(origin.port)"])
      #expect(proxy.requests.count == 1)
    }
  }

  @Test func anIPv6AddressThatNobodyServesIsAFailure() async throws {
    let fetch = try bench.fetch("http://[::1]:1/file") { $0.retries.tries = 1 }
    bench.expectNothing(await fetch.run(), .connectionFailed)
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file://localhost/etc/passwd", "gopher://127.0.0.1/x"])
  func otherSchemesAreRefused(url: String) async throws {
    bench.expectNothing(try await bench.fetch(url).run(), .scheme)
  }
}
