import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// The engine of the program, a server and a folder.
@Suite(.timeLimit(.minutes(1))) struct RealFileTests {
  @Test func itIsPausedAndGoesOnInAnotherProcessOrThisOne() async throws {
    let folder = try TemporaryFolder()
    let content = OriginContent(size: 900_000, seed: 3)
    let resource = OriginResource(content)
    let gate = Gate()
    let script = Script(
      .next { resource.respond(to: $0).stalling(after: 400_000, at: gate) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    func make() throws -> FileDownload {
      try FileDownload(
        origin.url("/film.mp4?key=1"), to: folder.path + "/film.mp4", engine: DownloadEngine()
      ) {
        $0.segments = SegmentPolicy()
        $0.digest = content.digest()
      }
    }
    let download = try make()
    #expect(try await download.stored() == nil)
    download.start()
    await gate.waitUntilReached()
    while download.snapshot.received < 400_000 { await Task.yield() }
    download.pause()
    for await snapshot in download.snapshots where snapshot.state == .paused { break }
    #expect(folder.names() == ["film.mp4.haul-journal", "film.mp4.haul-part"])

    let next = try make()
    #expect(try await next.stored() == StoredBytes(received: 400_000, total: 900_000))
    next.start()
    let end = try await next.result()
    #expect(end.path == folder.path("film.mp4"))
    #expect(content.matches(path: folder.path("film.mp4")))
    #expect(folder.names() == ["film.mp4"])
    #expect(origin.requests.map { $0.header("Range") } == [nil, "bytes=400000-"])
  }
}
