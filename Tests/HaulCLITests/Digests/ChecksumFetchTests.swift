import Foundation
import Glibc
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// How a checksum file is fetched: as the files are, and never without bounds.
@Suite(.timeLimit(.minutes(1))) struct ChecksumFetchTests {
  let folder: TemporaryFolder
  static let content = OriginContent(size: 40_000, seed: 53)
  static let sums = "\(content.digest().hex)  file\n"

  init() throws { folder = try TemporaryFolder() }

  /// Serves `/file`, and the checksum file as a script says.
  func origin(_ script: Script) throws -> HostileOrigin {
    try HostileOrigin { request in
      request.path == "/file"
        ? OriginResource(Self.content).respond(to: request) : script.respond(to: request)
    }
  }

  func get(_ origin: HostileOrigin, _ arguments: String...) async throws -> Outcome {
    try await Haul.run(
      ["get", "--retry-max-delay", "0", "--digest-from", origin.url("/SUMS"), origin.url("/file")]
        + arguments, in: folder.path)
  }

  @Test func triesAndRedirectsAreThoseOfAFile() async throws {
    let script = Script(
      .next { _ in OriginResponse(status: 503, text: "later") },
      .next { _ in .redirect(to: "/SUMS/elsewhere") },
      .next { _ in OriginResponse(status: 200, text: Self.sums).resetting(after: 30) },
      finally: { _ in OriginResponse(status: 200, text: Self.sums) })
    let origin = try origin(script)
    let outcome = try await get(origin)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains("SUMS was answered with 503"), "\(outcome.error)")
    #expect(folder.names() == ["file"])
    // Nothing of it is on disk, and it is no file of the run.
    #expect(outcome.paths == ["file"])
    #expect(!outcome.error.contains("files are there"))
  }

  static let failures: [(status: Int, exit: Int32, code: String)] = [
    (404, 4, "http-status"), (500, 4, "http-status"), (401, 4, "http-status"),
  ]

  @Test(arguments: failures.indices)
  func itsFailureIsThatOfEachFile(_ index: Int) async throws {
    let row = Self.failures[index]
    let origin = try origin(
      Script(finally: { _ in OriginResponse(status: row.status, text: Self.sums) }))
    let outcome = try await get(origin, origin.url("/file?2"), "--tries", "2")
    #expect(outcome.exit == .exited(row.exit))
    let lines = outcome.error.split(separator: "\n").filter { $0.contains("failed [\(row.code)]") }
    #expect(lines.count == 2, "\(outcome.error)")
    #expect(lines.allSatisfy { $0.contains("/SUMS was answered with \(row.status)") })
    #expect(lines.allSatisfy { $0.contains("was not fetched, since its digest is not known") })
    #expect(origin.requests.allSatisfy { $0.path == "/SUMS" })
    #expect(origin.requests.count <= 2, "one fetch for all")
    #expect(folder.names() == [])
  }

  @Test func aServerThatIsNotThereIsAFailureOfTheNetwork() async throws {
    let origin = try origin(Script(finally: { _ in .hangUp() }))
    let outcome = try await get(origin, "--tries", "2")
    #expect(outcome.exit == .exited(3), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test(arguments: [true, false])
  func itsSizeIsBounded(_ isAnnounced: Bool) async throws {
    let big = OriginContent(size: 64 << 20, seed: 1)
    let origin = try origin(
      Script(finally: { request in
        let response = OriginResource(big).respond(to: request)
        return isAnnounced ? response : response.chunked()
      }))
    let outcome = try await get(origin)
    #expect(outcome.exit == .exited(7), "\(outcome.error)")
    #expect(outcome.error.contains("failed [too-large]"), "\(outcome.error)")
    #expect(origin.bodyBytesSent < 32 << 20)
    #expect(origin.requests.allSatisfy { $0.path == "/SUMS" })
  }

  /// What is for the files' server is for no other one.
  @Test func secretsStayWithTheOriginOfTheFiles() async throws {
    let script = Script(finally: { _ in OriginResponse(status: 200, text: Self.sums) })
    let (here, there) = (try origin(script), try origin(script))
    for sums in [here, there] {
      let outcome = try await Haul.get(
        "--user", "me:hunter2", "--secret-header", "X-Key: hunter3", "-H", "X-Plain: 1",
        "-d", sums === here ? "here" : "there", "--digest-from", sums.url("/SUMS"),
        here.url("/file"), in: folder.path)
      #expect(outcome.exit == .exited(0), "\(outcome.error)")
      let request = try #require(sums.requests.first { $0.path == "/SUMS" })
      #expect((request.header("Authorization") != nil) == (sums === here))
      #expect((request.header("X-Key") != nil) == (sums === here))
      #expect(request.header("X-Plain") == "1")
    }
    #expect(here.requests.last?.header("Authorization") != nil)
  }

  @Test func ofItsAddressNoSecretIsShown() async throws {
    let origin = try origin(Script(finally: { _ in OriginResponse(status: 200, text: "x") }))
    let address = "http://me:hunter2@127.0.0.1:\(origin.port)/SUMS?token=hunter3"
    let outcome = try await Haul.get(
      "-v", "--digest-from", address, origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(outcome.error.contains("/SUMS?token=***"), "\(outcome.error)")
    #expect(!outcome.error.contains("hunter"))
    #expect(origin.requests.first?.header("Authorization") != nil)
    #expect(origin.requests.first?.query == "token=hunter3")
  }

  @Test func anInterruptStopsIt() async throws {
    let gate = Gate()
    let origin = try origin(
      Script(finally: { _ in
        OriginResponse(status: 200, text: Self.sums).stalling(after: 10, at: gate)
      }))
    let child = try Haul.start(
      ["get", "--digest-from", origin.url("/SUMS"), origin.url("/file")], in: folder.path)
    await gate.waitUntilReached()
    child.signal(SIGINT)
    #expect(await child.wait() == .signalled(SIGINT))
    gate.open()
    #expect(origin.requests.count == 1)
    #expect(folder.names() == [])
  }

  @Test func aCodedFileIsUndone() async throws {
    let origin = try origin(
      Script(finally: { _ in
        OriginResponse(
          status: 200, fields: [OriginField("Content-Encoding", "gzip")],
          body: [.bytes(Gzip.stored(Array(Self.sums.utf8)))])
      }))
    let outcome = try await get(origin)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
  }

  @Test func itsOwnDigestIsChecked() async throws {
    let wrong = OriginContent(Array("other".utf8)).digest()
    let origin = try origin(
      Script(finally: { _ in
        OriginResponse(status: 200, text: Self.sums)
          .with("Digest", "SHA-256=\(Data(wrong.bytes).base64EncodedString())")
      }))
    let outcome = try await get(origin)
    #expect(outcome.exit == .exited(5), "\(outcome.error)")
    #expect(outcome.error.contains("digest-mismatch"), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test func eventsTellItAsAFailureOfTheFile() async throws {
    let origin = try origin(Script(finally: { _ in OriginResponse(status: 200, text: "") }))
    let outcome = try await get(origin, "--json")
    #expect(outcome.exit == .exited(5))
    let events = try await Events(outcome.output)
    #expect(events.names == ["failed"])
    #expect(events.first("failed")["code"] as? String == "digest-missing")
    #expect(events.first("failed")["url"] as? String == origin.url("/file"))
    #expect(events.first("failed")["file"] as? Int == 1)
  }
}
