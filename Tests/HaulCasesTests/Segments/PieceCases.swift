import HaulFiles
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// Files of which the owner knows the digests of the pieces, and nothing else.
@Suite(.timeLimit(.minutes(1))) struct PieceCases {
  /// Small files were given their name without a look at their pieces.
  @Test(arguments: [12_000, 262_144, 262_145, 900_000] as [Int64], [true, false])
  func everySizeIsChecked(_ size: Int64, _ isRight: Bool) async throws {
    let scene = try Scene(OriginContent(size: size, seed: 61))
    let resource = OriginResource(isRight ? scene.content : scene.content.changed)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin) { $0.pieces = scene.content.pieces(65_536) }
    if isRight {
      scene.expectRight(result, verified: .digest)
    } else {
      scene.expectFailure(result, .digestMismatch, keepsPart: false)
    }
  }

  /// The pieces were right, an answer had a wrong digest of its own, and what was fetched in its place was
  /// not looked at any more.
  @Test(arguments: ["Content-MD5", "Content-Digest", "Repr-Digest"])
  func theOwnersPiecesRuleOverTheServersDigests(_ field: String) async throws {
    let scene = try Scene(OriginContent(size: 3_000_000, seed: 62))
    let resource = OriginResource(scene.content)
    let forged = OriginResource(scene.content.changed)
    let wrong = scene.content.changed.digest()
    let value =
      field == "Content-MD5" ? scene.content.changed.digest(.md5).base64 : wrong.structured
    let good = try HostileOrigin {
      let answer = resource.respond(to: $0).throttled(bytesPerSecond: 4 << 20)
      return answer.status == 206 || field == "Repr-Digest" ? answer.with(field, value) : answer
    }
    let bad = try HostileOrigin {
      forged.respond(to: $0).without("ETag").without("Last-Modified")
    }
    let mirror = try HTTPURL(parsing: bad.url("/file"))
    let (result, _) = try await scene.fetch(good) {
      $0.pieces = scene.content.pieces(100_000)
      $0.mirrors = [mirror]
      $0.segments = SegmentPolicy(maximumConnections: 4, isAdaptive: false)
      $0.segments.minimumByteCount = 64 << 10
    }
    scene.expectRight(result, verified: .digest)
  }

  /// All of it went out before a piece was looked at, and then it was called a failure.
  @Test(arguments: [300_000, 2_000_000] as [Int64], [true, false])
  func nothingGoesOutBeforeEachPieceIsRight(_ size: Int64, _ isRight: Bool) async throws {
    let folder = try Folder()
    let sink = MemorySink()
    let content = OriginContent(size: size, seed: 63)
    let resource = OriginResource(isRight ? content : content.changed)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let store = StreamStore(to: sink, disk: PosixDisk(), crypto: SystemCrypto())
    let fetch = try Fetch(
      origin.url("/file"), into: folder.path, named: nil, in: world { $0.store = store }
    ) {
      $0.pieces = content.pieces(70_000, .sha1)
    }
    let result = await fetch.run()
    if isRight {
      #expect(result.finished?.verification == .digest, "\(result)")
      #expect(sink.bytes == content.bytes())
    } else {
      #expect(result.failure?.code == .digestMismatch, "\(result)")
      #expect(sink.bytes == [])
    }
    #expect(folder.names == [])
  }

  /// A source that alone sent a wrong piece is told, and not asked any more.
  @Test func whoSendsWrongPiecesIsDropped() async throws {
    let scene = try Scene(OriginContent(size: 3_000_000, seed: 64))
    let resource = OriginResource(scene.content)
    var forged = OriginResource(scene.content.changed)
    (forged.etag, forged.lastModified) = (resource.etag, resource.lastModified)
    let lie = forged
    let bad = try HostileOrigin { lie.respond(to: $0) }
    let good = try HostileOrigin { resource.respond(to: $0) }
    let mirror = try HTTPURL(parsing: good.url("/file"))
    let fetch = try Fetch(bad.url("/file"), into: scene.folder.path) {
      $0.pieces = scene.content.pieces(500_000)
      $0.mirrors = [mirror]
      $0.segments = SegmentPolicy(maximumConnections: 1, isAdaptive: false)
    }
    scene.expectRight(await fetch.run(), verified: .digest)
    #expect(fetch.ear.text.contains("damaged"))
    let dropped = fetch.ear.events.compactMap {
      if case .sourceDropped(let url, let reason) = $0 { (url, reason.code) } else { nil }
    }
    #expect(dropped.map(\.0) == [bad.url("/file")])
    #expect(dropped.map(\.1) == [.digestMismatch])
  }

  /// Each wrong piece had a request of its own, and looking at very many took for ever.
  @Test func veryManySmallPiecesCostFewRequests() async throws {
    let scene = try Scene(OriginContent(size: 60_000, seed: 65))
    let resource = OriginResource(scene.content)
    let content = scene.content
    let first = Script(
      .next { request in
        var bytes = content.bytes()
        for index in stride(from: 0, to: bytes.count, by: 4) { bytes[index] ^= 1 }
        var answer = resource.respond(to: request)
        answer.body = [.bytes(bytes)]
        return answer
      }, finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { first.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin) { $0.pieces = content.pieces(2) }
    scene.expectRight(result, verified: .digest)
    #expect(origin.requests.count <= 8, "\(origin.requests.count)")
  }
}
