import HaulHTTP
import HaulTestKit
import Testing

/// A machine whose policy for libcrypto allows hardly anything.
@Suite(.timeLimit(.minutes(1))) struct CryptoPolicyTests {
  /// A server that sent `Content-MD5` ended the program where the policy refuses MD5.
  @Test func digestsAreCheckedUnderAnyPolicy() async throws {
    let folder = try TemporaryFolder()
    let policy = """
      openssl_conf = here
      [here]
      alg_section = algorithms
      [algorithms]
      default_properties = fips=yes
      """
    try folder.write(Array(policy.utf8), to: "policy")
    let content = OriginContent(size: 50_000, seed: 5)
    let wrong = "1B2M2Y8AsgTpgAmY7PhCfg=="
    let origin = try HostileOrigin { request in
      let right = OriginResource(content).respond(to: request)
      return request.path == "/wrong" ? right.with("Content-MD5", wrong) : right
    }
    var environment = Haul.environment
    environment["OPENSSL_CONF"] = folder.path("policy")
    let right = await Outcome(
      of: try ChildProcess(
        Haul.path, ["get", "--digest", content.digest().description, origin.url("/right")],
        environment: environment, folder: folder.path))
    #expect(right.exit == .exited(0), "\(right.error)")
    #expect(right.error.contains("sha-256 is right"), "\(right.error)")
    let refused = await Outcome(
      of: try ChildProcess(
        Haul.path, ["get", origin.url("/wrong")], environment: environment, folder: folder.path))
    #expect(refused.exit == .exited(5), "\(refused.error)")
    #expect(folder.names() == ["policy", "right"])
  }
}
