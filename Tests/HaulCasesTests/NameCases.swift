import Foundation
import HaulTestKit
import HaulTransfer
import Testing

/// CASES N: the names that servers and addresses give to files.
@Suite struct NameCases {
  /// The download goes into a folder below this one, so that what escapes it is seen.
  let outer: Folder
  let inner: String
  static let content = OriginContent(size: 3_000, seed: 61)

  init() throws {
    outer = try Folder()
    inner = outer.file("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
  }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: inner).sorted()) ?? []
  }

  func put(_ name: String) throws {
    try outer.write([1], to: "inner/\(name)")
  }

  /// Fetches without a name of the owner; the name that came of it.
  @discardableResult
  func fetch(
    _ path: String = "/file", disposition: String? = nil, type: String? = nil,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> String? {
    var resource = OriginResource(Self.content)
    resource.disposition = disposition
    resource.contentType = type
    let answering = resource
    let origin = try HostileOrigin { answering.respond(to: $0) }
    let result = try await Fetch(origin.url(path), into: inner, named: nil, change).run()
    #expect(outer.names == ["inner"])
    guard let finished = result.finished else { return nil }
    let name = try #require(finished.path.split(separator: "/").last.map(String.init))
    #expect(finished.path == "\(inner)/\(name)")
    #expect(names.contains { $0.utf8.elementsEqual(name.utf8) }, "\(names) \(name)")
    #expect(Self.content.matches(path: finished.path))
    return name
  }

  @Test(arguments: [
    ("attachment; filename=\"plain.txt\"", "plain.txt"),
    ("attachment; filename=my file.txt", "my file.txt"),
    ("attachment; filename=plain.txt;", "plain.txt"),
    ("attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
    ("attachment; filename=\"na%20me%C3%A9.txt\"", "na meé.txt"),
    ("attachment; filename=\"=?UTF-8?B?4oKsLnR4dA==?=\"", "€.txt"),
    ("attachment; filename=\"naïve 日本.txt\"", "naïve 日本.txt"),
    ("attachment; filename*=ISO-8859-1''%A3%20rates.txt", "£ rates.txt"),
    ("attachment; filename=\"../../x\"", "x"),
    ("attachment; filename=\"../../inner/../../y\"", "y"),
    ("attachment; filename=\"/etc/passwd\"", "passwd"),
    ("attachment; filename=\"..\\\\..\\\\x\"", "x"),
    ("attachment; filename=\"..%2F..%2Fx\"", "x"),
    ("attachment; filename=\"C:\\docs\\x.txt\"", "x.txt"),
    ("attachment; filename*=UTF-8''..%2f..%2fx%00.txt", "x.txt"),
    ("attachment; filename*=UTF-8''a%0d%0ab.txt", "ab.txt"),
    ("attachment; filename*=UTF-8''gpj%e2%80%aeexe.txt", "gpjexe.txt"),
    ("attachment; filename=\".bashrc\"", "_bashrc"),
    ("attachment; filename=\"-rf\"", "_rf"),
    ("attachment; filename=\"x. . .\"", "x"),
    ("attachment; filename=\"nul.txt\"", "_nul.txt"),
    ("attachment; filename=\"x.haul-part\"", "x.haul-part_"),
    ("attachment; filename=\"x.haul-journal\"", "x.haul-journal_"),
    ("attachment; filename=\"x.HAUL-BAD\"", "x.HAUL-BAD_"),
    ("attachment; filename=\"..\"", "file"),
    ("attachment; filename=\"\"", "file"),
    ("attachment", "file"),
  ])
  func nameOfTheServer(_ disposition: String, _ name: String) async throws {
    #expect(try await fetch(disposition: disposition) == name)
    #expect(names == [name])
  }

  @Test(arguments: [
    ("/a/b/name.tar.gz?x=1#y", "name.tar.gz"),
    ("/%2e%2e%2f%2e%2e%2fx", "x"),
    ("/..%2f..%2fetc%2fpasswd", "passwd"),
    ("/a%00b.txt", "ab.txt"),
    ("/na%C3%AFve%20name.txt", "naïve name.txt"),
    ("/a b.txt", "a b.txt"),
    ("/%E9.txt", "%E9.txt"),
    ("/.hidden", "_hidden"),
    ("/-rf", "_rf"),
    ("/CON.txt", "_CON.txt"),
    ("/x.haul-journal", "x.haul-journal_"),
    ("/", "127.0.0.1"),
    ("", "127.0.0.1"),
    ("/a/", "127.0.0.1"),
    ("/?name=query.txt", "127.0.0.1"),
    ("/%2e%2e", "127.0.0.1"),
  ])
  func nameOfTheAddress(_ path: String, _ name: String) async throws {
    #expect(try await fetch(path) == name)
    #expect(names == [name])
  }

  @Test(arguments: [
    ("/x", "image/png", "x.png"), ("/", "video/mp4", "127.0.0.1.mp4"),
    ("/x.jpg", "image/png", "x.jpg"), ("/x", "text/html; charset=utf-8", "x.html"),
    ("/x", "application/octet-stream", "x"), ("/x", "../../y", "x"), ("/x", "no type", "x"),
  ])
  func extensionOfTheType(_ path: String, _ type: String, _ name: String) async throws {
    #expect(try await fetch(path, type: type) == name)
  }

  @Test func theNameComesFromTheFirstAddressOrFromTheLast() async throws {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { request in
      switch request.path {
      case "/good.txt": .redirect(to: "/blob/123")
      case "/get": .redirect(to: "/real.zip")
      default: resource.respond(to: request)
      }
    }
    _ = try await Fetch(origin.url("/good.txt"), into: inner, named: nil).run()
    _ = try await Fetch(origin.url("/get"), into: inner, named: nil).run()
    #expect(names == ["good.txt", "real.zip"])
  }

  /// N3: with our own suffixes the name still fits into the 255 bytes of a file system.
  @Test(arguments: [200, 242, 243, 255, 300, 600, 6_000])
  func longNames(_ count: Int) async throws {
    for letter in ["n", "é", "日", "👍🏽"] {
      let stem = String(repeating: letter, count: count / letter.utf8.count)
      let encoded = stem.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : hex($0) }.joined()
      let name = try #require(try await fetch("/\(encoded).tar.gz"))
      #expect(name.hasSuffix(".tar.gz"))
      #expect(name.utf8.count <= 242)
      #expect(name.utf8.count > 200 || count == 200)
      #expect(!name.unicodeScalars.contains("\u{FFFD}"))
      // A second one of the name has to find room for its number.
      let second = try #require(try await fetch("/\(encoded).tar.gz"))
      #expect(second.hasSuffix(" (1).tar.gz"))
      #expect(second.utf8.count <= 242)
    }
    #expect(names.count == 8)
  }

  private func hex(_ byte: UInt8) -> String { "%" + String(byte, radix: 16) }

  @Test func longNameOfTheServerIsResumedUnderItsShortOne() async throws {
    var resource = OriginResource(OriginContent(size: 900_000, seed: 3))
    resource.disposition = "attachment; filename=\"\(String(repeating: "ü", count: 400)).bin\""
    let answering = resource
    let script = Script(
      .next { answering.respond(to: $0).resetting(after: 400_000) },
      finally: { answering.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let first = try await Fetch(origin.url("/x"), into: inner, named: nil) {
      $0.retries.tries = 1
    }.run()
    #expect(first.failure?.code == .connectionLost)
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.utf8.count <= 255 })
    let second = try await Fetch(origin.url("/x"), into: inner, named: nil).run()
    #expect(origin.requests.last?.range != nil)
    #expect(names.count == 1)
    #expect(resource.content.matches(path: try #require(second.finished?.path)))
  }

  /// N4: what is there already, and what becomes of the name.
  @Test(arguments: [
    (["a.txt"], "a.txt", "a (1).txt"),
    (["a.txt", "a (1).txt", "a (2).txt"], "a.txt", "a (3).txt"),
    (["a.txt", "a (2).txt"], "a.txt", "a (1).txt"),
    (["a.tar.gz"], "a.tar.gz", "a (1).tar.gz"),
    (["a.user.js"], "a.user.js", "a (1).user.js"),
    (["linux-6.12"], "linux-6.12", "linux-6.12 (1)"),
    (["noext"], "noext", "noext (1)"),
    (["A.TXT"], "a.txt", "a (1).txt"),
    (["e\u{301}.txt"], "\u{E9}.txt", "\u{E9} (1).txt"),
    (["STRASSE.txt"], "straße.txt", "straße (1).txt"),
    (["b.txt"], "a.txt", "a.txt"),
  ])
  func takenNames(_ there: [String], _ name: String, _ becomes: String) async throws {
    for other in there { try put(other) }
    let disposition = "attachment; filename=\"\(name)\""
    let found = try #require(try await fetch(disposition: disposition))
    #expect(found.utf8.elementsEqual(becomes.utf8), "\(found)")
    #expect(names.count == there.count + 1)
    for other in there { #expect(outer.bytes(of: "inner/\(other)") == [1]) }
  }

  @Test func aTwinIsRefusedWhereNoOtherNameIsWanted() async throws {
    try put("A.TXT")
    let name = try await fetch("/a.txt") { $0.destination.existing = .fail }
    #expect(name == nil)
    #expect(names == ["A.TXT"])
  }

  @Test func aNameThatIsWantedByOneThatStillRuns() async throws {
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let fetches = try (0..<4).map {
      try Fetch(origin.url("/\($0)/name.txt"), into: inner, named: nil)
    }
    for (number, fetch) in fetches.enumerated() {
      fetch.transfer.start()
      await gate.waitUntilReached(number + 1)
    }
    gate.open()
    var paths: [String] = []
    for fetch in fetches { paths.append(await fetch.transfer.result().finished?.path ?? "") }
    #expect(Set(paths).count == 4)
    #expect(names == ["name (1).txt", "name (2).txt", "name (3).txt", "name.txt"])
    for path in paths { #expect(Self.content.matches(path: path)) }
  }

  /// I9: an owner's name is one component as well; what is none is refused, and not cut to fit.
  @Test(arguments: [
    "../x", "a/b", "/etc/x", "", ".", "..", "a\u{0}b", "x.haul-part", "x.Haul-Journal",
    "x.haul-bad",
  ])
  func unsafeNameOfTheOwner(_ name: String) async throws {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let result = try await Fetch(origin.url("/file"), into: inner, named: name).run()
    #expect(result.failure?.code == .unsafeTarget)
    #expect(outer.names == ["inner"])
    #expect(names == [])
  }

  /// Names that the system allows are the owner's business, odd as they are.
  @Test(arguments: ["-rf", ".hidden", "a b", "a\nb", "con", "x.", "*", "日本"])
  func oddNameOfTheOwner(_ name: String) async throws {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let result = try await Fetch(origin.url("/file"), into: inner, named: name).run()
    #expect(result.finished?.path == "\(inner)/\(name)")
    #expect(names == [name])
  }

  /// R23: a server that knows our files cannot make one of them.
  @Test(arguments: [".haul-part", ".haul-journal", ".haul-bad", ".HAUL-PART"])
  func aServerCannotPlantOurFiles(_ suffix: String) async throws {
    let resource = OriginResource(OriginContent(size: 900_000, seed: 8))
    let cut = try HostileOrigin { resource.respond(to: $0).resetting(after: 500_000) }
    let first = try await Fetch(cut.url("/file"), into: inner, named: nil) {
      $0.retries.tries = 1
    }.run()
    #expect(first.failure?.code == .connectionLost)
    let before = names
    let name = try await fetch(disposition: "attachment; filename=\"file\(suffix)\"")
    #expect(name == "file\(suffix)_")
    #expect(names == (before + ["file\(suffix)_"]).sorted())
  }
}
