import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// The first bytes of an answer wait until the part is ready, and are shown then. That the receiver
/// wanted no more of them was overheard: the exchange went on, and where the server sent nothing
/// further the transfer waited for ever.
@Suite(.timeLimit(.minutes(1))) struct RefusedChunkCases {
  let scene: Scene
  let gate = Gate()

  init() throws {
    scene = try Scene()
  }

  @Test(arguments: [Listener.plain, .http2])
  func aBrokenCodingIsToldAtOnce(listener: Listener) async throws {
    let gate = gate
    let answer = OriginResponse(
      status: 200, fields: [OriginField("Content-Encoding", "gzip")],
      body: [.bytes([UInt8](repeating: 0x41, count: 5000))]
    ).chunked().inserting([.wait(gate)], after: 5000)
    let origin = try HostileOrigin { _ in answer }
    let (result, ear) = try await fetch(origin, listener)
    scene.expectFailure(result, .badCoding, keepsPart: false)
    if Connections.count == 1 {
      #expect(ear.retries == [])
      #expect(origin.requests.count == 1)
    }
    gate.open()
  }

  /// Bytes to compare are read first, so that here, too, the answer waits.
  @Test(arguments: [Listener.plain, .http2])
  func bytesBehindTheEndOfARangeAreNotWaitedFor(listener: Listener) async throws {
    let gate = gate
    let content = OriginContent(size: 9_000, seed: 3)
    var resource = OriginResource(content)
    resource.etag = nil
    resource.lastModified = nil
    let served = resource
    let script = Script(
      .next { served.respond(to: $0).resetting(after: 5_000) },
      finally: { request in
        var answer = served.respond(to: request)
        answer.body.append(.bytes([1, 2, 3]))
        return answer.chunked().inserting([.wait(gate)], after: content.size + 3)
      })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await fetch(origin, listener)
    scene.expectRight(result, content, verified: .overlap)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, "bytes=0-"])
    }
    gate.open()
  }

  enum Listener: CaseIterable, Sendable { case plain, http2 }

  /// Without a limit of speed, so that nothing but the engine ends it.
  private func fetch(
    _ origin: HostileOrigin, _ listener: Listener
  ) async throws -> (TransferResult, Ear) {
    guard listener == .http2 else {
      return try await scene.fetch(origin) {
        $0.mayStall()
        $0.trustsOverlap = true
      }
    }
    let nginx = try NginxServer()
    defer { nginx.stop() }
    let fetch = try Fetch(
      nginx.url("/origin/\(origin.port)/file", on: .http2), into: scene.folder.path
    ) {
      $0.mayStall()
      $0.trustsOverlap = true
      $0.connection.certificateAuthorities = nginx.authorityPath
    }
    return (await fetch.run(), fetch.ear)
  }
}
