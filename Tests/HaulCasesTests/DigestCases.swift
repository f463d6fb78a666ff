import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES L9: digests that the owner gives or the server sends.
@Suite struct DigestCases {
  let scene: Scene
  var content: OriginContent { scene.content }
  let cut: Int64 = 500_000

  init() throws {
    scene = try Scene()
  }

  /// The fields that carry a digest of a whole answer.
  enum Field: CaseIterable, Sendable {
    case reprSHA256, reprSHA512, contentSHA256, digestSHA256, digestSHA, digestMD5, contentMD5

    func field(_ bytes: OriginContent) -> OriginField {
      switch self {
      case .reprSHA256: OriginField("Repr-Digest", bytes.digest().structured)
      case .reprSHA512: OriginField("Repr-Digest", bytes.digest(.sha512).structured)
      case .contentSHA256: OriginField("Content-Digest", bytes.digest().structured)
      case .digestSHA256: OriginField("Digest", "SHA-256=" + bytes.digest().base64)
      case .digestSHA: OriginField("Digest", "SHA=" + bytes.digest(.sha1).base64)
      case .digestMD5: OriginField("Digest", "md5=" + bytes.digest(.md5).base64)
      case .contentMD5: OriginField("Content-MD5", bytes.digest(.md5).base64)
      }
    }
  }

