import Foundation
import HaulTestKit
import HaulTransfer
import Testing

/// CASES U5: servers that want to know who asks.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ClientCertificateCases {
  let bench: Bench
  let nginx: NginxServer
  let mine: TestAuthority.Certificate

  init() throws {
    bench = try Bench()
    nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
    mine = try nginx.authority.issue("client", hosts: ["DNS:client.test"])
  }

  func fetch(_ certificate: ClientCertificate?, named name: String = "file") throws -> Fetch {
    try bench.fetch(nginx.url("/file", on: .clientCertificate), named: name) {
      $0.connection.certificateAuthorities = nginx.authorityPath
      $0.connection.clientCertificate = certificate
    }
  }

  @Test func whoeverShowsOneIsLetIn() async throws {
    let certificate = ClientCertificate(path: mine.certificatePath, keyPath: mine.keyPath)
    bench.expectRight(try await fetch(certificate).run())
    // A connection that was let in must not serve one who shows nothing.
    let other = try await fetch(nil, named: "other").run()
    #expect(other.failure?.status == 400)
    #expect(bench.folder.names == ["file"])
  }

  @Test func certificateAndKeyMayShareAFile() async throws {
    let folder = try TemporaryFolder()
    let both = [mine.certificatePath, mine.keyPath].compactMap {
      FileManager.default.contents(atPath: $0)
    }
    try folder.write(Array(both.joined()), to: "both.pem")
    bench.expectRight(
      try await fetch(ClientCertificate(path: folder.path("both.pem"))).run())
  }

  @Test func aLockedKeyIsOpenedByItsPassword() async throws {
    let locked = try nginx.authority.lock(mine, "locked", password: "hunter2")
    let certificate = ClientCertificate(
      path: locked.certificatePath, keyPath: locked.keyPath, password: "hunter2")
    bench.expectRight(try await fetch(certificate).run())
  }

  /// OpenSSL asks for a missing password at the terminal, and the whole program would wait.
  @Test(arguments: [nil, "", "wrong"])
  func aLockedKeyIsAFailureAtOnceAndNoQuestion(_ password: String?) async throws {
    let locked = try nginx.authority.lock(mine, "locked", password: "hunter2")
    let fetch = try fetch(
      ClientCertificate(path: locked.certificatePath, keyPath: locked.keyPath, password: password))
    let result = await fetch.run()
    bench.expectNothing(result, .certificate)
    #expect(result.failure?.message.contains("--cert FILE:PASSWORD") == true)
    #expect(fetch.ear.retries == [])
  }

  @Test func filesThatCannotBeUsedAreAFailureAtOnce() async throws {
    let elsewhere = try TestAuthority()
    let stranger = try elsewhere.issue("stranger", hosts: ["DNS:x.test"])
    defer { withExtendedLifetime(elsewhere) {} }
    for certificate in [
      ClientCertificate(path: "/nonexistent/cert.pem"),
      ClientCertificate(path: mine.certificatePath),
      ClientCertificate(path: mine.certificatePath, keyPath: "/nonexistent/key.pem"),
      ClientCertificate(path: mine.certificatePath, keyPath: stranger.keyPath),
      ClientCertificate(path: nginx.path("file"), keyPath: mine.keyPath),
    ] {
      let fetch = try fetch(certificate)
      let result = await fetch.run()
      bench.expectNothing(result, .certificate)
      #expect(result.failure?.message.contains("the client certificate cannot be used") == true)
      #expect(fetch.ear.retries == [])
    }
  }

  /// nginx answers with a page; others break the handshake off, by an alert that came out as a lost
  /// connection, and was tried again for a minute.
  @Test(arguments: [["-tls1_2"], ["-tls1_3"]])
  func aHandshakeThatIsBrokenOffForItIsAFailureAtOnce(_ version: [String]) async throws {
    let authority = nginx.authority
    let server = try authority.issue("server", hosts: ["DNS:localhost"])
    let folder = try TemporaryFolder()
    let child = try ChildProcess(
      "openssl",
      [
        "s_server", "-accept", "localhost:0", "-4", "-cert", server.certificatePath, "-key",
        server.keyPath, "-CAfile", authority.certificatePath, "-Verify", "1",
        "-verify_return_error", "-WWW",
      ] + version, folder: folder.path)
    #expect(await child.waitForText("ACCEPT ", in: .output))
    let line = child.outputText.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
    let port = try #require(line?.split(separator: ":").last)
    try bench.content.write(to: folder.path("file"))
    func run(_ certificate: ClientCertificate?) async throws -> (TransferResult, Ear) {
      let fetch = try bench.fetch("https://localhost:\(port)/file") {
        $0.connection.certificateAuthorities = authority.certificatePath
        $0.connection.clientCertificate = certificate
      }
      return (await fetch.run(), fetch.ear)
    }
    let (without, ear) = try await run(nil)
    #expect([.certificate, .tls].contains(without.failure?.code))
    #expect(without.failure?.message.contains("client certificate") == true)
    #expect(without.failure?.message.contains("--cert FILE") == true)
    #expect(ear.retries == [])
    let elsewhere = try TestAuthority()
    let stranger = try elsewhere.issue("stranger", hosts: ["DNS:x.test"])
    defer { withExtendedLifetime(elsewhere) {} }
    let (refused, otherEar) = try await run(
      ClientCertificate(path: stranger.certificatePath, keyPath: stranger.keyPath))
    #expect(refused.failure?.code == .certificate)
    #expect(
      refused.failure?.message.contains("refuses the client certificate") == true, "\(refused)")
    #expect(otherEar.retries == [])
    let (right, _) = try await run(
      ClientCertificate(path: mine.certificatePath, keyPath: mine.keyPath))
    #expect(right.finished != nil)
  }
}
