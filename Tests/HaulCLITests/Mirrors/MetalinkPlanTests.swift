import HaulHTTP
import HaulTestKit
import Testing

/// What a dry run and the end of a run say of pieces and mirrors that a document tells.
@Suite(.timeLimit(.minutes(1))) struct MetalinkPlanTests {
  let folder: TemporaryFolder
  let origin: HostileOrigin
  static let content = OriginContent(size: 40_000, seed: 61)

  init() throws {
    folder = try TemporaryFolder()
    origin = try HostileOrigin { OriginResource(Self.content).respond(to: $0) }
  }

  /// A document with two mirrors; the one piece is the whole file.
  func document(digest: Bool, pieces: Bool) -> String {
    let hex = Self.content.digest().hex
    let whole = digest ? "<hash type=\"sha-256\">\(hex)</hash>" : ""
    let piece =
      pieces ? "<pieces length=\"65536\" type=\"sha-256\"><hash>\(hex)</hash></pieces>" : ""
    let urls = ["/a", "/b", "/c"].map { "<url>\(origin.url($0))</url>" }.joined()
    return MetalinkTests.document(
      "<file name=\"n\"><size>40000</size>\(whole)\(piece)\(urls)</file>")
  }

  /// With pieces alone nothing was said of any check, and of mirrors never.
  @Test(arguments: [
    (true, true, "; sha-256, its piece (sha-256) to be checked; 2 mirrors to be asked as well\n"),
    (false, true, "; its piece (sha-256) to be checked; 2 mirrors to be asked as well\n"),
    (true, false, "; sha-256 to be checked; 2 mirrors to be asked as well\n"),
    (false, false, "; can be resumed; 2 mirrors to be asked if that fails\n"),
  ])
  func aDryRunSaysWhatWouldBeCheckedAndAsked(
    _ digest: Bool, _ pieces: Bool, _ says: String
  ) async throws {
    let text = document(digest: digest, pieces: pieces)
    let outcome = try await Haul.get("--dry-run", "-M", "-", in: folder.path, input: text)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.hasSuffix(says), "\(outcome.error)")
    let events = try await Events(
      Haul.get("--json", "--dry-run", "-M", "-", in: folder.path, input: text).output)
    #expect(events.first("planned")["mirrors"] as? Int == 2)
    #expect(events.first("planned")["pieces"] as? Int == (pieces ? 1 : nil))
    let strict = try await Haul.get(
      "--strict", "--dry-run", "-M", "-", in: folder.path, input: text)
    #expect(strict.error.hasSuffix("; 2 mirrors to be asked if that fails\n"), "\(strict.error)")
  }

  @Test func aMirrorOfTheOwnerIsAsked() async throws {
    let outcome = try await Haul.get(
      "--dry-run", "--mirror", origin.url("/m"), origin.url("/a"), in: folder.path)
    #expect(outcome.error.hasSuffix("; 1 mirror to be asked if that fails\n"), "\(outcome.error)")
  }

  @Test func aFileWhosePiecesAreRightIsSaidToBe() async throws {
    let outcome = try await Haul.get(
      "-M", "-", in: folder.path, input: document(digest: false, pieces: true))
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains(", its pieces are right\n"), "\(outcome.error)")
    #expect(Self.content.matches(path: folder.path("n")))
  }
}
