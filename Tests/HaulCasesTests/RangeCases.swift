import HaulTestKit
import HaulTransfer
import Testing

/// CASES R1 to R15: what a server may do with a request for a range.
///
/// Each test leaves half of the file on disk, then asks for the rest.
@Suite struct RangeCases {
  let scene: Scene
  var content: OriginContent { scene.content }
  let cut: Int64 = 500_000

  init() throws {
    scene = try Scene()
  }

  /// Serves the first request up to the cut, and each further one as the test says.
  func origin(
    _ resource: OriginResource,
    then answer: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws -> HostileOrigin {
    let cut = cut
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: cut) }, finally: answer)
    return try HostileOrigin { script.respond(to: $0) }
  }

  @Test func plainFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(result.finished?.byteCount == content.size)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
    #expect(origin.requests[0].header("Accept-Encoding") == "identity")
    #expect(origin.requests[0].header("Range") == nil)
    #expect(ear.restarts == [])
  }

  @Test func resumesFromTheBytesOnDisk() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { resource.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-"])
    }
    #expect(origin.requests[1].header("If-Range") == resource.etag)
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent == content.size)
    }
  }

  @Test func aFileThatChangedBetweenTwoRunsIsFetchedAnewInOneRoundTrip() async throws {
    let resource = VersionedResource(OriginResource(content))
    let origin = try origin(resource.current) { resource.respond(to: $0) }
    try await scene.leavePart(origin)
    resource.replace(with: resource.current.changed)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result, content.changed)
    #expect(ear.restarts == [.changed])
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  @Test(arguments: [true, false])
  func aServerThatIgnoresRangesIsUsedFromItsStart(isAdvertised: Bool) async throws {
    let resource = OriginResource(content).ignoringRanges(advertised: isAdvertised)
    let origin = try origin(resource) { resource.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [.rangeIgnored])
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-"])
    }
  }

  @Test func rangesThatWorkAreUsedAlsoWithoutTheAdvertisement() async throws {
    var resource = OriginResource(content)
    resource.advertisesRanges = false
    let file = resource
    let origin = try origin(file) { file.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent == content.size)
    }
  }

  /// R8 and R13: one more try, then the whole file, once.
  @Test(arguments: BadPart.allCases)
  func aPartThatMakesNoSenseIsNotStored(bad: BadPart) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { request in
      let answer = resource.respond(to: request)
      return answer.status == 206 ? bad.spoil(answer, resource, request) : answer
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [bad.isChange ? .changed : .badRange])
    let again: [String?] = bad.isChange ? [] : ["bytes=\(cut)-"]
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=\(cut)-"] + again + [nil])
    }
  }

  @Test(arguments: BadPart.allCases)
  func aPartToARequestForTheWholeIsNoFile(bad: BadPart) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { request in
      let asked = request.asking(for: OriginRange(first: 100))
      return bad.spoil(resource.respond(to: asked), resource, asked)
    }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .badRange, keepsPart: false)
    if Connections.count == 1 {
      #expect(origin.requests.count == 3)
    }
  }

  @Test func aWholeFileAsTheAnswerToALaterRangeIsPassedOverUpToTheSeam() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) {
      resource.respond(to: $0.asking(for: OriginRange(first: 0)))
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  @Test func aWholeFileAs206ToARequestWithoutRangeIsTheFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0.asking(for: OriginRange(first: 0)))
    }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: [1, 70_000, 399_999] as [Int64])
  func theRestOfAPartThatIsShorterThanAskedIsAskedForAgain(missing: Int64) async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 500_000) },
      .next { resource.respond(to: $0).shortened(by: missing) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(ear.retries == [])
      #expect(origin.ranges.last == "bytes=\(content.size - missing)-")
    }
  }

  @Test(arguments: [false, true])
  func surplusBytesAreNeverStored(isChunked: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) {
      let answer = resource.respond(to: $0).surplus(300_000)
      return isChunked ? answer.chunked() : answer
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
  }

  @Test(arguments: [
    "bytes 500000-899999/*", "Bytes 500000-899999/900000", "BYTES 500000-899999/*",
    "bytes  500000 - 899999 / 900000",
  ])
  func unusualButClearContentRangesAreAccepted(value: String) async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) {
      resource.respond(to: $0).wrongContentRange(value)
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  /// The body of a 206 is not where its `Content-Range` says when its length is another one: a
  /// whole file behind the head of a part, for instance, would be joined to the bytes on disk.
  @Test func aPartWhoseLengthContradictsItsRangeIsNotStored() async throws {
    let resource = OriginResource(content)
    let origin = try origin(resource) { request in
      let answer = resource.respond(to: request)
      guard answer.status == 206 else { return answer }
      var whole = resource.respond(to: request.asking(for: nil)).withStatus(206)
      whole = whole.with("Content-Range", answer.header("Content-Range") ?? "")
      return whole
    }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [.badRange])
  }
}

/// Ways to spoil a 206 answer.
enum BadPart: CaseIterable, Sendable {
  case startsEarlier, startsLater, bodyStartsEarlier, otherUnit, noContentRange, twoContentRanges
  case unreadable, backwards, pastTotal, negative, overflow, otherTotal, multipart, gzipped
  case noValidator, weakValidator

  /// Whether it can only mean that the file is another one by now.
  var isChange: Bool { self == .otherTotal || self == .weakValidator }

  func spoil(
    _ answer: OriginResponse, _ resource: OriginResource, _ request: OriginRequest
  ) -> OriginResponse {
    let first = request.range?.first ?? 0
    let size = resource.content.size
    func ranged(_ first: Int64, _ end: Int64) -> OriginResponse {
      answer.wrongContentRange("bytes \(first)-\(end - 1)/\(size)")
    }
    switch self {
    case .startsEarlier: return ranged(first - 1, size)
    case .startsLater: return ranged(first + 1, size)
    case .bodyStartsEarlier:
      return resource.respond(to: request.asking(for: OriginRange(first: first - 50)))
    case .otherUnit: return answer.wrongContentRange("items \(first)-\(size - 1)/\(size)")
    case .noContentRange: return answer.without("Content-Range")
    case .twoContentRanges: return answer.adding("Content-Range", "bytes 0-9/\(size)")
    case .unreadable: return answer.wrongContentRange("bytes half of it")
    case .backwards: return answer.wrongContentRange("bytes \(size - 1)-\(first)/\(size)")
    case .pastTotal: return ranged(first, size + 5)
    case .negative: return answer.wrongContentRange("bytes -\(first)-\(size - 1)/\(size)")
    case .overflow:
      return answer.wrongContentRange("bytes \(first)-99999999999999999999/\(size)")
    case .otherTotal:
      return answer.wrongContentRange("bytes \(first)-\(size - 1)/\(size + 1)")
    case .multipart: return answer.with("Content-Type", "multipart/byteranges; boundary=x")
    case .gzipped: return answer.gzipped()
    case .noValidator: return answer.without("ETag").without("Last-Modified")
    case .weakValidator: return answer.with("ETag", "W/\(resource.etag ?? "")")
    }
  }
}
