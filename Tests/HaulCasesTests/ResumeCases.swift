import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES R3 to R5, R14, R15: a resume when versions, validators or totals are in doubt.
@Suite struct ResumeCases {
  let scene: Scene
  var content: OriginContent { scene.content }
  let cut: Int64 = 500_000

  init() throws {
    scene = try Scene()
  }

  func origin(
    _ first: OriginResource,
    then answer: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws -> HostileOrigin {
    let cut = cut
    let script = Script(.next { first.respond(to: $0).resetting(after: cut) }, finally: answer)
    return try HostileOrigin { script.respond(to: $0) }
  }

  // MARK: R3

  @Test func withoutValidatorsItStartsAgain() async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try origin(resource) { resource.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [.noValidator])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, nil])
    }
  }

  @Test(arguments: [false, true])
  func aDigestLetsAnswersWithoutValidatorsBeJoined(isStrict: Bool) async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try origin(resource) { resource.respond(to: $0) }
    let digest = content.digest()
    let change: (inout TransferRequest) -> Void = {
      $0.digest = digest
      $0.isStrict = isStrict
    }
    try await scene.leavePart(origin, change)
    let (result, ear) = try await scene.fetch(origin, change)
    scene.expectRight(result, verified: .digest)
    #expect(result.finished?.digest == digest)
    #expect(ear.restarts == (isStrict ? [.noValidator] : []))
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, isStrict ? nil : "bytes=\(cut)-"])
    }
  }

  @Test func aMixtureFoundByItsDigestIsFetchedOnceMoreInOneAnswer() async throws {
    let old = OriginResource(content).withoutValidators()
    let new = OriginResource(content.changed).withoutValidators()
    let origin = try origin(old) { new.respond(to: $0) }
    let digest = content.changed.digest()
    let change: (inout TransferRequest) -> Void = { $0.digest = digest }
    try await scene.leavePart(origin, change)
    let (result, ear) = try await scene.fetch(origin, change)
    scene.expectRight(result, content.changed, verified: .digest)
    #expect(ear.restarts == [.digestMismatch])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-", nil])
    }
  }

  @Test func anEqualOverlapJoinsAndSaysSo() async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try origin(resource) { resource.respond(to: $0) }
    try await scene.leavePart(origin) { $0.trustsOverlap = true }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result, verified: .overlap)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut - 65536)-"])
    }
  }

  /// The bytes before the seam may still be on their way to the disk when they are wanted back.
  @Test(arguments: [1, 65_536, 262_144, 500_000] as [Int64])
  func anEqualOverlapJoinsTriesOfOneRun(cut: Int64) async throws {
    let resource = OriginResource(content).withoutValidators()
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: cut) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result, verified: .overlap)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(max(0, cut - 65536))-"])
    }
  }

  @Test func anOverlapThatDiffersInOneByteStartsAgain() async throws {
    let resource = OriginResource(content).withoutValidators()
    // The first byte that is compared, and nothing else, is another one.
    let seam = cut - 65536
    let bytes =
      content.bytes(in: 0..<seam) + [~content.bytes(in: seam..<seam + 1)[0]]
      + content.bytes(in: seam + 1..<content.size)
    let other = OriginContent(bytes)
    let new = OriginResource(other).withoutValidators()
    let origin = try origin(resource) { new.respond(to: $0) }
    try await scene.leavePart(origin) { $0.trustsOverlap = true }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result, other)
    #expect(ear.restarts == [.changed])
  }

  @Test func anEqualOverlapOfAnotherDateIsAnotherFile() async throws {
    // Log files and disk images change far from the seam: an equal overlap says little when the
    // server itself says that the file was changed.
    var old = OriginResource(content, etag: nil)
    old.date = .absent
    var new = OriginResource(content, etag: nil, lastModified: 1_700_000_900)
    new.date = .absent
    let (first, second) = (old, new)
    let origin = try origin(first) { second.respond(to: $0) }
    try await scene.leavePart(origin) { $0.trustsOverlap = true }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result)
    #expect(ear.restarts == [.changed])
  }

  /// A part without a validator whose total was never said has nothing for an overlap to agree
  /// with but the overlap.
  /// The bytes before the seam were equal, and earlier ones were not; only the weak tag told that.
  @Test func anEqualOverlapOfAnotherWeakTagIsAnotherFile() async throws {
    let old = OriginResource(content, etag: "W/\"1\"", lastModified: nil)
    let new = OriginResource(content, etag: "W/\"2\"", lastModified: nil)
    let origin = try origin(old) { new.respond(to: $0) }
    try await scene.leavePart(origin) { $0.trustsOverlap = true }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result)
    #expect(ear.restarts == [.changed])
  }

  /// A server that first told the length answered the next try without one, and closed too early:
  /// the cut passed for the end of a file of unknown length.
  @Test func aLengthThatWasKnownOnceIsNotForgotten() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 700_000) },
      .next { resource.ignoringRanges().respond(to: $0).closeDelimited().cutting(after: 500_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
  }

  @Test func anOverlapIsNotTrustedWithoutATotal() async throws {
    let resource = OriginResource(content).withoutValidators()
    let cut = cut
    let script = Script(
      .next { resource.respond(to: $0).chunked().resetting(after: cut) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin) { $0.trustsOverlap = true }
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = true }
    scene.expectRight(result)
    #expect(ear.restarts.count == 1)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, nil])
    }
  }

  // MARK: R4, R5

  /// It changes under the transfer again and again: each number says how many of the tries see
  /// another version before it is at rest.
  @Test(arguments: [1, 2, 3])
  func aFileThatChangesWhileItRunsIsNeverMixed(changes: Int) async throws {
    let resource = VersionedResource(OriginResource(content))
    let script = Script(finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { request in
      guard request.index < changes else { return script.respond(to: request) }
      let answer = resource.respond(to: request).resetting(after: 300_000)
      resource.replace(with: resource.current.changed)
      return answer
    }
    let (result, ear) = try await scene.fetch(origin) { $0.retries.tries = 8 }
    scene.expectRight(result, resource.current.content)
    #expect(ear.restarts.allSatisfy { $0 == .changed })
    #expect(ear.restarts.count == changes)
  }

  @Test func aFileThatNeverRestsIsANamedFailure() async throws {
    let resource = VersionedResource(OriginResource(content))
    let origin = try HostileOrigin { request in
      let answer = resource.respond(to: request).resetting(after: 300_000 + Int64(request.index))
      resource.replace(with: resource.current.changed)
      return answer
    }
    let (result, ear) = try await scene.fetch(origin) { $0.retries.tries = 100 }
    scene.expectFailure(result, .changing, keepsPart: true)
    #expect(ear.restarts.count >= 3)
    if Connections.count == 1 {
      #expect(origin.requests.count <= 6)
    }
  }

  /// Nodes of one service that disagree on the tag of equal bytes.
  @Test(arguments: [false, true])
  func nodesThatDisagreeOnTheTagEndInOneAnswer(hasDigest: Bool) async throws {
    let one = OriginResource(content, etag: "\"one\"", lastModified: nil)
    let two = OriginResource(content, etag: "\"two\"", lastModified: nil)
    let origin = try HostileOrigin { request in
      var free = request
      // Nodes that do not know `If-Range`, so that every range is answered by a 206.
      free.fields = HeaderFields(request.fields.fields.filter { $0.name != "If-Range" })
      let answer = (request.index % 2 == 0 ? one : two).respond(to: free)
      return request.index < 4 ? answer.resetting(after: 200_000) : answer
    }
    let digest = content.digest()
    let (result, ear) = try await scene.fetch(origin) {
      $0.retries.tries = 10
      if hasDigest { $0.digest = digest }
    }
    scene.expectRight(result, verified: hasDigest ? .digest : .length)
    #expect(ear.restarts.count <= (hasDigest ? 0 : 4))
    if !hasDigest { #expect(origin.ranges.last == .some(nil)) }
  }

  // MARK: R14, R15

  /// The length is not known, every byte is there, and the connection breaks before the end says
  /// so.
  @Test(arguments: [true, false])
  func everythingIsThereAndTheServerSaysSo(hasValidator: Bool) async throws {
    let plain = OriginResource(content)
    let resource = hasValidator ? plain : plain.withoutValidators()
    let size = content.size
    let script = Script(
      .next { resource.respond(to: $0).chunked().resetting(after: size) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let digest = content.digest()
    let change: (inout TransferRequest) -> Void = { if !hasValidator { $0.digest = digest } }
    try await scene.leavePart(origin, change)
    let (result, ear) = try await scene.fetch(origin, change)
    scene.expectRight(result, verified: hasValidator ? .length : .digest)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent <= size + 1)
    }
  }

  /// The file shrank to just the length that lies on disk, and the server knows nothing of
  /// `If-Range`: its 416 says that there is no more, and not that what is there is right.
  @Test func aFileThatShrankToWhatIsStoredIsAnotherFile() async throws {
    let resource = OriginResource(content)
    let small = OriginResource(content.changed.resized(to: 500_000), etag: "\"2\"")
    let script = Script(
      .next { resource.respond(to: $0).chunked().resetting(after: 500_000) },
      finally: { request in
        var free = request
        free.fields = HeaderFields(request.fields.fields.filter { $0.name != "If-Range" })
        return small.respond(to: free)
      })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result, small.content)
    #expect(ear.restarts.count == 1)
  }

  enum Refusal: CaseIterable, Sendable { case bare, shrunk, page, equal }

  @Test(arguments: Refusal.allCases)
  func aRefusedRangeIsAskedForWithoutRange(refusal: Refusal) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { request in
      guard let range = request.range else { return resource.respond(to: request) }
      switch refusal {
      case .bare: return OriginResponse(status: 416)
      case .shrunk:
        return OriginResponse(status: 416, fields: [OriginField("Content-Range", "bytes */9")])
      case .page: return OriginResponse(status: 416, text: "<html>", contentType: "text/html")
      case .equal:
        return OriginResponse(
          status: 416, fields: [OriginField("Content-Range", "bytes */\(range.first)")])
      }
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [.badRange])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-", nil])
    }
  }
}
