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
    /// What is asked for after the last byte, which tells whether the file is the same.
    var ranges: [String?] = ["bytes=199999-"]
    var by = "a file of the same size and time is there"

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "equal size and time", isSame: true) { _ in },
    Row(name: "another tag of another node", isSame: true) { $0.etag = "\"other\"" },
    Row(name: "no tag", isSame: true) { $0.etag = nil },
    Row(name: "an older file", isSame: false) { $0.lastModified = 1_699_999_999 },
    Row(name: "a newer file", isSame: false) { $0.lastModified = 1_700_000_001 },
    Row(name: "no time", isSame: false) { $0.lastModified = nil },
    Row(name: "no ranges", isSame: true) { $0.honoursRanges = false },
    Row(name: "no length", isSame: false, answer: { $0.honoursRanges = false }, isChunked: true),
    Row(
      name: "a shorter file", isSame: false,
      answer: { $0.content = OriginContent(size: 199_999) }, ranges: ["bytes=199999-", nil]),
    Row(
      name: "a longer file", isSame: false,
      answer: { $0.content = OriginContent(size: 200_001) }, ranges: ["bytes=199999-", nil]),
    Row(
      name: "the right digest and another time", isSame: true,
      answer: {
        $0.lastModified = 5
        $0.fields = [OriginField("Digest", "md5=" + md5(content))]
      }, by: "the same file is there, by the server's digest"),
    Row(
      name: "another digest", isSame: false,
      answer: {
        $0.content = content.changed
        $0.fields = [OriginField("Digest", "md5=" + md5(content.changed))]
      }, ranges: ["bytes=199999-", nil]),
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
    #expect(origin.requests.map { $0.header("Range") } == [nil] + row.ranges)
    if row.isSame {
      #expect(outcome.paths == ["file"])
      #expect(outcome.error == "haul: skipped file: \(row.by)\n")
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
    #expect(
      second.error.split(separator: "\n").filter {
        $0.contains(": a file of the same size and time")
      }.count == 12)
    #expect(second.error.contains("12 files are there (12 skipped)"))
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
    #expect(outcome.error == "haul: skipped file: the same file is there, by its digest\n")
    #expect(origin.requests == [])
    // And one that was damaged is fetched.
    try folder.write(Self.content.changed.bytes(), to: "file")
    let again = try await Haul.get(
      "--exists=skip", "--digest", digest, origin.url("/file"), in: folder.path)
    #expect(again.paths == ["file (1)"])
    #expect(Self.content.matches(path: folder.path("file (1)")))
  }

  /// Of large files one byte comes, over one connection; where a server sends all, it is broken off.
  @Test func largeBodiesAreNotSent() async throws {
    let content = OriginContent(size: 24 << 20, seed: 3)
    let nginx = try NginxServer()
    let names = ["a", "b", "c"]
    for name in names { try content.write(to: nginx.path(name)) }
    let urls = names.map { nginx.url("/" + $0) }
    // The times of files that were made just now prove nothing.
    for name in names {
      let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
      try FileManager.default.setAttributes(old, ofItemAtPath: nginx.path(name))
    }
    let first = try await Haul.run(["get", "--no-sync"] + urls, in: folder.path)
    #expect(first.exit == .exited(0))
    let outcome = try await Haul.run(["get", "--exists=skip"] + urls, in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(Set(outcome.paths) == ["a", "b", "c"])
    #expect(await eventually { nginx.accessLog.count == 6 })
    let again = nginx.accessLog.suffix(3).map { $0.split(separator: " ").dropFirst(4) }
    #expect(again.allSatisfy { $0.elementsEqual(["206", "1", "bytes=25165823-"]) }, "\(again)")
    #expect(folder.names() == names)
  }

  @Test func aServerWithoutRangesIsBrokenOff() async throws {
    let content = OriginContent(size: 64 << 20, seed: 3)
    let resource = OriginResource(content).ignoringRanges()
    let origin = try HostileOrigin { resource.respond(to: $0) }
    #expect(try await Haul.get("--no-sync", origin.url("/big"), in: folder.path).status == 0)
    let before = origin.bodyBytesSent
    let outcome = try await Haul.get("--exists=skip", origin.url("/big"), in: folder.path)
    #expect(outcome.error == "haul: skipped big: a file of the same size and time is there\n")
    #expect(origin.bodyBytesSent - before < 32 << 20)
  }

  /// A part of a second copy lay there, and was fetched to its end beside the whole file.
  @Test(arguments: [[], ["--dry-run"]])
  func aPartOfAnotherCopyIsNoReasonToFetch(_ options: [String]) async throws {
    let resource = OriginResource(Self.content)
    let script = Script(
      .next { resource.respond(to: $0) },
      .next { resource.respond(to: $0).cutting(after: 90_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url = origin.url("/file")
    #expect(try await Haul.get(url, in: folder.path).exit == .exited(0))
    #expect(try await Haul.get("--tries", "1", url, in: folder.path).exit == .exited(3))
    let names = ["file", "file (1).haul-journal", "file (1).haul-part"]
    #expect(folder.names() == names)
    let outcome = try await Haul.run(["get", "--exists=skip", url] + options, in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains("skip"), "\(outcome.error)")
    #expect(folder.names() == names)
    // Of another file a part goes on.
    try folder.write([1], to: "file")
    let next = try await Haul.run(["get", "--exists=skip", url], in: folder.path)
    #expect(next.error.contains("going on after"), "\(next.error)")
    #expect(Self.content.matches(path: folder.path("file (1)")))
  }
}
