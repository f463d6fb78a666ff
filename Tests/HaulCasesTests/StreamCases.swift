import Glibc
import HaulFiles
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// A file that is passed on as it comes: how servers and networks break it, and what the reader has
/// then. It is always the beginning of one version, and all of it when the transfer finishes.
@Suite(.timeLimit(.minutes(1))) struct StreamCases {
  let content = OriginContent(size: 900_000, seed: 41)
  let sink = MemorySink()
  let folder: Folder
  static let cut: Int64 = 500_000

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    folder = try Folder()
  }

  func fetch(
    _ origin: HostileOrigin, to sink: MemorySink? = nil,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Fetch {
    let store = StreamStore(to: sink ?? self.sink, disk: PosixDisk(), crypto: SystemCrypto())
    return try Fetch(
      origin.url("/file"), into: folder.path, named: nil, in: world { $0.store = store }, change)
  }

  /// The reader has the whole file, once.
  func expectRight(
    _ result: TransferResult, _ expected: OriginContent? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let expected = expected ?? content
    #expect(result.finished?.byteCount == expected.size, "\(result)", sourceLocation: location)
    #expect(sink.bytes == expected.bytes(), sourceLocation: location)
    #expect(folder.names == [], sourceLocation: location)
  }

  /// It failed, and the message says how many bytes the reader has; they begin the file.
  func expectBroken(
    _ result: TransferResult, _ code: TransferFailure.Code, at count: Int64 = cut,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.failure?.code == code, "\(result)", sourceLocation: location)
    #expect(Int64(sink.bytes.count) == count, sourceLocation: location)
    #expect(sink.bytes == Array(content.bytes().prefix(Int(count))), sourceLocation: location)
    let isTold = result.failure?.message.contains("first \(count) bytes were passed on") ?? false
    #expect(isTold || count == 0, "\(result)", sourceLocation: location)
    #expect(folder.names == [], sourceLocation: location)
  }

  /// Serves the first request up to the cut, and each further one as the test says.
  func origin(
    _ resource: OriginResource,
    then answer: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws -> HostileOrigin {
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: Self.cut) }, finally: answer)
    return try HostileOrigin { script.respond(to: $0) }
  }

  // MARK: What goes on

  @Test(arguments: [0, 1, 262_144, 900_000] as [Int64])
  func aPlainFile(_ size: Int64) async throws {
    let content = content.resized(to: size)
    let resource = OriginResource(content)
    for isChunked in [false, true] {
      let sink = MemorySink()
      let origin = try HostileOrigin {
        isChunked ? resource.respond(to: $0).chunked() : resource.respond(to: $0)
      }
      let result = try await fetch(origin, to: sink).run()
      #expect(result.finished?.verification == .length)
      #expect(sink.bytes == content.bytes())
    }
  }

  @Test func aBrokenConnectionIsContinuedBehindTheSeam() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { resource.respond(to: $0) }
    let fetch = try fetch(origin)
    expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=500000-"])
    }
    #expect(origin.requests[1].header("If-Range") == resource.etag)
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost])
    }
  }

  /// Another source has other bytes under the same tag: they would have followed those that are out.
  @Test(arguments: [0, cut])
  func anotherSourceContinuesNothingThatIsOut(_ cut: Int64) async throws {
    var forged = OriginResource(content.changed)
    let resource = OriginResource(content)
    (forged.etag, forged.lastModified) = (resource.etag, resource.lastModified)
    let served = forged
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: cut) },
      finally: { _ in OriginResponse(status: 404, text: "gone") })
    let first = try HostileOrigin { script.respond(to: $0) }
    let second = try HostileOrigin { served.respond(to: $0) }
    let result = try await fetch(first) {
      $0.mirrors = [try? HTTPURL(parsing: second.url("/file"))].compactMap(\.self)
    }.run()
    if cut == 0 {
      expectRight(result, forged.content)
    } else {
      expectBroken(result, .httpStatus)
      #expect(second.requests.isEmpty)
    }
  }

  /// Each of many connections brings some bytes, and every second one fails.
  @Test func manyBreaksInARow() async throws {
    let resource = OriginResource(content)
    let script = Script(finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { request in
      let answer = script.respond(to: request)
      if script.requestCount % 2 == 0 { return OriginResponse(status: 503, text: "busy") }
      return answer.bodyByteCount > 60_000 ? answer.resetting(after: 60_000) : answer
    }
    expectRight(try await fetch(origin) { $0.retries.tries = 3 }.run())
  }

  @Test(arguments: [true, false])
  func aServerThatIgnoresRangesIsPassedOverUpToTheSeam(_ isChunked: Bool) async throws {
    let resource = OriginResource(content).ignoringRanges(advertised: true)
    let script = Script(
      .next(3) {
        let answer = resource.respond(to: $0)
        return (isChunked ? answer.chunked() : answer).resetting(after: Self.cut)
      }, finally: { isChunked ? resource.respond(to: $0).chunked() : resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try fetch(origin) { $0.retries.tries = 8 }
    expectRight(await fetch.run())
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.requests.count == 4)
    }
  }

  /// A date is as good as a tag where it is a strong validator.
  @Test func aSoundDateContinuesIt() async throws {
    let resource = OriginResource(content, etag: nil)
    let origin = try origin(resource) { resource.respond(to: $0) }
    expectRight(try await fetch(origin).run())
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=500000-"])
    }
  }

  /// R8, R9, R13: what makes no sense is not put behind; the whole answer that follows is.
  @Test(arguments: BadPart.allCases)
  func aPartThatMakesNoSenseIsNotPassedOn(bad: BadPart) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { request in
      let answer = resource.respond(to: request)
      return answer.status == 206 ? bad.spoil(answer, resource, request) : answer
    }
    let result = try await fetch(origin).run()
    if bad.isChange { expectBroken(result, .changing) } else { expectRight(result) }
  }

  @Test func aWholeFileAs206IsPassedOverUpToTheSeam() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) {
      resource.respond(to: $0.asking(for: OriginRange(first: 0)))
    }
    expectRight(try await fetch(origin).run())
  }

  @Test func surplusBytesAreNotPassedOn() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { resource.respond(to: $0).surplus(5000) }
    expectRight(try await fetch(origin).run())
  }

  @Test func aPartThatIsShorterThanAskedIsFollowedByTheRest() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: Self.cut) },
      .next { resource.respond(to: $0).shortened(by: 70_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    expectRight(try await fetch(origin).run())
  }

  @Test func anOverlapThatTheOwnerTrustsJoins() async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try origin(resource) { resource.respond(to: $0) }
    let result = try await fetch(origin) { $0.trustsOverlap = true }.run()
    expectRight(result)
    #expect(result.finished?.verification == .overlap)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=434464-"])
    }
  }

  // MARK: What cannot go on

  @Test(arguments: [true, false])
  func anotherVersionIsNeverPutBehind(_ honoursIfRange: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { request in
      var request = request
      if !honoursIfRange {
        request.fields = HeaderFields(request.fields.fields.filter { $0.name != "If-Range" })
      }
      return resource.changed.respond(to: request)
    }
    expectBroken(try await fetch(origin).run(), .changing)
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  @Test func anOverlapThatDiffersEndsIt() async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try origin(resource) { resource.changed.respond(to: $0) }
    expectBroken(try await fetch(origin) { $0.trustsOverlap = true }.run(), .changing)
  }

  @Test func withoutAValidatorNoOtherTryIsMade() async throws {
    let resource = OriginResource(content, etag: "W/\"1\"", lastModified: nil)
    let origin = try origin(resource) { resource.respond(to: $0) }
    let result = try await fetch(origin).run()
    expectBroken(result, .connectionLost)
    #expect(result.failure?.message.contains("it cannot be continued") == true)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  /// L4: the length is wrong for ever.
  @Test func aLengthThatIsNeverReached() async throws {
    let resource = OriginResource(content)
    let size = content.size
    let origin = try HostileOrigin { request in
      guard request.range == nil else {
        return OriginResponse(status: 416, text: "there is no more")
      }
      return resource.respond(to: request).declaring(length: size + 1000).cutting(after: size)
    }
    let result = try await fetch(origin).run()
    #expect([.lengthMismatch, .connectionLost].contains(result.failure?.code), "\(result)")
    #expect(sink.bytes == content.bytes())
  }

  @Test func aServerThatStaysAwayIsGivenUp() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { _ in OriginResponse(status: 503, text: "busy") }
    expectBroken(try await fetch(origin).run(), .httpStatus)
  }

  @Test(arguments: [true, false])
  func aFileThatIsTooLargeIsCutAtItsLimit(_ hasLength: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      hasLength ? resource.respond(to: $0) : resource.respond(to: $0).chunked()
    }
    let result = try await fetch(origin) { $0.maximumByteCount = 300_000 }.run()
    expectBroken(result, .tooLarge, at: hasLength ? 0 : 300_001)
  }

  @Test func anotherTypeIsNotPassedOn() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    expectBroken(try await fetch(origin) { $0.expectedType = "video/*" }.run(), .wrongType, at: 0)
  }

  @Test func aLoginPageIsNotPutBehind() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { _ in
      OriginResponse(status: 200, text: "<html>").with("Content-Type", "text/html")
    }
    expectBroken(try await fetch(origin).run(), .wrongType)
  }

  // MARK: Codings and digests

  @Test func aCodedAnswerIsDecodedAndNeverContinued() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).gzipped() }
    expectRight(try await fetch(origin).run())
    let sink = MemorySink()
    let cut = try HostileOrigin { resource.respond(to: $0).gzipped().resetting(after: Self.cut) }
    let result = try await fetch(cut, to: sink).run()
    #expect(result.failure?.code == .connectionLost, "\(result)")
    if Connections.count == 1 {
      #expect(cut.requests.count == 1)
    }
    #expect(sink.bytes == Array(content.bytes().prefix(sink.bytes.count)))
  }

  @Test(arguments: [true, false], [true, false])
  func theServersDigestIsCheckedAtTheEnd(_ isRight: Bool, _ isCut: Bool) async throws {
    var resource = OriginResource(content)
    resource.fields = [DigestCases.Field.reprSHA256.field(isRight ? content : content.changed)]
    let file = resource
    let origin = try HostileOrigin { request in
      let answer = file.respond(to: request)
      return isCut && request.range == nil ? answer.resetting(after: Self.cut) : answer
    }
    let result = try await fetch(origin).run()
    guard !isRight else {
      expectRight(result)
      #expect(result.finished?.verification == .digest)
      return
    }
    #expect(result.failure?.code == .digestMismatch, "\(result)")
    #expect(
      result.failure?.message.contains("the 900000 bytes that were passed on are wrong") == true)
    #expect(folder.names == [])
  }

  @Test(arguments: [true, false])
  func theDigestOfAPartIsChecked(_ isRight: Bool) async throws {
    let resource = OriginResource(content)
    let rest = OriginContent(content.bytes(in: Self.cut..<content.size))
    let origin = try origin(resource) { request in
      let field = DigestCases.Field.contentSHA256.field(isRight ? rest : rest.changed)
      return resource.respond(to: request).adding(field.name, raw: field.value)
    }
    let result = try await fetch(origin).run()
    if isRight {
      expectRight(result)
    } else {
      #expect(result.failure?.code == .digestMismatch, "\(result)")
    }
  }

  /// The owner's digest: nothing goes out before it is found right, whatever happens on the way.
  @Test func nothingGoesOutBeforeTheOwnersDigestIsRight() async throws {
    let gate = Gate()
    let resource = OriginResource(content).withoutValidators()
    let changed = resource.changed
    let size = content.size
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: Self.cut) },
      .next { changed.respond(to: $0) },
      finally: { resource.respond(to: $0).stalling(after: size - 1, at: gate) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let digest = content.digest()
    let fetch = try fetch(origin) { $0.digest = digest }
    async let result = fetch.run()
    await gate.waitUntilReached()
    #expect(sink.bytes == [])
    #expect(folder.names == [])
    gate.open()
    expectRight(await result)
    #expect(await result.finished?.verification == .digest)
    #expect(fetch.ear.restarts == [.digestMismatch])
  }

  /// Nothing of it is there later, so nobody is told to go on.
  @Test(arguments: [true, false])
  func noFailureCanBeResumed(_ isChecked: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { _ in OriginResponse(status: 404, text: "gone") }
    let digest = content.digest()
    let result = try await fetch(origin) { if isChecked { $0.digest = digest } }.run()
    #expect(result.failure?.code == .httpStatus)
    #expect(result.failure?.isResumable == false)
  }

  @Test func whatHasAnotherDigestNeverGoesOut() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let digest = content.changed.digest()
    let result = try await fetch(origin) { $0.digest = digest }.run()
    #expect(result.failure?.code == .digestMismatch)
    #expect(result.failure?.isResumable == false)
    #expect(result.failure?.message.contains("nothing was kept") == true)
    #expect(sink.bytes == [])
    #expect(folder.names == [])
  }

  // MARK: The reader

  @Test(arguments: [0, 1, 300_000])
  func aReaderWhoGoesEndsIt(_ count: Int) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let sink = MemorySink(failing: (after: count, errno: EPIPE))
    let result = try await fetch(origin, to: sink).run()
    #expect(result.failure?.code == .readerGone)
    #expect(
      count == 0 || result.failure?.message.contains("\(count) bytes had been passed on") == true)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  /// A reader who takes nothing holds up the network and not the owner.
  @Test(arguments: [false, true])
  func aReaderWhoStallsIsLeftByAStop(_ hasDigest: Bool) async throws {
    let resource = OriginResource(OriginContent(size: 20 << 20, seed: 5))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let gate = Gate()
    let sink = MemorySink(stalling: (after: 100_000, gate: gate))
    let digest = resource.content.digest()
    let fetch = try fetch(origin, to: sink) { if hasDigest { $0.digest = digest } }
    async let result = fetch.run()
    await gate.waitUntilReached()
    fetch.transfer.stop()
    #expect(await result == .stopped(received: 100_000))
    #expect(sink.bytes == resource.content.bytes(in: 0..<100_000))
  }
}
