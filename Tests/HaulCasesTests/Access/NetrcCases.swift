import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES U3: passwords of a netrc go to the hosts that it names, and nowhere else.
@Suite struct NetrcCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  static let word = "hunter2"

  func fetch(
    _ url: String, _ netrc: String, _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Fetch {
    try bench.fetch(url) {
      $0.netrc = try? Netrc(parsing: Array(netrc.utf8))
      change(&$0)
    }
  }

  func basic(_ user: String, _ password: String) -> String {
    BasicAuthorization.value(user: user, password: password)
  }

  /// What curl takes out of a file is what a request carries.
  @Test(arguments: [
    "machine 127.0.0.1 login u password p", "MACHINE 127.0.0.1 LOGIN u PASSWORD p\r\n",
    "machine 127.0.0.1\n\tlogin u\n\tpassword p", "machine 127.0.0.1 password p login u",
    "machine 127.0.0.1 login u", "machine 127.0.0.1 password p", "machine 127.0.0.1\n",
    "machine other login x password y\nmachine 127.0.0.1 login u password p",
    "machine 127.0.0.1 login a password b\nmachine 127.0.0.1 login u password p",
    "machine 127.0.0.1 login a\nmachine 127.0.0.1 login u password p",
    "default login d password e\nmachine 127.0.0.1 login u password p",
    "machine 127.0.0.1 login u password p\ndefault login d password e",
    "machine x login a password b\ndefault login d password e",
    "machine 127.0.0.1 login u password \"p q\\\"\\\\\\n\"",
    "machine 127.0.0.1 login u password p\"q#r",
    "# machine 127.0.0.1 login x password y\nmachine 127.0.0.1 login u password p # c\n",
    "macdef m\nmachine 127.0.0.1 login x password y\n\nmachine 127.0.0.1 login u password p",
    "machine 127.0.0.1 login u account a password p",
    "machine 127.0.0.1 login u password p extra words",
    "machine 127.0.0.1 login u password machine\n",
    "machine 127.0.0.1 login käse password \"\"",
  ])
  func itIsReadAsCurlReadsIt(_ netrc: String) async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let folder = try TemporaryFolder()
    try folder.write(Array(netrc.utf8), to: "netrc")
    let curl = try ChildProcess(
      "curl", ["-sS", "-o", "/dev/null", "--netrc-file", folder.path("netrc"), origin.url("/file")])
    #expect(await curl.wait() == .exited(0), "\(curl.errorText)")
    bench.expectRight(try await fetch(origin.url("/file"), netrc).run())
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
    #expect(
      origin.requests[1].header("Authorization") == origin.requests[0].header("Authorization"))
  }

  @Test func aServerThatAsksLetsItIn() async throws {
    let nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
    let url = nginx.url("/private/file")
    bench.expectRight(
      try await fetch(url, "machine 127.0.0.1 login haul password secret").run())
    let wrong = try await fetch(url, "machine 127.0.0.1 login haul password \(Self.word)").run()
    #expect(wrong.failure?.status == 401)
    #expect(wrong.failure?.message.contains("was refused") == true)
    #expect(wrong.failure?.message.contains(Self.word) == false)
    let none = try await fetch(url, "machine other login haul password secret").run()
    #expect(none.failure?.message.contains("the netrc has no entry for 127.0.0.1") == true)
  }

  @Test func whatIsSaidOtherwiseRulesOverIt() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let netrc = """
      machine 127.0.0.1 login me password 1
      machine 127.0.0.1 login you password 2
      """
    func sent(
      _ userInfo: String, _ change: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> String? {
      let bench = try Bench()
      let url = "http://\(userInfo)127.0.0.1:\(origin.port)/file"
      _ = try await bench.fetch(url) {
        $0.netrc = try? Netrc(parsing: Array(netrc.utf8))
        change(&$0)
      }.run()
      return origin.requests.last?.header("Authorization")
    }
    #expect(try await sent("") == basic("me", "1"))
    #expect(try await sent("you:3@") == basic("you", "3"))
    #expect(try await sent("you:@") == basic("you", ""))
    #expect(try await sent("you@") == basic("you", "2"))
    // The password of one user is never sent for another.
    #expect(try await sent("they@") == basic("they", ""))
    #expect(
      try await sent("you@") { $0.credentials = Credentials(user: "a", password: "b") }
        == basic("a", "b"))
    #expect(
      try await sent("") {
        $0.fields = [RequestField(HeaderField(name: "authorization", value: "Bearer x"))]
      } == "Bearer x")
  }

  /// A plain redirect can be made by anybody on the way: if an entry were enough, whoever sits in a
  /// café could collect every password in the file.
  @Test(arguments: [
    "machine localhost login me password hunter2", "default login me password hunter2",
  ])
  func aPlainRedirectToAnotherOriginGetsNothing(_ netrc: String) async throws {
    let other = try HostileOrigin { bench.resource.respond(to: $0) }
    let location = "http://localhost:\(other.port)/file"
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    let fetch = try fetch(origin.url("/start"), netrc)
    bench.expectRight(await fetch.run())
    #expect(other.requests.map { $0.header("Authorization") } == [nil])
    #expect(!fetch.ear.text.contains(Self.word))
  }

  /// The login host that some archives redirect to is asked with its own entry, over TLS.
  @Test func aRedirectOverTLSGetsTheEntryOfItsHostButNotTheDefault() async throws {
    let nginx = try NginxServer()
    let files = try HostileOrigin { bench.resource.respond(to: $0) }
    let location = nginx.url("/origin/\(files.port)/file", on: .tls)
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    func sent(_ netrc: String, isInsecure: Bool = false) async throws -> String? {
      let bench = try Bench()
      let request = try bench.fetch(origin.url("/start")) {
        $0.netrc = try? Netrc(parsing: Array(netrc.utf8))
        $0.connection.certificateAuthorities = nginx.authorityPath
        $0.connection.isInsecure = isInsecure
      }
      bench.expectRight(await request.run())
      return files.requests.last?.header("Authorization")
    }
    let own = "machine 127.0.0.1 login first password 1\n"
    let named = own + "machine localhost login second password 2\n"
    #expect(try await sent(named) == basic("second", "2"))
    #expect(origin.requests.last?.header("Authorization") == basic("first", "1"))
    #expect(try await sent(own + "default login any password 3") == nil)
    #expect(try await sent(own) == nil)
    #expect(try await sent(named, isInsecure: true) == nil)
  }

  @Test func aRefusalAfterARedirectSaysWhyNothingWasSent() async throws {
    let other = try HostileOrigin { _ in OriginResponse(status: 401, text: "who?") }
    let location = "http://localhost:\(other.port)/file"
    let origin = try HostileOrigin { _ in .redirect(to: location) }
    let named = try await fetch(
      origin.url("/start"), "machine localhost login me password hunter2"
    ).run()
    bench.expectNothing(named, .httpStatus, status: 401)
    #expect(named.failure?.message.contains("redirected to http://localhost") == true)
    #expect(named.failure?.message.contains("over https") == true)
    #expect(named.failure?.message.contains(Self.word) == false)
  }
}
