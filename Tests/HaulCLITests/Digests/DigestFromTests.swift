import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// `--digest-from`: digests of a checksum file, from a server, a path or standard input.
@Suite(.timeLimit(.minutes(1))) struct DigestFromTests {
  let folder: TemporaryFolder
  static let a = OriginContent(size: 40_000, seed: 51)
  static let b = OriginContent(size: 30_000, seed: 52)

  init() throws { folder = try TemporaryFolder() }

  /// A line of `sha256sum`.
  static func line(_ content: OriginContent, _ name: String) -> String {
    "\(content.digest().hex)  \(name)\n"
  }

  /// Serves `/a` and `/b`, and whatever else is given.
  func origin(
    _ other: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws -> HostileOrigin {
    try HostileOrigin { request in
      switch request.path {
      case "/a": OriginResource(Self.a).respond(to: request)
      case "/b": OriginResource(Self.b).respond(to: request)
      default: other(request)
      }
    }
  }

  func origin(sums text: String) throws -> HostileOrigin {
    try origin { request in
      request.path == "/SHA256SUMS"
        ? OriginResponse(status: 200, text: text) : OriginResponse(status: 404, text: "none")
    }
  }

  @Test func oneLookForAllFilesAndBeforeTheFirst() async throws {
    let origin = try origin(sums: Self.line(Self.a, "a") + Self.line(Self.b, "./dir/b"))
    let outcome = try await Haul.get(
      "--digest-from", origin.url("/SHA256SUMS"), origin.url("/a"), origin.url("/b?x=1"),
      in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(Set(outcome.paths) == ["a", "b"])
    #expect(folder.names() == ["a", "b"])
    #expect(origin.requests.map(\.path).filter { $0 == "/SHA256SUMS" }.count == 1)
    #expect(origin.requests.first?.path == "/SHA256SUMS")
    let says = "finished a: 39.1 KiB"
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(outcome.error.contains("sha-256 from SHA256SUMS is right"), "\(outcome.error)")
  }

  @Test func wrongBytesGetNoName() async throws {
    let origin = try origin(sums: Self.line(Self.b, "a"))
    let outcome = try await Haul.get(
      "--digest-from", origin.url("/SHA256SUMS"), origin.url("/a"), in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(outcome.error.contains("failed [digest-mismatch]"))
    #expect(folder.names() == [])
  }

  @Test(arguments: ["sums", "./sums", "-"])
  func aFileOnDiskAndStandardInput(_ place: String) async throws {
    let origin = try origin(sums: "")
    let text = Self.line(Self.a, "a")
    try folder.write(text: text, to: "sums")
    let outcome = try await Haul.get(
      "-d", "out", "--digest-from", place, origin.url("/a"), in: folder.path, input: text)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains("is right"))
    #expect(folder.names(in: "out") == ["a"])
    #expect(origin.requests.count == 1)
  }

  @Test func theDigestOfAListRules() async throws {
    let origin = try origin(sums: Self.line(Self.b, "a") + Self.line(Self.b, "other"))
    let list = "\(origin.url("/a"))\t\tsha-256=\(Self.a.digest().hex)\n\(origin.url("/b"))\tother\n"
    let outcome = try await Haul.get(
      "--digest-from", origin.url("/SHA256SUMS"), "-i", "-", in: folder.path, input: list)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.names() == ["a", "other"])
  }

  static let missing: [(sums: String, String)] = [
    (line(a, "ab") + line(b, "c"), "has no digest of “a”; it has ab, c; -o NAME says which one"),
    (line(a, "a") + line(b, "a"), "has different digests of “a”"),
    (line(a, "x/a") + line(b, "y/a"), "has different digests of “a”: as x/a, y/a"),
    ("", "holds no digest that can be read"), ("nothing here\n", "holds no digest"),
    ("<!DOCTYPE html><p>log in", "is a web page, and no checksum file"),
    ("BLAKE2b (a) = 00\n", "holds digests of BLAKE2b only"),
    ("\(a.digest().hex)\n\(b.digest().hex)\n", "different digests without a name"),
  ]

  @Test(arguments: missing.indices)
  func withoutADigestNothingIsFetched(_ index: Int) async throws {
    let (sums, says) = Self.missing[index]
    let origin = try origin(sums: sums)
    let outcome = try await Haul.get(
      "--digest-from", origin.url("/SHA256SUMS"), origin.url("/a"), in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(outcome.output == "")
    #expect(outcome.error.contains("failed [digest-missing]: \(origin.url("/a"))"))
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(outcome.error.contains("SHA256SUMS"))
    #expect(origin.requests.map(\.path) == ["/SHA256SUMS"])
    #expect(folder.names() == [])
  }

  @Test func aDigestWithoutANameIsForOneFile() async throws {
    let origin = try origin(sums: "\(Self.a.digest().hex)\n")
    let sums = origin.url("/SHA256SUMS")
    let one = try await Haul.get("--digest-from", sums, origin.url("/a"), in: folder.path)
    #expect(one.exit == .exited(0), "\(one.error)")
    let two = try await Haul.get(
      "--digest-from", sums, origin.url("/a"), origin.url("/b"), in: folder.path)
    #expect(two.exit == .exited(5))
    #expect(two.error.contains("several files are fetched"), "\(two.error)")
    #expect(folder.names() == ["a"])
  }

  /// A server could pass one listed file off as another, if its name for the file were looked up.
  @Test func aNameOfTheServerIsNeverLookedUp() async throws {
    let sums = Self.line(Self.a, "old.bin") + Self.line(Self.b, "new.bin")
    let origin = try origin { request in
      switch request.path {
      case "/SHA256SUMS": return OriginResponse(status: 200, text: sums)
      case "/latest": return .redirect(to: "/old.bin")
      default:
        var resource = OriginResource(Self.a)
        resource.disposition = "attachment; filename=old.bin"
        return resource.respond(to: request)
      }
    }
    let from = ["--digest-from", origin.url("/SHA256SUMS")]
    let outcome = try await Haul.run(
      ["get"] + from + [origin.url("/latest"), origin.url("/get")], in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(origin.requests.count == 1)
    // The owner may say which one is meant; then the other one is refused.
    let named = try await Haul.run(
      ["get", "-o", "new.bin"] + from + [origin.url("/latest")], in: folder.path)
    #expect(named.exit == .exited(5))
    #expect(named.error.contains("digest-mismatch"))
    #expect(folder.names() == [])
    let right = try await Haul.run(
      ["get", "-o", "old.bin"] + from + [origin.url("/latest")], in: folder.path)
    #expect(right.exit == .exited(0), "\(right.error)")
    #expect(folder.names() == ["old.bin"])
  }
}
