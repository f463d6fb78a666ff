import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// RFC 9530: a server is asked for a digest of the file, and what it says is checked.
@Suite struct DigestWishCases {
  let scene: Scene
  var content: OriginContent { scene.content }
  let cut: Int64 = 500_000

  init() throws {
    scene = try Scene()
  }

  private static let wish = "Want-Repr-Digest"

  /// A server that sends digests to those who ask for them, and one of a damaged file if told so.
  private func origin(_ said: OriginContent, resettingFirst: Bool = false) throws -> HostileOrigin {
    let (resource, cut) = (OriginResource(content), cut)
    let field = said.digest().structured
    return try HostileOrigin { request in
      var answer = resource.respond(to: request)
      if request.header(Self.wish) != nil { answer = answer.with("Repr-Digest", field) }
      return resettingFirst && request.index == 0 ? answer.resetting(after: cut) : answer
    }
  }

  @Test func theFirstRequestAsks() async throws {
    let origin = try origin(content)
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, verified: .digest)
    #expect(result.finished?.digest == content.digest())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header(Self.wish) } == ["sha-256=10, sha-512=5"])
    }
  }

  @Test func resumedRequestsAskAsWell() async throws {
    let origin = try origin(content, resettingFirst: true)
    try await scene.leavePart(origin)
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, verified: .digest)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-"])
    }
    #expect(origin.requests.allSatisfy { $0.header(Self.wish) != nil })
  }

  @Test func damageThatOnlyTheDigestShowsIsAFailure() async throws {
    let origin = try origin(content.changed)
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
  }

  @Test func theOwnersWishReplacesOurs() async throws {
    let origin = try origin(content)
    let own = RequestField(HeaderField(name: "want-repr-digest", value: "md5=1"))
    let (result, _) = try await scene.fetch(origin) { $0.fields = [own] }
    #expect(result.finished != nil)
    let sent = try #require(origin.requests.first).fields.all(Self.wish)
    #expect(sent == ["md5=1"])
  }

  /// RFC 9530 appendix C.3: the server has no digest of the kind, and refuses.
  @Test func aServerThatRefusesTheWishIsAskedWithoutIt() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { request in
      request.header(Self.wish) == nil
        ? resource.respond(to: request)
        : OriginResponse(status: 400, text: "no such digest").with(Self.wish, "crc32c=1")
    }
    let (result, ear) = try await scene.fetch(origin) { $0.retries.tries = 1 }
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(ear.retries == [])
      #expect(origin.requests.count == 2)
    }
  }

  /// A first answer without a digest, and a rest with one: the joined file was not checked.
  @Test(arguments: [true, false])
  func aDigestOnTheRestIsChecked(isRight: Bool) async throws {
    let (resource, cut) = (OriginResource(content), cut)
    let field = (isRight ? content : content.changed).digest().structured
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: cut) },
      .next { resource.respond(to: $0).with("Repr-Digest", field) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    if isRight {
      scene.expectRight(result, verified: .digest)
      if Connections.count == 1 {
        #expect(origin.requests.count == 2)
      }
    } else {
      // Once more in one answer, which promises nothing.
      scene.expectRight(result)
      #expect(ear.restarts == [.digestMismatch])
    }
  }
}
