import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// A 401 says what a server accepts: a user and a password were asked for, and then called wrong,
/// where nothing but a token or another scheme would do.
@Suite(.timeLimit(.minutes(1))) struct ChallengeCases {
  let bench: Bench

  init() throws { bench = try Bench(size: 1_000) }

  static let digest = "accepts no passwords but by “digest”, which Haul does not speak"
  static let token = "wants a token: --secret-header 'Authorization: Bearer TOKEN'"

  @Test(arguments: [
    ("Digest realm=\"x\", nonce=\"y\"", false, digest), ("Digest realm=\"x\"", true, digest),
    ("Negotiate", true, "by “negotiate”"),
    ("Bearer realm=\"x\"", false, token), ("Bearer realm=\"x\"", true, token),
    ("Basic realm=\"x\"", false, "give a user and a password: --user"),
    ("Digest realm=\"x\", Basic realm=\"x\"", true, "the user or the password was refused"),
    ("", true, "the user or the password was refused"),
  ])
  func theRemedyIsWhatTheServerAccepts(
    _ challenge: String, _ hasCredentials: Bool, _ says: String
  ) async throws {
    let origin = try HostileOrigin { _ in
      let answer = OriginResponse(status: 401, text: "who?")
      return challenge.isEmpty ? answer : answer.with("WWW-Authenticate", challenge)
    }
    let fetch = try bench.fetch(origin.url("/file")) {
      if hasCredentials { $0.credentials = Credentials(user: "me", password: "hunter2") }
    }
    let result = await fetch.run()
    bench.expectNothing(result, .httpStatus, status: 401)
    #expect(result.failure?.message.contains(says) == true, "\(String(describing: result.failure))")
    #expect(!fetch.ear.text.contains("hunter2"))
  }

  @Test func aTokenThatIsRefusedIsTold() async throws {
    let origin = try HostileOrigin { _ in
      OriginResponse(status: 401, text: "who?").with("WWW-Authenticate", "Bearer")
    }
    let field = HeaderField(name: "authorization", value: "Bearer hunter2")
    let fetch = try bench.fetch(origin.url("/file")) {
      $0.fields.append(RequestField(field, isSecret: true))
    }
    let result = await fetch.run()
    #expect(result.failure?.message.contains("Authorization says was refused") == true)
    #expect(!fetch.ear.text.contains("hunter2"))
  }
}
