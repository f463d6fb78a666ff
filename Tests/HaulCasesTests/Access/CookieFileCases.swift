import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// CASES U3: cookies of a file go where their domains, paths and flags say.
@Suite struct CookieFileCases {
  let bench: Bench
  let proxy: HostileProxy

  init() throws {
    bench = try Bench()
    // Leads every name to this machine.
    proxy = try HostileProxy()
  }

  static let file = """
    # Netscape HTTP Cookie File

    .a.test\tTRUE\t/\tFALSE\t0\twide\t1
    a.test\tFALSE\t/\tFALSE\t4102444800\tnarrow\t2
    a.test\tFALSE\t/deep\tFALSE\t0\tdeep\t3
    a.test\tFALSE\t/\tTRUE\t0\tsecure\t4
    a.test\tFALSE\t/\tFALSE\t1000\texpired\t5
    #HttpOnly_.b.test\tTRUE\t/\tFALSE\t0\tother\t6
    a.test\tFALSE\t/\tFALSE\t0\tempty\t
    """

  func fetch(
    _ url: String, named name: String? = "file",
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Fetch {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.file.utf8), to: "cookies")
    // Read while the transfer begins, and the folder lives as long as the proxy's port is used.
    kept.keep(folder)
    let path = folder.path("cookies")
    return try bench.fetch(url, named: name) {
      $0.connection.cookieFile = path
      $0.connection.proxy = proxy.url
      change(&$0)
    }
  }

  let kept = Kept()

  /// Keeps folders until the test is over.
  final class Kept: Sendable {
    private let folders = Mutex<[TemporaryFolder]>([])
    func keep(_ folder: TemporaryFolder) { folders.withLock { $0.append(folder) } }
    var files: [[UInt8]?] { folders.withLock { $0.map { $0.read("cookies") } } }
  }

  func names(_ request: OriginRequest?) -> Set<String> {
    let pairs = (request?.header("Cookie") ?? "").split(separator: ";")
    return Set(pairs.map { String($0.drop { $0 == " " }) })
  }

  @Test(arguments: [
    ("a.test", "/file", ["wide=1", "narrow=2", "empty="]),
    ("a.test", "/deep/file", ["wide=1", "narrow=2", "deep=3", "empty="]),
    ("a.test", "/deeper", ["wide=1", "narrow=2", "empty="]),
    ("sub.a.test", "/file", ["wide=1"]), ("b.test", "/file", ["other=6"]),
    ("x.b.test", "/file", ["other=6"]), ("nota.test", "/file", []), ("test", "/file", []),
  ])
  func theyGoByDomainPathAndFlag(_ host: String, _ path: String, _ cookies: [String])
    async throws
  {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    bench.expectRight(try await fetch("http://\(host):\(origin.port)\(path)").run())
    #expect(names(origin.requests.first) == Set(cookies))
    #expect(origin.requests.first?.fields.all("Cookie").count == (cookies.isEmpty ? 0 : 1))
  }

  @Test func secureOnesGoOverTLSOnly() async throws {
    let nginx = try NginxServer()
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let folder = try TemporaryFolder()
    let text = "localhost\tFALSE\t/\tTRUE\t0\tsecure\t4\nx.test\tFALSE\t/\tTRUE\t0\tsecure\t5\n"
    try folder.write(Array(text.utf8), to: "cookies")
    let path = folder.path("cookies")
    let secure = try bench.fetch(nginx.url("/origin/\(origin.port)/file", on: .tls)) {
      $0.connection.cookieFile = path
      $0.connection.certificateAuthorities = nginx.authorityPath
    }
    bench.expectRight(await secure.run())
    let plain = try bench.fetch("http://x.test:\(origin.port)/file", named: "plain") {
      $0.connection.cookieFile = path
      $0.connection.proxy = proxy.url
    }
    #expect(await plain.run().finished != nil)
    if Connections.count == 1 {
      #expect(origin.requests.map { names($0) } == [["secure=4"], []])
    }
  }

  @Test func aRedirectGetsThoseOfItsOwnDomain() async throws {
    let other = try HostileOrigin { bench.resource.respond(to: $0) }
    let location = "http://b.test:\(other.port)/file"
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    let request = try fetch("http://a.test:\(origin.port)/") {
      $0.fields = [RequestField(HeaderField(name: "Cookie", value: "given=hunter2"))]
    }
    bench.expectRight(await request.run())
    #expect(names(origin.requests.first) == ["wide=1", "narrow=2", "empty=", "given=hunter2"])
    #expect(names(other.requests.first) == ["other=6"])
  }

  /// Each request is an exchange of its own: if each read the file, what the server changed or took
  /// back on the way would come back.
  @Test func whatTheServerSetsOnTheWayCounts() async throws {
    let script = Script(
      .next { _ in
        var answer = OriginResponse.redirect(to: "/file")
        answer.fields += [
          OriginField("Set-Cookie", "narrow=new; Path=/"),
          OriginField("Set-Cookie", "wide=gone; Domain=a.test; Path=/; Max-Age=0"),
        ]
        return answer
      },
      .next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    bench.expectRight(try await fetch("http://a.test:\(origin.port)/start").run())
    let after: Set<String> = ["narrow=new", "empty="]
    if Connections.count == 1 {
      #expect(origin.requests.map(\.target) == ["/start", "/file", "/start"])
    }
    #expect(origin.requests.dropFirst().allSatisfy { names($0) == after })
    // Nothing is written, and another transfer begins with the file again.
    #expect(kept.files == [Array(Self.file.utf8)])
    let again = try fetch("http://a.test:\(origin.port)/file", named: "again")
    #expect(await again.run().finished != nil)
    #expect(names(origin.requests.last) == ["wide=1", "narrow=2", "empty="])
  }

  @Test func aTransferWithoutTheFileSendsNone() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    bench.expectRight(try await fetch("http://a.test:\(origin.port)/file").run())
    let other = try bench.fetch("http://a.test:\(origin.port)/file", named: "other") {
      $0.connection.proxy = proxy.url
    }
    #expect(await other.run().finished != nil)
    #expect(names(origin.requests.last) == [])
  }
}
