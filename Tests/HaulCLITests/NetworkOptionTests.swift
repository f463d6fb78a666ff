import Foundation
import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulCLI

/// The options of the network, each against what a user would have on the other side.
@Suite(.timeLimit(.minutes(1))) struct NetworkOptionTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 60_000, seed: 12)

  init() throws {
    folder = try TemporaryFolder()
  }

  func origin() throws -> HostileOrigin {
    let resource = OriginResource(content)
    return try HostileOrigin { resource.respond(to: $0) }
  }

  func nginx() throws -> NginxServer {
    let nginx = try NginxServer()
    try content.write(to: nginx.path("file"))
    return nginx
  }

  /// Runs the program with further variables of the environment.
  func run(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) async throws -> Outcome {
    let environment = Haul.environment.merging(variables) { $1 }
    let child = try ChildProcess(
      Haul.path, ["get", "--retry-max-delay", "0"] + arguments, environment: environment,
      folder: folder.path)
    return await Outcome(of: child)
  }

  func expectRight(_ outcome: Outcome, _ location: SourceLocation = #_sourceLocation) throws {
    #expect(outcome.exit == .exited(0), "\(outcome.error)", sourceLocation: location)
    #expect(content.matches(path: folder.path("file")), sourceLocation: location)
    try folder.remove("file")
  }

  @Test func interfaceFamilyAndVersion() async throws {
    let nginx = try nginx()
    let outcome = try await run(["--interface", "127.0.0.5", "-o", "client", nginx.url("/client")])
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.text("client") == "127.0.0.5")
    try expectRight(try await run(["-4", "http://localhost:\(nginx.port())/file"]))
    let six = try await run(["-6", nginx.url("/file")])
    #expect(six.exit == .exited(3))
    #expect(six.error.contains("has no IPv6 address, and -6 allows no other"))
    // The last one counts.
    try expectRight(try await run(["-6", "-4", nginx.url("/file")]))
    try expectRight(try await run(["-6", "--ipv6=no", nginx.url("/file")]))
    let authority = ["--cacert", nginx.authorityPath]
    try expectRight(try await run(authority + ["--http1.1", nginx.url("/file", on: .http2)]))
    #expect(
      await eventually {
        nginx.accessLog.contains { $0.hasPrefix("\(nginx.port(.http2)) HTTP/1.1 GET /file 200") }
      })
  }

  @Test func clientCertificates() async throws {
    let nginx = try nginx()
    let mine = try nginx.authority.issue("me", hosts: ["DNS:me.test"])
    let locked = try nginx.authority.lock(mine, "locked", password: "hunter:2")
    let url = nginx.url("/file", on: .clientCertificate)
    let authority = ["--cacert", nginx.authorityPath, url]
    try expectRight(
      try await run(["--cert", mine.certificatePath, "--key", mine.keyPath] + authority))
    try expectRight(
      try await run(
        ["--cert", "\(mine.certificatePath):hunter:2", "--key", locked.keyPath] + authority))
    try FileManager.default.copyItem(atPath: mine.certificatePath, toPath: folder.path("a:b.pem"))
    for name in ["a:b.pem", "a\\:b.pem", "a\\:b.pem:"] {
      try expectRight(try await run(["--cert", name, "--key", mine.keyPath] + authority))
    }
    for (arguments, says) in [
      (["--cert", mine.certificatePath], "holds no private key; give its file with --key FILE"),
      (
        ["--cert", mine.certificatePath, "--key", locked.keyPath],
        "has a password; give it with the certificate: --cert FILE:PASSWORD"
      ),
      (["--cert", mine.keyPath], "holds no certificate in PEM form"),
      (
        ["--cert", mine.certificatePath, "--key", mine.certificatePath],
        "holds no private key in PEM form"
      ),
      (["--key", mine.keyPath], "give that one, too: --cert FILE"),
    ] {
      let outcome = try await run(arguments + authority)
      #expect(outcome.exit == .exited(2))
      #expect(outcome.error.contains(says), "\(outcome.error)")
    }
    let wrong = try await run(
      ["--cert", "\(mine.certificatePath):hunter3", "--key", locked.keyPath] + authority)
    #expect(wrong.exit == .exited(3))
    #expect(wrong.error.contains("failed [certificate]"))
    #expect(!wrong.error.contains("hunter3"))
    #expect(folder.names() == ["a:b.pem"])
  }

  @Test func netrcFiles() async throws {
    let origin = try origin()
    let url = origin.url("/file")
    let text = "machine 127.0.0.1 login me password hunter2\n"
    try folder.write(text: text, to: ".netrc")
    try folder.write(text: text.replacingOccurrences(of: "me", with: "you"), to: "other")
    for name in [".netrc", "other"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder.path(name))
    }
    let home = ["HOME": folder.path]
    func sent(_ arguments: [String], _ variables: [String: String]) async throws -> String? {
      let outcome = try await run(arguments + [url], variables)
      #expect(!outcome.error.contains("hunter2"))
      #expect(!outcome.error.contains("warning"), "\(outcome.error)")
      try expectRight(outcome)
      let field = origin.requests.last?.header("Authorization")?.dropFirst(6)
      return field.flatMap { Data(base64Encoded: String($0)) }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(try await sent([], home) == nil)
    #expect(try await sent(["--netrc"], home) == "me:hunter2")
    #expect(
      try await sent(["--netrc"], ["HOME": "/", "NETRC": folder.path("other")]) == "you:hunter2")
    #expect(try await sent(["--netrc", "--netrc-file", "other"], home) == "you:hunter2")
    #expect(try await sent(["--netrc-file=other", "--netrc"], home) == "you:hunter2")
    #expect(try await sent(["--netrc", "--user", "a:b"], home) == "a:b")
    #expect(try await sent(["--netrc=no"], home.merging(["HAUL_NETRC": "yes"]) { $1 }) == nil)
    #expect(try await sent([], home.merging(["HAUL_NETRC": "yes"]) { $1 }) == "me:hunter2")
  }

  @Test func aNetrcThatOthersMayReadIsWarnedOf() async throws {
    let origin = try origin()
    try folder.write(text: "machine 127.0.0.1 login me password hunter2\n", to: ".netrc")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path(".netrc"))
    let outcome = try await run(["--netrc", origin.url("/file")], ["HOME": folder.path])
    #expect(outcome.error.contains(".netrc” holds passwords and others may read it: chmod 600 it"))
    try expectRight(outcome)
  }

  @Test func aNetrcThatCannotBeUsedIsRefused() async throws {
    let url = "http://127.0.0.1:1/file"
    try folder.write(text: "machine h login me password \"hunter2\nmachine x", to: "bad")
    for (arguments, variables, says) in [
      (["--netrc"], ["HOME": folder.path], "/.netrc” cannot be read"),
      (["--netrc"], [:], "HOME is not set; use --netrc-file FILE"),
      (["--netrc"], ["NETRC": "bad"], "the netrc “bad”, line 1, has a quote that does not end"),
    ] as [([String], [String: String], String)] {
      let outcome = try await run(arguments + [url], variables)
      #expect(outcome.exit == .exited(2))
      #expect(outcome.error.contains(says), "\(outcome.error)")
      #expect(!outcome.error.contains("hunter2"))
    }
  }

  @Test func cookies() async throws {
    let origin = try origin()
    let line = "127.0.0.1\tFALSE\t/\tFALSE\t0\tfrom\tfile"
    for (number, text) in [
      line, "# Netscape HTTP Cookie File\n\n\(line)\r\n", "#HttpOnly_\(line)\n", "\(line)\n \t\n",
    ].enumerated() {
      try folder.write(text: text, to: "cookies\(number)")
      try expectRight(try await run(["--cookie", "cookies\(number)", origin.url("/file")]))
      #expect(origin.requests.last?.header("Cookie") == "from=file")
      #expect(folder.text("cookies\(number)") == text)
    }
    try expectRight(
      try await run(["-b", "a=1; b=2", "-b", "c=3", "-b", "cookies0", origin.url("/file")]))
    let all = Set(
      origin.requests.last?.header("Cookie")?.split(separator: "; ").map(String.init) ?? [])
    #expect(all == ["a=1", "b=2", "c=3", "from=file"])
    #expect(origin.requests.last?.fields.all("Cookie").count == 1)
  }

  /// A cookie in a line of header fields may have no domain, and libcurl sends it to everybody.
  @Test(arguments: [
    ("Set-Cookie: a=b", 1), ("# comment\na b c d e f g\n", 2),
    ("h\tTRUE\t/\tFALSE\t0\ta\tb\nh TRUE / FALSE 0 a b\n", 2), ("h\tyes\t/\tFALSE\t0\ta\tb", 1),
    ("h\tTRUE\t/\tFALSE\tlater\ta\tb", 1), ("\tTRUE\t/\tFALSE\t0\ta\tb", 1),
    ("[{\"name\": \"a\"}]", 1),
    ("h\tTRUE\t/\tFALSE\t0", 1), ("#HttpOnly_x", 1),
  ])
  func whatIsNoCookieFileIsRefused(_ text: String, _ line: Int) async throws {
    try folder.write(text: text, to: "cookies")
    let outcome = try await run(["--cookie", "cookies", "http://127.0.0.1:1/file"])
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("line \(line) of “cookies” is no cookie"), "\(outcome.error)")
    #expect(outcome.error.contains("7 columns"))
  }

  @Test func proxiesOfTheEnvironment() async throws {
    let origin = try origin()
    let proxy = try HostileProxy(user: "me", password: "hunter2")
    let socks = try SOCKS5Server()
    let url = "http://files.test:\(origin.port)/file"
    let text = "http://me:hunter2@127.0.0.1:\(proxy.port)"
    for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
      try expectRight(try await run([url], [name: text]))
    }
    #expect(proxy.requests.count == 3)
    try expectRight(
      try await run([origin.url("/file")], ["all_proxy": "socks5h://127.0.0.1:\(socks.port)"]))
    #expect(socks.log.contains("connected to 127.0.0.1:\(origin.port)"))
    // Not for these hosts, or not at all.
    for (arguments, variables) in [
      ([], ["no_proxy": "127.0.0.1"]), ([], ["NO_PROXY": "*"]),
      (["--noproxy", "127.0.0.0/8"], [:]),
      (["--proxy", ""], [:]),
    ] as [([String], [String: String])] {
      let dead = ["http_proxy": "http://127.0.0.1:1"].merging(variables) { $1 }
      try expectRight(try await run(arguments + [origin.url("/file")], dead))
    }
    #expect(proxy.requests.count == 3)
    // What is given on the command line rules.
    try expectRight(try await run(["--proxy", text, url], ["http_proxy": "http://127.0.0.1:1"]))
    #expect(proxy.requests.count == 4)
  }

  @Test(arguments: [
    ("http_proxy", "http://me:hunter2@127.0.0.1:1", "could not be reached (Connection refused)"),
    ("all_proxy", "socks5h://me:hunter2@nonexistent.invalid:1", "was not found"),
    ("http_proxy", "htp://127.0.0.1:1", "cannot be read"),
  ])
  func aProxyOfTheEnvironmentIsNamedByItsVariable(
    _ variable: String, _ proxy: String, _ says: String
  ) async throws {
    let origin = try origin()
    let outcome = try await run([origin.url("/file")], [variable: proxy])
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("failed [proxy]"), "\(outcome.error)")
    #expect(outcome.error.contains(" of \(variable) \(says)"), "\(outcome.error)")
    #expect(!outcome.error.contains("hunter2"))
    #expect(origin.requests.isEmpty)
  }

  @Test func aProxyOverTLSIsTrustedByItsOwnFile() async throws {
    let nginx = try nginx()
    let proxy = ["--proxy", "https://localhost:\(nginx.port(.tls))", "http://files.test/file"]
    let untrusted = try await run(["--cacert", nginx.authorityPath] + proxy)
    #expect(untrusted.exit == .exited(3))
    #expect(untrusted.error.contains("failed [proxy]"), "\(untrusted.error)")
    #expect(untrusted.error.contains("--proxy-cacert FILE"))
    try expectRight(try await run(["--proxy-cacert", nginx.authorityPath] + proxy))
  }
}
