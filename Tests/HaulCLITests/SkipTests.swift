import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// `--exists skip`: each way in which a file may be the same one, or not.
@Suite(.timeLimit(.minutes(1))) struct SkipTests {
  let folder: TemporaryFolder
  static let content = OriginContent(size: 200_000, seed: 61)

  init() throws { folder = try TemporaryFolder() }

  /// What a server says of its file, and whether one that was fetched before is the same then.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var isSame: Bool
    var answer: @Sendable (inout OriginResource) -> Void
    var isChunked = false

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "equal size and time", isSame: true) { _ in },
    Row(name: "another tag of another node", isSame: true) { $0.etag = "\"other\"" },
    Row(name: "no tag", isSame: true) { $0.etag = nil },
    Row(name: "an older file", isSame: false) { $0.lastModified = 1_699_999_999 },
    Row(name: "a newer file", isSame: false) { $0.lastModified = 1_700_000_001 },
    Row(name: "no time", isSame: false) { $0.lastModified = nil },
    Row(name: "no length", isSame: false, answer: { _ in }, isChunked: true),
    Row(name: "a shorter file", isSame: false) { $0.content = OriginContent(size: 199_999) },
    Row(name: "a longer file", isSame: false) { $0.content = OriginContent(size: 200_001) },
    Row(name: "the right digest and another time", isSame: true) {
      $0.lastModified = 5
      $0.fields = [OriginField("Digest", "md5=" + md5(content))]
    },
    Row(name: "another digest", isSame: false) {
      $0.content = content.changed
      $0.fields = [OriginField("Digest", "md5=" + md5(content.changed))]
    },
  ]

  static func md5(_ content: OriginContent) -> String {
    Data(content.digest(.md5).bytes).base64EncodedString()
  }

  @Test(arguments: rows)
  func whatIsThereIsCompared(_ row: Row) async throws {
    let first = OriginResource(Self.content)
    var changed = first
    row.answer(&changed)
    let (second, isChunked) = (changed, row.isChunked)
    let script = Script(
      .next { first.respond(to: $0) },
      finally: { isChunked ? second.respond(to: $0).chunked() : second.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url = origin.url("/file")
    #expect(try await Haul.get(url, in: folder.path).exit == .exited(0))
    let outcome = try await Haul.get("--exists", "skip", url, in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(Self.content.matches(path: folder.path("file")), "it is never replaced")
    #expect(origin.requests.count == 2)
    if row.isSame {
      #expect(outcome.paths == ["file"])
      #expect(outcome.error == "haul: skipped file: the same file is there\n")
      #expect(folder.names() == ["file"])
    } else {
      #expect(outcome.paths == ["file (1)"])
      #expect(second.content.matches(path: folder.path("file (1)")))
      #expect(folder.names() == ["file", "file (1)"])
    }
  }

  @Test func aNameThatOnlyTheServerKnows() async throws {
    var named = OriginResource(Self.content)
    named.disposition = "attachment; filename=real.bin"
    let resource = named
    let origin = try HostileOrigin { resource.respond(to: $0) }
    for isAgain in [false, true] {
      let outcome = try await Haul.get("--exists=skip", origin.url("/get?id=5"), in: folder.path)
      #expect(outcome.paths == ["real.bin"])
      #expect(outcome.error.contains("skipped real.bin") == isAgain)
      #expect(folder.names() == ["real.bin"])
    }
  }

  /// A list that is run again fetches nothing, and keeps its connection where files are small.
  @Test func aListThatIsRunAgain() async throws {
    let origin = try HostileOrigin { request in
      let seed = request.path.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) }
      return OriginResource(OriginContent(size: 9_000, seed: seed)).respond(to: request)
    }
    // Of two folders, with equal names, sizes and times.
    let paths = (0..<6).flatMap { ["/x/\($0).bin", "/y/\($0).bin"] }
    let list = paths.map { origin.url($0) + "\n" }.joined()
    let names = (0..<6).flatMap { ["\($0) (1).bin", "\($0).bin"] }
    func get() async throws -> Outcome {
      try await Haul.get("-j", "1", "--exists", "skip", "-i", "-", in: folder.path, input: list)
    }
    let first = try await get()
    #expect(first.exit == .exited(0))
    #expect(folder.names() == names)
    #expect(!first.error.contains("skipped"))
    let before = origin.connectionCount
    let second = try await get()
    #expect(second.exit == .exited(0))
    #expect(folder.names() == names)
    #expect(second.paths == first.paths)
    #expect(second.error.split(separator: "\n").filter { $0.contains("skipped") }.count == 12)
    #expect(second.error.contains("12 of 12 files are there"))
    #expect(origin.connectionCount - before == 1)
    #expect(origin.requests.count == 24)
  }

  @Test func withADigestNothingIsAskedFor() async throws {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    try folder.write(Self.content.bytes(), to: "file")
    let digest = "\(Digest.sha256(of: Self.content))"
    let outcome = try await Haul.get(
      "--exists=skip", "--digest", digest, origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.paths == ["file"])
    #expect(outcome.error.contains("skipped file"))
    #expect(origin.requests == [])
    // And one that was damaged is fetched.
    try folder.write(Self.content.changed.bytes(), to: "file")
    let again = try await Haul.get(
      "--exists=skip", "--digest", digest, origin.url("/file"), in: folder.path)
    #expect(again.paths == ["file (1)"])
    #expect(Self.content.matches(path: folder.path("file (1)")))
  }

  @Test func largeBodiesAreBrokenOff() async throws {
    let content = OriginContent(size: 64 << 20, seed: 3)
    let nginx = try NginxServer()
    try content.write(to: nginx.path("big"))
    let url = nginx.url("/big")
    #expect(try await Haul.get("--no-sync", url, in: folder.path).exit == .exited(0))
    let outcome = try await Haul.get("--exists=skip", url, in: folder.path)
    #expect(outcome.error.contains("skipped big"))
    #expect(await eventually { nginx.accessLog.count == 2 })
    let sent = nginx.accessLog.last?.split(separator: " ")[5] ?? ""
    #expect(Int(sent) ?? .max < 32 << 20, "\(nginx.accessLog)")
  }
}
