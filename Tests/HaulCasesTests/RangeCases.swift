import HaulTestKit
import HaulTransfer
import Testing

/// CASES R: ranges and resume.
@Suite struct RangeCases {
  let folder: Folder
  let content = OriginContent(size: 900_000, seed: 7)

  init() throws {
    folder = try Folder()
  }

  /// Leaves a part of the file behind, as an interrupted run does.
  func leavePart(
    _ origin: HostileOrigin, _ path: String = "/file",
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws {
    let fetch = try Fetch(origin.url(path), into: folder.path) {
      $0.retries.tries = 1
      change(&$0)
    }
    let result = await fetch.run()
    #expect(result.failure?.code == .connectionLost)
    #expect(folder.names == ["file.haul-journal", "file.haul-part"])
  }

  func isRight(_ result: TransferResult, _ expected: OriginContent? = nil) {
    #expect(result.finished?.path == folder.file("file"))
    #expect((expected ?? content).matches(path: folder.file("file")))
    #expect(folder.names == ["file"])
  }

  @Test func plainFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let result = try await Fetch(origin.url("/file"), into: folder.path).run()
    isRight(result)
    #expect(result.finished?.verification == .length)
    #expect(origin.requests.count == 1)
    #expect(origin.requests[0].header("Accept-Encoding") == "identity")
    #expect(origin.requests[0].header("Range") == nil)
  }

  @Test func resumesFromTheBytesOnDisk() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 500_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await leavePart(origin)
    let fetch = try Fetch(origin.url("/file"), into: folder.path)
    isRight(await fetch.run())
    #expect(fetch.ear.restarts == [])
    let last = try #require(origin.requests.last)
    #expect(last.header("Range")?.hasPrefix("bytes=") == true)
    #expect(last.header("If-Range") == resource.etag)
  }

  @Test func aFileThatChangedBetweenTwoRunsIsFetchedAnew() async throws {
    let resource = VersionedResource(OriginResource(content))
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 500_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await leavePart(origin)
    resource.replace(with: resource.current.changed)
    let fetch = try Fetch(origin.url("/file"), into: folder.path)
    isRight(await fetch.run(), content.changed)
    #expect(fetch.ear.restarts == [.changed])
    #expect(origin.requests.count == 2)
  }
}
