import HaulTestKit
import Testing

/// How the process goes away when its work is done.
@Suite(.timeLimit(.minutes(1))) struct ProcessEndTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Libraries were taken down while the thread of the network still closed its connections: about
  /// once in a thousand runs over TLS the program ended with "double free" and signal 6 in place of
  /// its exit status. The dynamic linker tells whether they are taken down.
  @Test(arguments: [200, 404])
  func noLibraryIsTakenDownUnderARunningThread(_ status: Int) async throws {
    let content = OriginContent(size: 50_000, seed: 5)
    let origin = try HostileOrigin { request in
      status == 200
        ? OriginResource(content).respond(to: request)
        : OriginResponse(status: status, text: "not here")
    }
    var environment = Haul.environment
    environment["LD_DEBUG"] = "files"
    environment["LD_DEBUG_OUTPUT"] = folder.path("linker")
    let arguments = ["get", "-o", "file", origin.url("/file")]
    let outcome = await Outcome(
      of: try ChildProcess(
        Haul.path, arguments, environment: environment, folder: folder.path))
    #expect(outcome.status == (status == 200 ? 0 : 4))
    #expect(folder.read("file") == (status == 200 ? content.bytes() : nil))
    #expect(outcome.paths.count == (status == 200 ? 1 : 0))
    let logs = folder.names().filter { $0.hasPrefix("linker.") }
    #expect(folder.names().count == logs.count + outcome.paths.count)
    let log = try #require(logs.first.flatMap { folder.text($0) })
    #expect(log.contains("calling init:"))
    #expect(!log.contains("calling fini:"))
    #expect(origin.requests.count == 1)
  }
}
