import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// One file from several sources: at once where a digest will tell, one version at a time otherwise.
@Suite(.timeLimit(.minutes(1))) struct MirrorCases {
  let scene: Scene
  let resource: OriginResource
  /// Other bytes of the same length, under the same tag.
  let forged: OriginResource

  init() throws {
    scene = try Scene(OriginContent(size: 4 << 20, seed: 51))
    resource = OriginResource(scene.content)
    var forged = OriginResource(scene.content.changed)
    (forged.etag, forged.lastModified) = (resource.etag, resource.lastModified)
    self.forged = forged
  }

  private func fetch(
    _ first: String, _ mirrors: [String], connections: Int = 4, digest: Bool = true,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> (TransferResult, Ear) {
    let fetch = try Fetch(first, into: scene.folder.path) {
      $0.mirrors = mirrors.compactMap { try? HTTPURL(parsing: $0) }
      $0.segments = SegmentPolicy(maximumConnections: connections, isAdaptive: false)
      $0.segments.minimumByteCount = 64 << 10
      if digest { $0.digest = scene.content.digest() }
      change(&$0)
    }
    return (await fetch.run(), fetch.ear)
  }

  private func origin(
    _ resource: OriginResource? = nil,
    _ change: @escaping @Sendable (OriginResponse) -> OriginResponse = { $0 }
  ) throws -> HostileOrigin {
    let served = resource ?? self.resource
    return try HostileOrigin {
      change(served.respond(to: $0)).throttled(bytesPerSecond: 4 << 20)
    }
  }

  /// Tags and times of two servers say nothing of each other.
  @Test func severalBringItTogether() async throws {
    var other = resource
    (other.etag, other.lastModified) = ("\"another\"", nil)
    let (one, two) = (try origin(), try origin(other))
    let (result, ear) = try await fetch(one.url("/file"), [two.url("/copy")])
    scene.expectRight(result, verified: .digest)
    #expect(one.bodyBytesSent > 250_000)
    #expect(two.bodyBytesSent > 250_000)
    #expect(ear.restarts == [])
    #expect(!ear.text.contains("sourceDropped"), "\(ear.text)")
  }

  /// Whatever is wrong with one of two, in whichever place it stands, the file is right.
  @Test(
    arguments: ["dead", "404", "503", "forbidden-ranges", "other-length", "page", "closes"],
    [true, false])
  func oneBadSourceNeverFailsTheFile(_ fault: String, _ isFirst: Bool) async throws {
    let good = try origin()
    let content = scene.content
    let bad = try HostileOrigin { [resource] request in
      switch fault {
      case "404": return OriginResponse(status: 404, text: "gone")
      case "503": return OriginResponse(status: 503, text: "busy")
      case "forbidden-ranges":
        return request.range == nil
          ? resource.respond(to: request).throttled(bytesPerSecond: 1 << 20)
          : OriginResponse(status: 403, text: "no ranges here")
      case "other-length":
        return OriginResource(content.resized(to: 4_000_000)).respond(to: request)
      case "page":
        return OriginResponse(status: 200, text: "<html>Sign in</html>", contentType: "text/html")
      default: return .hangUp()
      }
    }
    let badURL = fault == "dead" ? "http://127.0.0.1:1/file" : bad.url("/file")
    let urls = isFirst ? [badURL, good.url("/file")] : [good.url("/file"), badURL]
    let (result, _) = try await fetch(urls[0], [urls[1]])
    scene.expectRight(result, verified: .digest)
    #expect(bad.requests.count <= 16, "\(bad.requests.count)")
  }

  /// One source has other bytes under the same tag: the digest finds it out, and the other one, whichever
  /// it is, brings the file.
  @Test(arguments: [true, false])
  func aSourceThatLies(_ isFirst: Bool) async throws {
    let (good, bad) = (try origin(), try origin(forged))
    let urls = isFirst ? [bad, good] : [good, bad]
    let (result, ear) = try await fetch(urls[0].url("/file"), [urls[1].url("/file")])
    scene.expectRight(result, verified: .digest)
    #expect(ear.restarts.contains(.digestMismatch))
  }

  /// With digests of the pieces only the bad ones are fetched again.
  @Test(arguments: [true, false])
  func badPiecesAreFetchedAgain(_ hasWhole: Bool) async throws {
    let bad = try origin { answer in
      // One byte is wrong where the last quarter is served.
      var answer = answer
      answer.body = answer.body.map { step in
        guard case .content(let content, let range) = step, range.contains(3_500_000) else {
          return step
        }
        var bytes = content.bytes(in: range)
        bytes[Int(3_500_000 - range.lowerBound)] ^= 1
        return .bytes(bytes)
      }
      return answer
    }
    let good = try origin()
    let (result, ear) = try await fetch(bad.url("/file"), [good.url("/file")], digest: hasWhole) {
      $0.pieces = scene.content.pieces(512 << 10)
    }
    scene.expectRight(result, verified: .digest)
    #expect(ear.restarts == [])
    let damaged = ear.events.compactMap {
      if case .damaged(let count, _) = $0 { count } else { nil }
    }
    #expect(damaged.allSatisfy { $0 <= 512 << 10 })
    #expect(good.bodyBytesSent + bad.bodyBytesSent < scene.content.size * 2)
  }

  @Test func piecesThatAreAlwaysWrongAreANamedFailure() async throws {
    let bad = try origin(forged)
    let (result, _) = try await fetch(bad.url("/file"), [], digest: false) {
      $0.pieces = scene.content.pieces(1 << 20)
    }
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
    #expect(bad.requests.count <= 24)
  }

  /// Without a digest the second source is asked when the first one fails, and the file is of one of
  /// them, never a mixture, however alike their tags are.
  @Test(arguments: [0, 1_000_000] as [Int64])
  func withoutADigestSourcesAreFallBacks(_ cut: Int64) async throws {
    let script = Script(
      .next { [resource] in resource.respond(to: $0).resetting(after: cut) },
      finally: { _ in OriginResponse(status: 404, text: "gone") })
    let first = try HostileOrigin { script.respond(to: $0) }
    let second = try origin(forged)
    let (result, ear) = try await fetch(first.url("/file"), [second.url("/file")], digest: false)
    scene.expectRight(result, forged.content)
    #expect(ear.restarts == (cut > 0 ? [.otherSource] : []))
  }

  @Test func withoutADigestOnlyOneIsAsked() async throws {
    let (first, second) = (try origin(), try origin())
    let (result, _) = try await fetch(first.url("/file"), [second.url("/file")], digest: false)
    scene.expectRight(result)
    #expect(second.requests.isEmpty)
  }

  /// A run that had gone on with the second source was stopped; the next one begins with the first, whose
  /// tag is the same and whose bytes are others.
  @Test func aLaterRunMixesNothing() async throws {
    let gate = Gate()
    let script = Script(
      .next { _ in OriginResponse(status: 404, text: "gone") },
      finally: { [resource] in resource.respond(to: $0) })
    let first = try HostileOrigin { script.respond(to: $0) }
    let second = try HostileOrigin { [forged] in
      forged.respond(to: $0).stalling(after: 1_500_000, at: gate)
    }
    let fetch = try Fetch(first.url("/file"), into: scene.folder.path) {
      $0.mirrors = [try? HTTPURL(parsing: second.url("/file"))].compactMap(\.self)
      $0.segments.minimumByteCount = .max
      $0.mayStall()
    }
    fetch.transfer.start()
    _ = await second.waitForRequests(1)
    while fetch.transfer.progress.received < 1_000_000 { await Task.yield() }
    fetch.transfer.stop()
    #expect(await fetch.transfer.result().stoppedAt != nil)
    gate.open()
    let (result, _) = try await self.fetch(first.url("/file"), [], digest: false)
    scene.expectRight(result)
  }

  @Test func whenAllFailTheLastFailureIsTold() async throws {
    let gone = try HostileOrigin { _ in OriginResponse(status: 404, text: "gone") }
    let (result, ear) = try await fetch(gone.url("/a"), [gone.url("/b"), gone.url("/c")])
    scene.expectFailure(result, .httpStatus, keepsPart: false)
    #expect(gone.requests.count == 3)
    #expect(ear.endCount == 1)
  }

  @Test(arguments: [true, false])
  func anotherLengthThanExpectedIsNotTheFile(_ hasMirror: Bool) async throws {
    let short = try origin(OriginResource(scene.content.resized(to: 3_000_000)))
    let good = try origin()
    let mirrors = hasMirror ? [good.url("/file")] : []
    let (result, _) = try await fetch(short.url("/file"), mirrors, digest: false) {
      $0.expectedByteCount = scene.content.size
    }
    if hasMirror {
      scene.expectRight(result)
    } else {
      scene.expectFailure(result, .lengthMismatch, keepsPart: false)
    }
  }

  /// Each answer named eight more addresses, and each of those was asked, without end.
  @Test func whoIsNamedByServersIsBounded() async throws {
    let origin = try HostileOrigin { [forged] request in
      var answer = forged.respond(to: request)
      for number in 0..<8 {
        let next = "\(request.path)\(number)"
        answer = answer.adding("Link", "<\(next)>; rel=duplicate")
      }
      return answer
    }
    let (result, _) = try await fetch(origin.url("/file"), [], connections: 2)
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
    #expect(Set(origin.requests.map(\.path)).count == 9)
    #expect(origin.requests.count < 80, "\(origin.requests.count)")
  }

  /// The first source broke off, the second had nothing: what the first one sent was kept without a word.
  @Test func whatTheFirstSourceSentIsKeptAndTold() async throws {
    let script = Script(
      .next { [resource] in resource.respond(to: $0).resetting(after: 2_000_000) },
      finally: { _ in .hangUp() })
    let first = try HostileOrigin { script.respond(to: $0) }
    let second = try HostileOrigin { _ in OriginResponse(status: 404, text: "gone") }
    let (result, _) = try await fetch(
      first.url("/file"), [second.url("/file")], connections: 1, digest: false
    ) { $0.retries.tries = 2 }
    #expect(result.failure?.status == 404)
    #expect(result.failure?.isResumable == true)
    #expect(scene.folder.names == ["file.haul-journal", "file.haul-part"])
  }

  /// The last failure named the last source only, and the others seemed never to have been asked.
  @Test(arguments: [1, 3, 5], [true, false])
  func allSourcesThatFailedAreNamed(_ mirrors: Int, _ hasDigest: Bool) async throws {
    let gone = try HostileOrigin { _ in OriginResponse(status: 404, text: "gone") }
    let urls = (0...mirrors).map { gone.url("/file\($0)?token=hunter2") }
    let (result, ear) = try await fetch(urls[0], Array(urls[1...]), digest: hasDigest)
    let message = try #require(result.failure?.message)
    let named = urls.indices.filter { message.contains("/file\($0)") }
    #expect(named.count == min(mirrors, 3) + 1, "\(message)")
    let briefs = message.split(separator: "(http-status 404)", omittingEmptySubsequences: false)
    #expect(briefs.count - 1 == min(mirrors, 3), "\(message)")
    #expect(message.hasSuffix(" and 2 more") == (mirrors == 5), "\(message)")
    #expect(!message.contains("hunter2"))
    #expect(ear.endCount == 1)
  }
}
