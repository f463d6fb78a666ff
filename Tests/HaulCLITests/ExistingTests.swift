import Foundation
import HaulTestKit
import Testing

/// `--exists` and what may stand under the name.
@Suite(.timeLimit(.minutes(1))) struct ExistingTests {
  let folder: TemporaryFolder
  let outside: TemporaryFolder
  static let content = OriginContent(size: 40_000, seed: 31)
  static let old = OriginContent(size: 40_000, seed: 32)

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
  }

  enum Thing: String, Sendable, CaseIterable {
    case file, folder, link, dangling, linkToFolder, pipe
  }

  func make(_ thing: Thing, as name: String = "file") async throws {
    try outside.write(Self.old.bytes(), to: "precious")
    switch thing {
    case .file: try folder.write(Self.old.bytes(), to: name)
    case .folder: try folder.makeFolder(name)
    case .link: try folder.makeLink(name, to: outside.path("precious"))
    case .dangling: try folder.makeLink(name, to: outside.path("nothing"))
    case .linkToFolder: try folder.makeLink(name, to: outside.path)
    case .pipe: await Outcome(of: try ChildProcess("mkfifo", [folder.path(name)])).exitsWell()
    }
  }

  /// Nothing outside of the folder was touched.
  func outsideIsWhole() {
    #expect(outside.names() == ["precious"])
    #expect(Self.old.matches(path: outside.path("precious")))
  }

  func origin() throws -> HostileOrigin {
    let resource = OriginResource(Self.content)
    return try HostileOrigin { resource.respond(to: $0) }
  }

  static let pairs = ["rename", "overwrite", "skip", "fail"].flatMap { policy in
    Thing.allCases.flatMap { thing in [true, false].map { (policy, thing, $0) } }
  }

  @Test(arguments: pairs)
  func policy(_ policy: String, _ thing: Thing, _ isNamed: Bool) async throws {
    try await make(thing)
    let kind = folder.kind(of: "file")
    let origin = try origin()
    let outcome = try await Haul.run(
      ["get", "--exists", policy, origin.url("/file")] + (isNamed ? ["-o", "file"] : []),
      in: folder.path)
    switch (policy, thing) {
    case (_, .folder) where isNamed:
      #expect(outcome.exit == .exited(2))
      #expect(outcome.error.contains("is a folder; to put files into it use -d"))
      #expect(folder.names() == ["file"])
    case (_, .pipe) where isNamed:
      // Into it nothing was written, and with `overwrite` it was gone.
      #expect(outcome.exit == .exited(2))
      #expect(outcome.error.contains("is a pipe; -o takes the name of a file: haul get -o - URL >"))
      #expect(folder.names() == ["file"])
      #expect(folder.kind(of: "file") == kind)
    case ("rename", _), ("skip", _):
      #expect(outcome.exit == .exited(0), "\(outcome.error)")
      #expect(outcome.paths == ["file (1)"])
      #expect(folder.names() == ["file", "file (1)"])
      #expect(Self.content.matches(path: folder.path("file (1)")))
      #expect(folder.kind(of: "file") == kind)
      if thing == .file { #expect(Self.old.matches(path: folder.path("file"))) }
    case ("fail", _), (_, .folder):
      #expect(outcome.exit == .exited(6), "\(outcome.error)")
      #expect(outcome.error.contains("failed [exists]"), "\(outcome.error)")
      #expect(outcome.output == "")
      #expect(folder.names() == ["file"])
      #expect(folder.kind(of: "file") == kind)
      if thing == .file { #expect(Self.old.matches(path: folder.path("file"))) }
    default:
      // What a link names is never written to: the link itself is replaced.
      #expect(outcome.exit == .exited(0), "\(outcome.error)")
      #expect(outcome.paths == ["file"])
      #expect(folder.names() == ["file"])
      #expect(folder.kind(of: "file") == .typeRegular)
      #expect(Self.content.matches(path: folder.path("file")))
    }
    outsideIsWhole()
  }

  @Test func skipKeepsAFileOfTheSameSizeAndTime() async throws {
    let origin = try origin()
    let first = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(first.paths == ["file"])
    let again = try await Haul.get("--exists=skip", origin.url("/file"), in: folder.path)
    #expect(again.exit == .exited(0))
    #expect(again.paths == ["file"])
    #expect(again.error.contains("skipped file"))
    #expect(folder.names() == ["file"])
    #expect(Self.content.matches(path: folder.path("file")))
    #expect(origin.bodyBytesSent <= 2 * Self.content.size)
  }

  @Test func aFileThatIsReplacedIsThereUntilTheNewOneIsWhole() async throws {
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 30_000, at: gate) }
    try await make(.file)
    let child = try Haul.start(
      ["get", "--exists=overwrite", origin.url("/file")], in: folder.path)
    #expect(await eventually { folder.names().contains("file.haul-part") })
    await gate.waitUntilReached()
    #expect(Self.old.matches(path: folder.path("file")))
    gate.open()
    #expect(await child.wait() == .exited(0))
    #expect(folder.names() == ["file"])
    #expect(Self.content.matches(path: folder.path("file")))
  }

  @Test func aDigestThatIsWrongKeepsTheFileThatWasToBeReplaced() async throws {
    try await make(.file)
    let origin = try origin()
    let outcome = try await Haul.get(
      "--exists=overwrite", "--digest=md5=00000000000000000000000000000000", origin.url("/file"),
      in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(folder.names() == ["file"])
    #expect(Self.old.matches(path: folder.path("file")))
  }

  /// D3: the name was free at the start, and is taken at the end.
  @Test(arguments: ["rename", "overwrite", "fail"], Thing.allCases)
  func theNameIsTakenMeanwhile(_ policy: String, _ thing: Thing) async throws {
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 30_000, at: gate) }
    let child = try Haul.start(["get", "--exists", policy, origin.url("/file")], in: folder.path)
    #expect(await eventually { folder.names().contains("file.haul-part") })
    await gate.waitUntilReached()
    try await make(thing)
    let kind = folder.kind(of: "file")
    gate.open()
    let outcome = await Outcome(of: child)
    if policy == "overwrite", thing != .folder {
      #expect(outcome.paths == ["file"])
      #expect(folder.kind(of: "file") == .typeRegular)
      #expect(Self.content.matches(path: folder.path("file")))
    } else {
      #expect(folder.kind(of: "file") == kind)
      if thing == .file { #expect(Self.old.matches(path: folder.path("file"))) }
      #expect(outcome.paths == (policy == "rename" ? ["file (1)"] : []))
      #expect(outcome.exit == .exited(policy == "rename" ? 0 : 6), "\(outcome.error)")
      if policy == "rename" { #expect(Self.content.matches(path: folder.path("file (1)"))) }
    }
    outsideIsWhole()
  }

  static let planted = [".haul-part", ".haul-journal"].flatMap { suffix in
    Thing.allCases.filter { $0 != .file }.map { (suffix, $0) }
  }

  /// Links and other things under the names of our own files are neither followed nor removed.
  @Test(arguments: planted)
  func somethingIsPlantedUnderOurNames(_ suffix: String, _ thing: Thing) async throws {
    let name = "file" + suffix
    try await make(thing, as: name)
    let kind = folder.kind(of: name)
    let origin = try origin()
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    let path = try #require(outcome.paths.first)
    #expect(Self.content.matches(path: folder.path(path)))
    #expect(folder.kind(of: name) == kind)
    #expect(folder.names() == [path, name].sorted())
    outsideIsWhole()
  }

  /// A second name of another file under the name of a part: its bytes were cut off, and the file
  /// became the download.
  @Test(arguments: [".haul-part", ".haul-journal"])
  func aHardLinkIsNotWrittenTo(_ suffix: String) async throws {
    try outside.write(Self.old.bytes(), to: "precious")
    try FileManager.default.linkItem(
      atPath: outside.path("precious"), toPath: folder.path("file" + suffix))
    let origin = try origin()
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    let path = try #require(outcome.paths.first)
    #expect(Self.content.matches(path: folder.path(path)))
    outsideIsWhole()
  }

  @Test func anOwnersFolderMayBeALink() async throws {
    try outside.makeFolder("real")
    try folder.makeLink("here", to: outside.path("real"))
    let origin = try origin()
    let outcome = try await Haul.get("-d", "here", origin.url("/file"), in: folder.path)
    #expect(outcome.paths == ["here/file"])
    #expect(outside.names(in: "real") == ["file"])
  }

  /// A part that an earlier run left was fetched to its end, and then the name was taken after all.
  @Test(arguments: [[], ["--dry-run"]])
  func failingFailsAtOnceAlsoWithAPart(_ options: [String]) async throws {
    let resource = OriginResource(Self.content)
    let script = Script(
      .next { resource.respond(to: $0).cutting(after: 20_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url = origin.url("/a.bin")
    try folder.write(Self.old.bytes(), to: "a.bin")
    #expect(try await Haul.get("--tries", "1", url, in: folder.path).exit == .exited(3))
    let names = ["a (1).bin.haul-journal", "a (1).bin.haul-part", "a.bin"]
    #expect(folder.names() == names)
    let outcome = try await Haul.run(
      ["get", "--exists", "fail", url] + options, in: folder.path)
    #expect(outcome.exit == .exited(6), "\(outcome.error)")
    #expect(outcome.error.contains("failed [exists]"), "\(outcome.error)")
    #expect(origin.requests.count == 1)
    #expect(folder.names() == names)
  }

  /// A file named “stdout (1)” was made among the devices.
  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func theSystemsNamesOfStandardOutputMeanIt(_ name: String) async throws {
    let origin = try origin()
    let outcome = try Haul.shell(
      "\"$haul\" get -q -o \(name) \(origin.url("/file")) | cat > copy", in: folder.path)
    #expect(await outcome.wait() == .exited(0), "\(outcome.errorText)")
    #expect(Self.content.matches(path: folder.path("copy")))
  }

  @Test(arguments: ["/dev/null", "/dev/stderr", "/dev/fd/2", "/dev/fd/3", "link"])
  func whatIsNoFileIsRefusedBeforeAnythingIsFetched(_ name: String) async throws {
    try folder.makeLink("link", to: "/dev/null")
    let origin = try origin()
    for policy in ["rename", "overwrite"] {
      let child = try Haul.shell(
        "exec 3>third; \"$haul\" get --exists \(policy) -o \(name) \(origin.url("/file"))",
        in: folder.path)
      let outcome = await Outcome(of: child)
      #expect(outcome.exit == .exited(2), "\(outcome.error)")
      #expect(outcome.error.contains("haul get -o - URL > "), "\(outcome.error)")
    }
    #expect(origin.requests == [])
    #expect(folder.names() == ["link", "third"])
  }
}

extension Outcome {
  func exitsWell() { #expect(exit == .exited(0), "\(error)") }
}
