import Foundation
import HaulTestKit
import HaulTransfer
import Testing

/// Where connections leave from, over which addresses, and in which version of HTTP.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ConnectionCases {
  let bench: Bench
  let nginx: NginxServer

  init() throws {
    bench = try Bench()
    nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
  }

  @Test(arguments: [
    (nil, "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("lo", "127.0.0.1"),
  ])
  func itLeavesFromTheInterfaceThatIsNamed(_ interface: String?, _ address: String) async throws {
    let fetch = try bench.fetch(nginx.url("/client")) { $0.connection.interface = interface }
    #expect(await fetch.run().finished != nil)
    #expect(bench.folder.bytes(of: "file") == Array(address.utf8))
  }

  /// A connection that left from elsewhere must not be used again.
  @Test func anOpenConnectionIsNotTakenForOneFromElsewhere() async throws {
    for (name, interface) in [("a", nil), ("b", "127.0.0.3"), ("c", "127.0.0.4"), ("d", nil)] {
      let fetch = try bench.fetch(nginx.url("/client"), named: name) {
        $0.connection.interface = interface
      }
      #expect(await fetch.run().finished != nil)
      #expect(bench.folder.bytes(of: name) == Array((interface ?? "127.0.0.1").utf8))
    }
  }

  @Test(arguments: [
    ("nonexistent9", "no connection can be made from “nonexistent9”"),
    ("192.0.2.99", "no connection can be made from “192.0.2.99”"),
    ("a b!c", "--interface"), ("::1", "the same family"),
  ])
  func anInterfaceThatIsNoneIsAFailureAtOnce(_ interface: String, _ says: String) async throws {
    let fetch = try bench.fetch(nginx.url("/client")) { $0.connection.interface = interface }
    let result = await fetch.run()
    bench.expectNothing(result, .connectionFailed)
    #expect(result.failure?.message.contains(says) == true, "\(result)")
    #expect(result.failure?.message.contains("--interface") == true, "\(result)")
    #expect(fetch.ear.retries == [])
  }

  @Test func onlyIPv4IsUsed() async throws {
    let url = "http://localhost:\(nginx.port())/file"
    bench.expectRight(try await bench.fetch(url) { $0.connection.addressFamily = .ipv4 }.run())
  }

  @Test(arguments: [
    (AddressFamily.ipv6, "http://127.0.0.1:", "has no IPv6 address, and -6 allows no other"),
    (.ipv4, "http://[::1]:", "has no IPv4 address, and -4 allows no other"),
  ])
  func anAddressOfTheOtherFamilyIsAFailureAtOnce(
    _ family: AddressFamily, _ start: String, _ says: String
  ) async throws {
    let fetch = try bench.fetch("\(start)\(nginx.port())/file") {
      $0.connection.addressFamily = family
    }
    let result = await fetch.run()
    bench.expectNothing(result, .connectionFailed)
    #expect(result.failure?.message.contains(says) == true, "\(result)")
    #expect(fetch.ear.retries == [])
  }

  /// Whether this machine has IPv6 at all.
  static var hasIPv6: Bool {
    let text = FileManager.default.contents(atPath: "/proc/net/if_inet6")
    return text.map { String(decoding: $0, as: UTF8.self).contains("lo\n") } ?? false
  }

  @Test(.enabled(if: hasIPv6)) func onlyIPv6IsUsed() async throws {
    let certificate = try nginx.authority.issue("six", hosts: ["IP:::1", "DNS:localhost"])
    let folder = try TemporaryFolder()
    try bench.content.write(to: folder.path("file"))
    let server = try ChildProcess(
      "openssl",
      [
        "s_server", "-accept", "[::1]:0", "-cert", certificate.certificatePath, "-key",
        certificate.keyPath, "-WWW",
      ], folder: folder.path)
    #expect(await server.waitForText("ACCEPT [", in: .output))
    let port = try #require(server.outputText.split(separator: ":").last).prefix { $0.isNumber }
    func run(_ family: AddressFamily, named name: String) async throws -> TransferResult {
      try await bench.fetch("https://[::1]:\(port)/file", named: name) {
        $0.connection.certificateAuthorities = nginx.authorityPath
        $0.connection.addressFamily = family
      }.run()
    }
    #expect(try await run(.ipv6, named: "six").finished != nil)
    #expect(bench.content.matches(path: bench.folder.file("six")))
    #expect(try await run(.ipv4, named: "four").failure?.code == .connectionFailed)
  }

  @Test func onlyHTTP1IsSpokenWhenThatIsWanted() async throws {
    let url = nginx.url("/file", on: .http2)
    // The second one finds the connection of the first open, which speaks HTTP/2.
    for (name, isOnly, version) in [("a", false, "HTTP/2.0"), ("b", true, "HTTP/1.1")] {
      let fetch = try bench.fetch(url, named: name) {
        $0.connection.certificateAuthorities = nginx.authorityPath
        $0.connection.isHTTP11Only = isOnly
      }
      #expect(await fetch.run().finished?.byteCount == bench.content.size)
      let wanted = "\(nginx.port(.http2)) \(version) GET /file 200"
      #expect(await eventually { nginx.accessLog.contains { $0.hasPrefix(wanted) } })
    }
    #expect(nginx.accessLog.count == 2)
  }

  /// The log is written a moment after the answer, and nothing tells of it.
  private func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(20))
    while !condition() {
      guard ContinuousClock.now < deadline else { return false }
      await Task.yield()
    }
    return true
  }
}
