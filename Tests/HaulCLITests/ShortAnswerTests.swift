import HaulTestKit
import Testing

/// Answers that end too early, each time: what stays on the disk, and what is said of it.
@Suite(.timeLimit(.minutes(1))) struct ShortAnswerTests {
  let folder: TemporaryFolder
  let resource = OriginResource(OriginContent(size: 900_000, seed: 81))

  init() throws { folder = try TemporaryFolder() }

  /// A connection that was closed after the same bytes each time was called a wrong length, which is
  /// no fault that passes, and nothing was said of the bytes that were kept.
  @Test func whatCanBeContinuedIsSaidToBe() async throws {
    let served = resource.ignoringRanges()
    let origin = try HostileOrigin { served.respond(to: $0).cutting(after: 300_000) }
    let url = origin.url("/file")
    let outcome = try await Haul.get("--tries", "2", url, in: folder.path)
    #expect(outcome.exit == .exited(3), "\(outcome.error)")
    #expect(outcome.error.contains("failed [connection-lost]"), "\(outcome.error)")
    #expect(outcome.error.contains("what was received is kept; to go on: "), "\(outcome.error)")
    #expect(folder.names() == ["file.haul-journal", "file.haul-part"])
  }

  /// Part and journal were left, and no later run could do anything with them.
  @Test func whatNobodyCanContinueIsRemoved() async throws {
    let served = resource.ignoringRanges().withoutValidators()
    let origin = try HostileOrigin { served.respond(to: $0).cutting(after: 300_000) }
    let outcome = try await Haul.get("--tries", "2", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(5), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  /// A file of unknown length grew beyond the limit: its bytes were kept without a word.
  @Test func whatALimitLeavesIsSaid() async throws {
    let served = resource
    let origin = try HostileOrigin { served.respond(to: $0).chunked() }
    let url = origin.url("/file")
    let outcome = try await Haul.get("--max-filesize", "100k", url, in: folder.path)
    #expect(outcome.exit == .exited(7), "\(outcome.error)")
    #expect(
      outcome.error.contains("a larger --max-filesize lets it go on; what was received is kept"))
    #expect(folder.names() == ["file.haul-journal", "file.haul-part"])
    let next = try await Haul.get("--max-filesize", "1M", url, in: folder.path)
    #expect(next.error.contains("going on after"), "\(next.error)")
    #expect(folder.names() == ["file"])
  }
}