  @Test(arguments: Field.allCases)
  func aRightDigestOfTheServerIsChecked(field: Field) async throws {
    var resource = OriginResource(content)
    resource.fields = [field.field(content)]
    let file = resource
    let origin = try HostileOrigin { file.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, verified: .digest)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: Field.allCases)
  func aWrongDigestOfTheServerIsANamedFailure(field: Field) async throws {
    var resource = OriginResource(content)
    resource.fields = [field.field(content.changed)]
    let file = resource
    let origin = try HostileOrigin { file.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: Field.allCases)
  func aDigestOfTheServerOutlivesAPause(field: Field) async throws {
    var resource = OriginResource(content)
    resource.fields = [field.field(content.changed)]
    let (wrong, plain) = (resource, OriginResource(content))
    let cut = cut
    let script = Script(
      .next { wrong.respond(to: $0).resetting(after: cut) }, finally: { plain.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    // The joined file is not what the first answer promised; the one of a single answer, which
    // promises nothing, is right by its length.
    scene.expectRight(result)
    #expect(ear.restarts == [.digestMismatch])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-", nil])
    }
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func theOwnersDigestIsChecked(algorithm: DigestAlgorithm) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let digest = content.digest(algorithm)
    let (result, _) = try await scene.fetch(origin) { $0.digest = digest }
    scene.expectRight(result, verified: .digest)
    #expect(result.finished?.digest == digest)
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func aWrongDigestOfTheOwnerIsANamedFailure(algorithm: DigestAlgorithm) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let digest = content.changed.digest(algorithm)
    let (result, _) = try await scene.fetch(origin) { $0.digest = digest }
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test func aBadFileIsKeptUnderAnotherNameWhenAsked() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let digest = content.changed.digest()
    let (result, _) = try await scene.fetch(origin) {
      $0.digest = digest
      $0.destination.keepsBadFile = true
    }
    #expect(result.failure?.code == .digestMismatch)
    #expect(scene.folder.names == ["file.haul-bad"])
  }

  @Test func contradictingDigestsSatisfyNothing() async throws {
    var resource = OriginResource(content)
    resource.fields = [
      OriginField("Repr-Digest", content.digest().structured),
      OriginField("Repr-Digest", content.changed.digest().structured),
    ]
    let file = resource
    let origin = try HostileOrigin { file.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
  }

  @Test(arguments: [
    "sha-256=:AAAA:", "sha-256=AAAA", "crc32c=:4waSgw==:", "nonsense", "sha-256=::", ",,=,",
  ])
  func aDigestThatCannotBeReadIsNone(value: String) async throws {
    var resource = OriginResource(content)
    resource.fields = [OriginField("Repr-Digest", value), OriginField("Content-MD5", value)]
    let file = resource
    let origin = try HostileOrigin { file.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
  }

  @Test func anotherDigestOfTheWholeOnAPartIsAnotherFile() async throws {
    var first = OriginResource(content)
    first.fields = [OriginField("Repr-Digest", content.digest().structured)]
    var second = OriginResource(content.changed)
    second.fields = [OriginField("Repr-Digest", content.changed.digest().structured)]
    let (old, new, cut) = (first, second, cut)
    let script = Script(
      .next { old.respond(to: $0).resetting(after: cut) }, finally: { new.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result, content.changed, verified: .digest)
    #expect(ear.restarts == [.changed])
  }

  // MARK: Digests of the body of a part

  enum PartField: CaseIterable, Sendable {
    case contentDigest, contentMD5

    func field(_ content: OriginContent, _ range: Range<Int64>) -> OriginField {
      switch self {
      case .contentDigest:
        OriginField("Content-Digest", content.digest(in: range).structured)
      case .contentMD5: OriginField("Content-MD5", content.digest(.md5, in: range).base64)
      }
    }
  }

  /// Answers the first request up to the cut, and each range with a digest of its body; the
  /// bodies of so many of the first ranges are damaged on the way.
  func origin(damaged: Int, _ field: PartField) throws -> HostileOrigin {
    let resource = OriginResource(content)
    let damage = OriginResource(content.changed)
    let (cut, content) = (cut, content)
    return try HostileOrigin { request in
      guard request.index > 0 else { return resource.respond(to: request).resetting(after: cut) }
      guard let range = request.range else { return resource.respond(to: request) }
      let isDamaged = request.index <= damaged
      let positions = range.first..<(range.last.map { $0 + 1 } ?? content.size)
      let claim = field.field(content, positions)
      var answer = resource.respond(to: request)
      if isDamaged { answer.body = [.content(damage.content, positions)] }
      answer.fields.append(claim)
      return answer
    }
  }

  @Test(arguments: PartField.allCases)
  func aRightDigestOfAPartCostsNothing(field: PartField) async throws {
    let origin = try origin(damaged: 0, field)
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
    #expect(ear.restarts == [])
  }

  @Test(arguments: PartField.allCases)
  func aPartDamagedOnTheWayIsFetchedOnceMore(field: PartField) async throws {
    let origin = try origin(damaged: 1, field)
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    #expect(ear.events.contains(.damaged(byteCount: content.size - cut, .digest)))
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-", "bytes=\(cut)-"])
    }
  }

  @Test(arguments: PartField.allCases)
  func aPartThatIsAlwaysDamagedIsANamedFailure(field: PartField) async throws {
    let origin = try origin(damaged: 100, field)
    try await scene.leavePart(origin)
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .digestMismatch, keepsPart: false)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-", "bytes=\(cut)-"])
    }
  }

  /// The owner's digest is of the whole file, and proves more than any claim about a part.
  @Test func theOwnersDigestRulesOverThatOfAPart() async throws {
    let resource = OriginResource(content)
    let cut = cut
    let wrong = content.changed.digest().structured
    let origin = try HostileOrigin { request in
      request.index == 0
        ? resource.respond(to: request).resetting(after: cut)
        : resource.respond(to: request).with("Content-Digest", wrong)
    }
    let digest = content.digest()
    try await scene.leavePart(origin) { $0.digest = digest }
    let (result, _) = try await scene.fetch(origin) { $0.digest = digest }
    scene.expectRight(result, verified: .digest)
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  // MARK: Digests and later runs

  /// Nodes disagreed on the tag, and bytes of both were joined because a digest was to be
  /// checked. A run without the digest then took the tag of the first for the tag of all of them,
  /// and published a mixture that nothing had checked.
  @Test(
    .enabled(if: Connections.count == 1, "others would finish what is left behind"),
    arguments: [false, true], [false, true])
  func whatADigestJoinedIsNotPublishedWithoutIt(isComplete: Bool, trustsOverlap: Bool) async throws
  {
    let one = OriginResource(content, etag: "\"one\"", lastModified: nil)
    let two = OriginResource(content.changed, etag: "\"two\"", lastModified: nil)
    let size = content.size
    let gate = Gate()
    let origin = try HostileOrigin { request in
      var free = request
      free.fields = HeaderFields(request.fields.fields.filter { $0.name != "If-Range" })
      switch request.index {
      case 0: return one.respond(to: free).resetting(after: 400_000)
      case 1:
        let rest = size - 400_000
        // Complete, or short of it; in both cases the run is stopped before its end is seen.
        let answer = two.respond(to: free).chunked()
        return answer.stalling(after: isComplete ? rest : 200_000, at: gate)
      default: return one.respond(to: free)
      }
    }
    let digest = content.digest()
    try await scene.leavePart(origin) { $0.digest = digest }
    let second = try Fetch(origin.url("/file"), into: scene.folder.path) {
      $0.digest = digest
      $0.mayStall()
    }
    second.transfer.start()
    await gate.waitUntilReached()
    // The answer that waits at the gate was received up to it.
    let sent = 400_000 + (isComplete ? size - 400_000 : 200_000)
    while second.transfer.progress.received < sent, second.ear.endCount == 0 { await Task.yield() }
    second.transfer.stop()
    _ = await second.transfer.result()
    gate.open()
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = trustsOverlap }
    scene.expectRight(result, one.content)
    #expect(ear.restarts.count == 1)
    if Connections.count == 1 {
      #expect(origin.ranges.last == .some(nil))
    }
  }
}
