import Foundation
import Glibc
import HaulTestKit
import Testing

/// CASES D: full, read-only and vanishing folders.
@Suite(.timeLimit(.minutes(1))) struct DiskTests {
  static let content = OriginContent(size: 12 << 20, seed: 51)

  func fails(_ outcome: Outcome, _ code: String, _ says: String) {
    #expect(outcome.exit == .exited(6), "\(outcome.error)")
    #expect(outcome.output == "")
    #expect(outcome.error.contains("failed [\(code)]"), "\(outcome.error)")
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  func allow(_ permissions: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  /// D1: it is known at the start that the file does not fit.
  @Test(.enabled(if: Mount.isPossible, "only root may mount a small volume"))
  func tooLittleRoomIsSaidAtOnce() async throws {
    let volume = try await Mount(options: "size=16m")
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).throttled(bytesPerSecond: 1 << 20) }
    let outcome = try await Haul.get(origin.url("/file"), in: volume.path)
    fails(outcome, "disk-full", "Free some space")
    #expect(outcome.error.contains("needs 12 MiB more"), "\(outcome.error)")
    #expect(volume.names == [])
    // The rest of the file was not waited for.
    #expect(origin.bodyBytesSent < 6 << 20)
  }

  /// D1: what is received is kept, and goes on when there is room.
  @Test(
    .enabled(if: Mount.isPossible, "only root may mount a small volume"),
    arguments: [true, false])
  func fullInTheMiddle(_ isDurable: Bool) async throws {
    let volume = try await Mount(options: "size=16m")
    let content = Self.content.resized(to: 20 << 20)
    let resource = OriginResource(content)
    // Without a length nobody can know before that it does not fit.
    let origin = try HostileOrigin { resource.respond(to: $0).chunked() }
    let options = isDurable ? [] : ["--no-sync"]
    let outcome = try await Haul.run(["get", origin.url("/file")] + options, in: volume.path)
    fails(outcome, "disk-full", "Free some space")
    // The part had taken all the room, so that there was none for its journal, and nothing was kept.
    #expect(volume.names == ["file.haul-journal", "file.haul-part"])
    #expect(outcome.error.contains("what was received is kept"), "\(outcome.error)")
    try await volume.remount(options: "size=64m")
    let next = try await Haul.run(["get", origin.url("/file")] + options, in: volume.path)
    #expect(next.exit == .exited(0), "\(next.error)")
    #expect(volume.names == ["file"])
    #expect(content.difference(path: volume.file("file")) == nil)
    #expect((origin.requests.last?.range?.first ?? 0) > 8 << 20)
  }

  /// Bytes that no later run could go on from only take room, and the user wants to know why they are gone.
  @Test(.enabled(if: Mount.isPossible, "only root may mount a small volume"))
  func fullInTheMiddleOfWhatCannotBeGoneOnWith() async throws {
    let volume = try await Mount(options: "size=16m")
    var resource = OriginResource(Self.content.resized(to: 20 << 20))
    (resource.etag, resource.lastModified) = (nil, nil)
    let served = resource
    let origin = try HostileOrigin { served.respond(to: $0).chunked() }
    let outcome = try await Haul.get(origin.url("/file"), in: volume.path)
    fails(outcome, "disk-full", "what was received is not kept, since the server gives nothing")
    #expect(volume.names == [])
  }

  /// The bytes of a file whose length is known are reserved: who comes later finds no room.
  @Test(.enabled(if: Mount.isPossible, "only root may mount a small volume"))
  func roomIsReserved() async throws {
    // What the first file leaves is less than the second one and the reserve take.
    let volume = try await Mount(options: "size=31m")
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1 << 20, at: gate) }
    let child = try Haul.start(["get", origin.url("/a")], in: volume.path)
    #expect(await child.waitForText("fetching"))
    fails(try await Haul.get(origin.url("/b"), in: volume.path), "disk-full", "Free some space")
    let filler = await Outcome(
      of: try ChildProcess("sh", ["-c", "cat /dev/zero >filler"], folder: volume.path))
    #expect(filler.exit != .exited(0))
    gate.open()
    let outcome = await Outcome(of: child)
    // The journal may find no room; then the failure is named. Wrong it is never.
    if outcome.exit == .exited(0) {
      #expect(volume.names == ["a", "filler"])
      #expect(Self.content.difference(path: volume.file("a")) == nil)
    } else {
      fails(outcome, "disk-full", "Free some space")
      #expect(!volume.names.contains("a"))
    }
  }

  /// A file system that does not tell its size seemed to be full, and could never be used.
  @Test(.enabled(if: Mount.isPossible, "only root may mount a volume"))
  func aVolumeThatDoesNotTellItsSize() async throws {
    let volume = try await Mount("ramfs", options: "mode=755")
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = try await Haul.get(origin.url("/file"), in: volume.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(volume.names == ["file"])
    #expect(Self.content.matches(path: volume.file("file")))
  }

  @Test(.enabled(if: Mount.isPossible, "only root may mount a volume"))
  func readOnlyVolume() async throws {
    let volume = try await Mount(options: "size=16m,ro")
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    fails(
      try await Haul.get(origin.url("/file"), in: volume.path), "read-only",
      "Choose another folder")
    fails(
      try await Haul.get("-d", "new/folder", origin.url("/file"), in: volume.path), "read-only",
      "Choose another folder")
    #expect(volume.names == [])
  }

  @Test(.enabled(if: Mount.isPossible, "only root may mount a volume"))
  func aVolumeThatBecomesReadOnlyInTheMiddle() async throws {
    let volume = try await Mount(options: "size=64m")
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let script = Script(
      .next { resource.respond(to: $0).stalling(after: 1 << 20, at: gate) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    // An open file keeps its volume writable, so the folder is mounted once more on itself.
    let again = try TemporaryFolder()
    let bind = await Outcome(
      of: try ChildProcess("mount", ["--bind", volume.path, again.path]))
    try #require(bind.exit == .exited(0), "\(bind.error)")
    // The path is a C string during the call.
    defer { unsafe _ = umount2(again.path, Int32(MNT_DETACH)) }
    let child = try Haul.start(["get", origin.url("/file")], in: again.path)
    #expect(await child.waitForText("fetching"))
    let remount = await Outcome(
      of: try ChildProcess("mount", ["-o", "remount,bind,ro", again.path]))
    // Where files are open for writing the system refuses; then there is nothing to be seen.
    gate.open()
    let outcome = await Outcome(of: child)
    if remount.exit == .exited(0) {
      fails(outcome, "read-only", "Choose another folder")
      #expect(!volume.names.contains("file"))
    } else {
      #expect(outcome.exit == .exited(0))
      #expect(Self.content.matches(path: volume.file("file")))
    }
  }

  /// Root may write everywhere, so the program runs as nobody in particular.
  @Test func folderWithoutPermission() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("closed")
    try allow(0o755, folder.path)
    try allow(0o555, folder.path("closed"))
    let program = try TemporaryFolder()
    try allow(0o755, program.path)
    // By a process of its own: one that is started meanwhile would inherit the open file, and what
    // is open for writing cannot be executed.
    let copy = try ChildProcess("cp", [Haul.path, program.path("haul")])
    #expect(await copy.wait() == .exited(0))
    let resource = OriginResource(OriginContent(size: 100))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let asOther = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    for target in ["closed", "closed/new"] {
      let child = try Haul.shell(
        "\(asOther)\(program.path("haul")) get -d \(target) \(origin.url("/file"))",
        in: folder.path)
      fails(await Outcome(of: child), "not-permitted", "permission is missing")
    }
    #expect(folder.names(in: "closed") == [])
  }

  @Test(arguments: ["taken", "taken/below", "taken/deep/below", "link"])
  func somethingElseStandsWhereTheFolderShouldBe(_ target: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "taken")
    try folder.makeLink("link", to: folder.path("taken"))
    let resource = OriginResource(OriginContent(size: 100))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    fails(
      try await Haul.get("-d", target, origin.url("/file"), in: folder.path), "not-a-folder",
      "Choose another folder")
    #expect(folder.names() == ["link", "taken"])
    #expect(folder.read("taken") == [1])
  }

  @Test func folderThatVanishes() async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let script = Script(
      .next { resource.respond(to: $0).stalling(after: 1 << 20, at: gate) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let child = try Haul.start(["get", "-d", "sub", origin.url("/file")], in: folder.path)
    #expect(await child.waitForText("fetching"))
    try folder.remove("sub")
    gate.open()
    fails(await Outcome(of: child), "folder-missing", "Make the folder again")
    #expect(folder.names() == [])
    let next = try await Haul.get("-d", "sub", origin.url("/file"), in: folder.path)
    #expect(next.paths == ["sub/file"])
    #expect(Self.content.matches(path: folder.path("sub/file")))
  }

  /// A deleted working folder was said to lack a permission.
  @Test func aWorkingFolderThatIsDeletedIsSaidToBeMissing() async throws {
    let folder = try TemporaryFolder()
    let resource = OriginResource(OriginContent(size: 1_000, seed: 2))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let script =
      "mkdir gone && cd gone && rmdir ../gone && \"$haul\" get \(origin.url("/file"))"
    let outcome = try await Outcome(of: Haul.shell(script, in: folder.path))
    fails(outcome, "folder-missing", "Make the folder again")
  }

  /// The folder was moved: the file went with it, and a path was told where nothing stands.
  @Test func folderThatIsMoved() async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let content = OriginContent(size: 100_000, seed: 3)
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let child = try Haul.start(["get", "-d", "sub", origin.url("/file")], in: folder.path)
    #expect(await child.waitForText("fetching"))
    try FileManager.default.moveItem(atPath: folder.path("sub"), toPath: folder.path("moved"))
    gate.open()
    let outcome = await Outcome(of: child)
    for path in outcome.paths { #expect(content.matches(path: folder.path(path)), "\(path)") }
    #expect(!outcome.paths.isEmpty || outcome.exit == .exited(6), "\(outcome.error)")
  }

  /// The limit on the length of files (`ulimit -f`) ended the program by a signal.
  @Test(arguments: [true, false])
  func fileBeyondTheLimitOfTheUser(_ hasLength: Bool) async throws {
    let folder = try TemporaryFolder()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { request in
      let response = resource.respond(to: request)
      return hasLength ? response : response.chunked()
    }
    let child = try Haul.shell(
      "ulimit -f 2000; \"$haul\" get \(origin.url("/file"))", in: folder.path)
    fails(await Outcome(of: child), "io", "cannot hold a file of this size")
    #expect(!folder.names().contains("file"))
    let next = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(next.exit == .exited(0), "\(next.error)")
    #expect(folder.names() == ["file"])
    #expect(Self.content.difference(path: folder.path("file")) == nil)
  }

  @Test(arguments: [1, 4])
  func fewDescriptors(_ parallel: Int) async throws {
    let folder = try TemporaryFolder()
    let resource = OriginResource(OriginContent(size: 100_000, seed: 4))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let urls = (0..<12).map { origin.url("/\($0)") }.joined(separator: " ")
    let child = try Haul.shell(
      "ulimit -n 24; \"$haul\" get -j \(parallel) --tries 2 --retry-max-delay 0 \(urls)",
      in: folder.path)
    let outcome = await Outcome(of: child)
    // One after another they never run out; together they may, and say so.
    #expect(parallel > 1 || outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.status != nil, "\(outcome.error)")
    #expect(Set(outcome.paths) == Set(folder.names().map { "\($0)" }))
    for name in folder.names() { #expect(resource.content.matches(path: folder.path(name))) }
  }

  @Test(arguments: [242, 243, 255, 300])
  func longNameOfTheOwner(_ count: Int) async throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: count)
    let resource = OriginResource(OriginContent(size: 100))
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = try await Haul.get("-o", name, origin.url("/file"), in: folder.path)
    if count <= 242 {
      #expect(outcome.exit == .exited(0), "\(outcome.error)")
      #expect(folder.names() == [name])
    } else {
      fails(outcome, "name-too-long", "Choose a shorter one")
      #expect(folder.names() == [])
    }
  }

  /// The disk was full before the first checkpoint. A journal without a byte was left, the part was
  /// removed, and it was said that what was received is kept.
  @Test(.enabled(if: Mount.isPossible, "only root may mount a small volume"))
  func whatCannotBeNotedIsNotSaidToBeKept() async throws {
    let volume = try await Mount(options: "size=40m")
    let gate = Gate()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1 << 20, at: gate) }
    let child = try Haul.start(
      ["get", "--tries", "1", "--low-speed", "1000", origin.url("/file")], in: volume.path)
    #expect(await child.waitForText("fetching"))
    let fill = "fallocate -l $(df --output=avail -B1 . | tail -n 1) filler"
    await Outcome(of: try ChildProcess("sh", ["-c", fill], folder: volume.path)).exitsWell()
    let outcome = await Outcome(of: child)
    // On a busy machine a checkpoint may have come before; then the server is too slow.
    let isKept = volume.names.contains("file.haul-part")
    if !isKept { fails(outcome, "disk-full", "Free some space") }
    #expect(volume.names.contains("file.haul-journal") == isKept, "\(volume.names)")
    #expect(outcome.error.contains("is kept") == isKept, "\(outcome.error)")
  }
}
