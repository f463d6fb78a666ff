import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// One file over eight connections, from servers that dislike it (R4, R6, R11, T3, T6, T7).
@Suite(.timeLimit(.minutes(1))) struct SegmentCases {
  let scene: Scene
  let resource: OriginResource

  init() throws {
    scene = try Scene(OriginContent(size: 6 << 20, seed: 41))
    resource = OriginResource(scene.content)
  }

  private func fetch(
    _ origin: HostileOrigin, path: String = "/file", connections: Int = 8,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> (TransferResult, Ear) {
    try await scene.fetch(origin, path: path) {
      $0.segments = SegmentPolicy(maximumConnections: connections, isAdaptive: false)
      $0.segments.minimumByteCount = 64 << 10
      change(&$0)
    }
  }

  /// Holds the bodies of answers back until so many requests have come.
  private final class Crowd: Sendable {
    private let gate = Gate()
    private let number: Int
    init(of number: Int) { self.number = number }

    func hold(_ response: OriginResponse, for request: OriginRequest) -> OriginResponse {
      if request.index + 1 >= number { gate.open() }
      return response.bodyByteCount > 100_000
        ? response.stalling(after: 100_000, at: gate) : response
    }
  }

  /// An answer that takes long enough for others to be asked for.
  private func slow(_ response: OriginResponse) -> OriginResponse {
    response.throttled(bytesPerSecond: 4 << 20)
  }

  @Test func eightBringItTogether() async throws {
    let crowd = Crowd(of: 8)
    let origin = try HostileOrigin { crowd.hold(slow(resource.respond(to: $0)), for: $0) }
    let (result, ear) = try await fetch(origin)
    scene.expectRight(result)
    // The server may see the end of one after the beginning of the next.
    #expect((8...12).contains(origin.peakRequests), "\(origin.peakRequests)")
    #expect(ear.retries == [])
    #expect(origin.requests.count < 24)
    // What one connection brings is not asked for by another one, but for what was under way.
    #expect(origin.bodyBytesSent < scene.content.size * 2)
  }

  /// It answers so many requests at once, and refuses the next one.
  @Test(arguments: [1, 2], [403, 429, 503])
  func aServerThatAllowsFew(_ allowed: Int, _ status: Int) async throws {
    let origin = try HostileOrigin { request in
      request.concurrent > allowed
        ? OriginResponse(status: status, text: "too many") : slow(resource.respond(to: request))
    }
    let (result, ear) = try await fetch(origin)
    scene.expectRight(result)
    #expect(ear.retries == [], "a refusal of one too many is no failure")
    #expect(origin.requests.count <= 16, "\(origin.requests.count)")
  }

  @Test func aServerThatClosesOneTooMany() async throws {
    let origin = try HostileOrigin { request in
      request.concurrent > 2 ? .hangUp() : slow(resource.respond(to: request))
    }
    let (result, ear) = try await fetch(origin)
    scene.expectRight(result)
    #expect(ear.retries == [])
    #expect(origin.requests.count <= 24, "\(origin.requests.count)")
  }

  @Test(arguments: [true, false])
  func aServerThatAnswersAllRangesWithEverything(_ isAdvertised: Bool) async throws {
    let served = resource.ignoringRanges(advertised: isAdvertised)
    let origin = try HostileOrigin { slow(served.respond(to: $0)) }
    let (result, _) = try await fetch(origin)
    scene.expectRight(result)
    #expect(origin.requests.count <= 8)
    #expect(origin.requests.filter { $0.header("Range") == nil }.count == 1)
  }

  /// The n-th answer is of another version; all after it as well.
  @Test(arguments: [2, 3, 6, 9])
  func aFileThatChangesMeanwhile(_ nth: Int) async throws {
    let crowd = Crowd(of: min(nth, 8))
    let script = Script(
      .next(nth - 1) { crowd.hold(slow(resource.respond(to: $0)), for: $0) },
      finally: { crowd.hold(slow(resource.changed.respond(to: $0)), for: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await fetch(origin)
    // It may have been over before the other version was seen.
    let isNew = script.requestCount >= nth && !ear.restarts.isEmpty
    scene.expectRight(result, isNew || nth < 8 ? resource.changed.content : scene.content)
    #expect(ear.restarts.count <= 1)
    #expect(ear.restarts.allSatisfy { $0 == .changed })
    #expect(origin.requests.count <= 40, "\(origin.requests.count)")
  }

  /// Every other answer is of the other version, for ever: a named failure, or one whole answer.
  @Test func aFileThatChangesForEver() async throws {
    let origin = try HostileOrigin { request in
      slow((request.index % 2 == 0 ? resource : resource.changed).respond(to: request))
    }
    let (result, _) = try await fetch(origin)
    if let failure = result.failure {
      #expect(failure.code == .changing)
      #expect(!scene.folder.names.contains("file"))
    } else {
      let isOne = scene.content.matches(path: scene.folder.file("file"))
      let isOther = resource.changed.content.matches(path: scene.folder.file("file"))
      #expect(isOne || isOther)
    }
    #expect(origin.requests.count <= 60, "\(origin.requests.count)")
  }

  @Test(arguments: [true, false])
  func everyConnectionBreaksAfterAWhile(_ isReset: Bool) async throws {
    let origin = try HostileOrigin { request in
      let answer = slow(resource.respond(to: request))
      return isReset ? answer.resetting(after: 512 << 10) : answer.cutting(after: 512 << 10)
    }
    let (result, _) = try await fetch(origin)
    scene.expectRight(result)
    #expect(origin.requests.count <= 60, "\(origin.requests.count)")
  }

  /// Each target works once, so every connection is resolved from the first address.
  @Test func targetsThatWorkOnce() async throws {
    let crowd = Crowd(of: 12)
    let links = Mutex<Set<String>>([])
    let number = Atomic(0)
    let origin = try HostileOrigin { request in
      if request.path == "/front" {
        let link = "/link-\(number.add(1, ordering: .relaxed).newValue)"
        links.withLock { _ = $0.insert(link) }
        return .redirect(302, to: link)
      }
      let isFresh = links.withLock { $0.remove(request.path) != nil }
      return isFresh
        ? crowd.hold(slow(resource.respond(to: request)), for: request)
        : OriginResponse(status: 403, text: "expired")
    }
    let (result, ear) = try await fetch(origin, path: "/front")
    scene.expectRight(result)
    #expect(ear.retries == [])
    #expect(origin.peakRequests > 2)
    #expect(origin.requests.count <= 48, "\(origin.requests.count)")
  }

  /// A connection that brings some bytes and then nothing: others bring its rest at once, long before
  /// it counts as stalled.
  @Test(arguments: [1, 2, 4])
  func aStalledConnectionIsReplaced(_ nth: Int) async throws {
    let gate = Gate()
    let crowd = Crowd(of: min(4, max(nth - 1, 1)))
    let script = Script(
      .next(nth - 1) { crowd.hold(slow(resource.respond(to: $0)), for: $0) },
      .next { slow(resource.respond(to: $0)).stalling(after: 100_000, at: gate) },
      finally: { crowd.hold(slow(resource.respond(to: $0)), for: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await fetch(origin, connections: 4) { $0.mayStall() }
    scene.expectRight(result)
    #expect(ear.retries == [])
    #expect(script.requestCount >= nth)
  }

  /// Answers to ranges that begin elsewhere, are of another total, or of another unit.
  @Test(arguments: ["bytes 0-99/6291456", "bytes 0-6291455/7000000", "items 0-1/2", ""])
  func answersThatDoNotFit(_ value: String) async throws {
    let origin = try HostileOrigin { request in
      let answer = slow(resource.respond(to: request))
      guard request.range != nil else { return answer }
      return value.isEmpty ? answer.without("Content-Range") : answer.wrongContentRange(value)
    }
    let (result, _) = try await fetch(origin)
    scene.expectRight(result)
    #expect(origin.requests.count <= 24, "\(origin.requests.count)")
  }

  /// Stopped and started again: only what is missing is fetched.
  @Test func whatSeveralBroughtIsGoneOnWith() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 300_000, at: gate) }
    let fetch = try Fetch(origin.url("/file"), into: scene.folder.path) {
      $0.segments = SegmentPolicy(maximumConnections: 8, isAdaptive: false)
      $0.segments.minimumByteCount = 64 << 10
      $0.mayStall()
    }
    fetch.transfer.start()
    _ = await origin.waitForRequests(8)
    fetch.transfer.stop()
    let received = try #require(await fetch.transfer.result().stoppedAt)
    gate.open()
    let (result, ear) = try await self.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    let resumed = ear.events.compactMap { event -> Int64? in
      if case .started(_, _, let from) = event { from } else { nil }
    }
    #expect(received > 0)
    #expect(resumed == [received])
  }

  /// A byte for each request is legal, and made requests as fast as the server could answer.
  @Test(arguments: [1, 8])
  func tinyAnswersLeadToAWholeOne(_ connections: Int) async throws {
    let content = scene.content
    let tiny: @Sendable (OriginRequest) -> OriginResponse = { [resource] request in
      let answer = resource.respond(to: request)
      guard let first = request.range?.first else { return answer }
      var short = answer.declaring(length: 1)
        .wrongContentRange("bytes \(first)-\(first)/\(content.size)")
      short.body = [.content(content, first..<first + 1)]
      return short
    }
    let script = Script(
      .next { [resource] in resource.respond(to: $0).resetting(after: 100_000) }, finally: tiny)
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await fetch(origin, connections: connections)
    scene.expectRight(result)
    #expect(origin.requests.count < 60, "\(origin.requests.count)")
  }
}
