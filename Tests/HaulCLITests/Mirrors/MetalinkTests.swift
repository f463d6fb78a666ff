import HaulHTTP
import HaulTestKit
import Testing

/// `--metalink`: files that a document describes.
@Suite(.timeLimit(.minutes(1))) struct MetalinkTests {
  let folder: TemporaryFolder
  let origin: HostileOrigin
  static let a = OriginContent(size: 40_000, seed: 61)
  static let b = OriginContent(size: 30_000, seed: 62)

  init() throws {
    folder = try TemporaryFolder()
    origin = try HostileOrigin { request in
      switch request.path {
      case "/a": OriginResource(Self.a).respond(to: request)
      case "/b": OriginResource(Self.b).respond(to: request)
      default: OriginResponse(status: 404, text: "none")
      }
    }
  }

  static func document(_ files: String...) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n\(files.joined())</metalink>\n"
  }

  func file(
    _ name: String, _ path: String, _ content: OriginContent, digest: String? = nil,
    also more: String = ""
  ) -> String {
    """
    <file name="\(name)"><size>\(content.size)</size>
    <hash type="sha-256">\(digest ?? content.digest().hex)</hash>
    <url priority="1">\(origin.url(path))</url>\(more)</file>

    """
  }

  func holds(_ content: OriginContent, as name: String) {
    #expect(content.matches(path: folder.path(name)), "\(name)")
  }

  @Test(arguments: [
    ["--metalink", "f.meta4"], ["-Mf.meta4"], ["--metalink-file=./f.meta4"], ["-M", "-"],
  ])
  func aFileIsFetchedUnderItsNameAndChecked(_ option: [String]) async throws {
    let text = Self.document(file("name.bin", "/a", Self.a))
    try folder.write(text: text, to: "f.meta4")
    let outcome = try await Haul.run(
      ["get", "-d", "out"] + option, in: folder.path, input: option.last == "-" ? text : "")
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.paths == ["out/name.bin"])
    #expect(outcome.error.contains("sha-256 is right"), "\(outcome.error)")
    #expect(folder.names(in: "out") == ["name.bin"])
    holds(Self.a, as: "out/name.bin")
    #expect(origin.requests.map(\.path) == ["/a"])
  }

  @Test func wrongBytesGetNoName() async throws {
    let text = Self.document(file("a", "/a", Self.a, digest: Self.b.digest().hex))
    let outcome = try await Haul.get("-M", "-", in: folder.path, input: text)
    #expect(outcome.exit == .exited(5))
    #expect(outcome.output == "")
    #expect(outcome.error.contains("failed [digest-mismatch]"), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test func severalFilesAndAddressesAndAList() async throws {
    let text = Self.document(file("one", "/a", Self.a), file("lib/two", "/b", Self.b))
    try folder.write(text: text, to: "f.meta4")
    let outcome = try await Haul.get(
      "-d", "out", "-M", "f.meta4", "-i", "-", origin.url("/a"), in: folder.path,
      input: "\(origin.url("/b"))\n")
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.paths.sorted() == ["out/a", "out/b", "out/one", "out/two"])
    for name in ["out/a", "out/one"] { holds(Self.a, as: name) }
    for name in ["out/b", "out/two"] { holds(Self.b, as: name) }
    let note = "haul: the Metalink file “f.meta4”: “lib/two” is called “two” here\n"
    #expect(outcome.error.contains(note), "\(outcome.error)")
    let quiet = try await Haul.get("-q", "-d", "again", "-M", "f.meta4", in: folder.path)
    #expect(quiet.exit == .exited(0))
    #expect(quiet.error == "")
  }

  @Test func theOwnersNameAndDigestRule() async throws {
    let text = Self.document(file("name", "/a", Self.a, digest: Self.b.digest().hex))
    let digest = "sha-256=\(Self.a.digest().hex)"
    let outcome = try await Haul.get(
      "-o", "mine", "--digest", digest, "-M", "-", in: folder.path, input: text)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.names() == ["mine"])
  }

  /// With a digest nothing goes into the pipe before all of it was found right.
  @Test func oneFileMayGoToStandardOutput() async throws {
    let right = Self.document(file("name", "/a", Self.a))
    try folder.write(text: right, to: "f.meta4")
    let outcome = try await Outcome(
      of: Haul.shell("\"$haul\" get -o - -M f.meta4 | sha256sum", in: folder.path))
    #expect(outcome.output == "\(Self.a.digest().hex)  -\n", "\(outcome.error)")
    let wrong = Self.document(file("name", "/a", Self.a, digest: Self.b.digest().hex))
    let refused = try await Haul.get("-o", "-", "-M", "-", in: folder.path, input: wrong)
    #expect(refused.exit == .exited(5))
    #expect(refused.output == "")
    #expect(folder.names() == ["f.meta4"])
  }

  /// The address of a document is that of a file like any other.
  @Test func aDocumentOnAServerIsAFile() async throws {
    let text = Self.document(file("name", "/a", Self.a))
    let origin = try HostileOrigin { _ in
      OriginResponse(status: 200, text: text, contentType: "application/metalink4+xml")
    }
    let outcome = try await Haul.get(origin.url("/f.meta4"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.names() == ["f.meta4"])
    #expect(folder.text("f.meta4") == text)
  }

  @Test func theRestIsFetchedByTheSameCommand() async throws {
    let text = Self.document(file("a", "/a", Self.a), file("b", "/missing", Self.b))
    try folder.write(text: text, to: "f.meta4")
    let first = try await Haul.get("-j1", "-M", "f.meta4", in: folder.path)
    #expect(first.exit == .exited(4))
    #expect(folder.names() == ["a", "f.meta4"])
    let second = try await Haul.get("--exists", "skip", "-M", "f.meta4", in: folder.path)
    #expect(second.exit == .exited(4))
    // By its digest the first one is known to be there.
    #expect(origin.requests.filter { $0.path == "/a" }.count == 1)
  }

  // MARK: What is refused, before anything is fetched

  static let bad: [(String, String)] = [
    ("", "cannot be used: it is empty"),
    ("<!DOCTYPE html><p>", "cannot be used: line 1: it is a web page"),
    (document("<file name='../x'><url>http://h/</url></file>"), "line 3: “../x” is no name"),
    (document("<file name='x'><url>ftp://u:secret@h/</url></file>"), "no address of http or https"),
    (document("<file name='x'><size>-1</size></file>"), "line 3: “x”: the size “-1” is no number"),
    (
      "<metalink xmlns='http://www.metalinker.org/' version='3.0'/>",
      "Haul reads version 4 (RFC 5854)"
    ),
    ("http://h/\u{1B}[31m", "it is not XML"),
  ]

  @Test(arguments: bad.indices) func aBadDocumentIsAUsageError(_ index: Int) async throws {
    let (text, says) = Self.bad[index]
    try folder.write(text: text, to: "bad.meta4")
    for (name, shown) in [("bad.meta4", "“bad.meta4”"), ("-", "on standard input")] {
      let outcome = try await Haul.get(
        "-M", name, origin.url("/a"), in: folder.path, input: name == "-" ? text : "")
      #expect(outcome.exit == .exited(2))
      #expect(outcome.output == "")
      #expect(outcome.error.hasPrefix("haul: the Metalink file \(shown) cannot be used: "))
      #expect(outcome.error.contains(says), "\(outcome.error)")
      #expect(!outcome.error.contains("secret"))
      #expect(!outcome.error.contains("\u{1B}"))
    }
    #expect(origin.requests.isEmpty)
    #expect(folder.names() == ["bad.meta4"])
  }

  @Test func whatCannotBeReadIsAUsageError() async throws {
    try folder.makeFolder("dir")
    for (name, says) in [("none.meta4", "No such file"), ("dir", "Is a directory")] {
      let outcome = try await Haul.get("--metalink", name, in: folder.path)
      #expect(outcome.exit == .exited(2))
      let expected = "haul: the Metalink file “\(name)” cannot be read (\(says)"
      #expect(outcome.error.hasPrefix(expected), "\(outcome.error)")
    }
    let url = try await Haul.get("-M", origin.url("/f.meta4"), in: folder.path)
    #expect(url.exit == .exited(2))
    #expect(url.error.contains("haul get -o - URL | haul get --metalink -"), "\(url.error)")
    let path = try await Haul.get("./dir/f.meta4", in: folder.path)
    #expect(path.exit == .exited(2))
  }

  @Test func whatNeedsOneFile() async throws {
    let text = Self.document(file("a", "/a", Self.a), file("b", "/b", Self.b))
    try folder.write(text: text, to: "f.meta4")
    let cases = [
      (["-o", "x"], "-o names one file"), (["-o", "-"], "-o - gives out one file"),
      (["--mirror", "http://m.test/"], "--mirror is another address of one file"),
      (["--digest", "md5=\(String(repeating: "0", count: 32))"], "--digest is for one URL"),
      (["-i", "-", "-M", "x"], "-M was given twice"),
    ]
    for (arguments, says) in cases {
      let outcome = try await Haul.run(["get", "-M", "f.meta4"] + arguments, in: folder.path)
      #expect(outcome.exit == .exited(2), "\(arguments)")
      #expect(outcome.error.contains(says), "\(outcome.error)")
    }
    let twice = try await Haul.get("-M", "-", "-i", "-", in: folder.path)
    #expect(twice.error.contains("only one of them"), "\(twice.error)")
    #expect(origin.requests.isEmpty)
  }

  /// For the addresses in a list there is a hint; for a document it must be the right one.
  @Test func aDocumentAmongTheAddressesIsNamed() async throws {
    try folder.write(text: Self.document(file("a", "/a", Self.a)), to: "f.meta4")
    let outcome = try await Haul.get("f.meta4", in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("haul get -M f.meta4"), "\(outcome.error)")
  }
}
