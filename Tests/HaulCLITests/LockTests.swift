import Glibc
import HaulTestKit
import Testing

/// CASES R20: several processes, one folder.
@Suite(.timeLimit(.minutes(1))) struct LockTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static func content(_ path: String) -> OriginContent {
    OriginContent(size: 200_000, seed: path.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
  }

  func holds(_ path: String, as name: String) {
    #expect(Self.content(path).difference(path: folder.path(name)) == nil, "\(name)")
  }

  /// Serves each path its own content; answers stall at the gate after some bytes.
  func origin(_ gate: Gate) throws -> HostileOrigin {
    try HostileOrigin { request in
      OriginResource(Self.content(request.path)).respond(to: request)
        .stalling(after: 100_000, at: gate)
    }
  }

  @Test(arguments: [[], ["-o", "file"], ["--exists", "overwrite"], ["--exists", "fail"]])
  func theSameURLIsRefusedWithinTheFirstSecond(_ options: [String]) async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let arguments = ["get", "--low-speed=0", origin.url("/x/file")] + options
    let first = try Haul.start(arguments, in: folder.path)
    #expect(await first.waitForText("fetching"))
    let second = try await Haul.run(arguments, in: folder.path)
    #expect(second.exit == .exited(6), "\(second.error)")
    #expect(second.output == "")
    #expect(second.error.contains("failed [in-use]"), "\(second.error)")
    #expect(second.error.contains("from the same URL already"), "\(second.error)")
    gate.open()
    #expect(await Outcome(of: first).paths == ["file"])
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }

  @Test func theSameURLIsRefusedOnceThereIsAJournal() async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let first = try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(await eventually { folder.names().contains("file.haul-journal") })
    let second = try await Haul.run(
      ["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(second.exit == .exited(6), "\(second.error)")
    #expect(origin.requests.count == 1)
    gate.open()
    #expect(await first.wait() == .exited(0))
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }

  @Test(arguments: [[], ["-o", "file"]])
  func anotherURLGetsANumber(_ options: [String]) async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let first = try Haul.start(
      ["get", "--low-speed=0", origin.url("/x/file")] + options, in: folder.path)
    #expect(await first.waitForText("fetching"))
    let second = try Haul.start(
      ["get", "--low-speed=0", origin.url("/y/file")] + options, in: folder.path)
    #expect(await second.waitForText("fetching"))
    gate.open()
    #expect(await Outcome(of: first).paths == ["file"])
    #expect(await Outcome(of: second).paths == ["file (1)"])
    #expect(folder.names() == ["file", "file (1)"])
    holds("/x/file", as: "file")
    holds("/y/file", as: "file (1)")
  }

  @Test func ofManyWithOneURLOneWins() async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let children = try (0..<6).map { _ in
      try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    }
    await gate.waitUntilReached(6)
    // All have their answer; five are refused while the winner waits at the gate.
    #expect(await eventually { children.count { $0.exit != nil } == 5 })
    gate.open()
    var exits: [Int32?] = []
    for child in children { exits.append(await Outcome(of: child).status) }
    #expect(exits.sorted { ($0 ?? -1) < ($1 ?? -1) } == [0, 6, 6, 6, 6, 6])
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }

  @Test(arguments: 0..<3)
  func manyURLsOfOneNameNeverOverwriteEachOther(_ round: Int) async throws {
    let start = Gate()
    let origin = try HostileOrigin { request in
      OriginResource(Self.content(request.path)).respond(to: request).delayed(start)
    }
    let count = 6
    let children = try (0..<count).map {
      try Haul.start(["get", "--low-speed=0", origin.url("/\($0)/file.tar.gz")], in: folder.path)
    }
    await start.waitUntilReached(count)
    start.open()
    var names: [String] = []
    for (number, child) in children.enumerated() {
      let outcome = await Outcome(of: child)
      #expect(outcome.exit == .exited(0), "\(outcome.error)")
      let path = try #require(outcome.paths.first)
      names.append(path)
      holds("/\(number)/file.tar.gz", as: path)
    }
    #expect(Set(names).count == count)
    #expect(folder.names() == names.sorted())
    #expect(names.allSatisfy { $0 == "file.tar.gz" || $0.hasSuffix(").tar.gz") })
  }

  /// A part that a user deletes is made anew by the next run of the same URL, while the first run
  /// goes on; that one then gave the final name to the other's half a file.
  @Test func aPartThatWasReplacedIsNotPublished() async throws {
    let (early, late) = (Gate(), Gate())
    let content = Self.content("/x/file")
    let script = Script(
      .next { OriginResource(content).respond(to: $0).stalling(after: 100_000, at: early) },
      finally: { OriginResource(content).respond(to: $0).stalling(after: 50_000, at: late) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let first = try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(await eventually { folder.names().contains("file.haul-part") })
    await early.waitUntilReached()
    for name in folder.names() { try folder.remove(name) }
    let second = try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(await second.waitForText("fetching"))
    await late.waitUntilReached()
    early.open()
    let outcome = await Outcome(of: first)
    #expect(outcome.exit == .exited(6), "\(outcome.error)")
    #expect(outcome.output == "")
    #expect(!folder.names().contains("file"))
    late.open()
    #expect(await Outcome(of: second).paths == ["file"])
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }

  @Test func aPartThatWasDeletedIsANamedFailure() async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let child = try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(await eventually { folder.names().contains("file.haul-part") })
    await gate.waitUntilReached()
    try folder.remove("file.haul-part")
    gate.open()
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(6), "\(outcome.error)")
    #expect(!folder.names().contains("file"))
    let next = try await Haul.get(origin.url("/x/file"), in: folder.path)
    #expect(next.exit == .exited(0))
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }

  @Test func theLockGoesWithTheProcess() async throws {
    let gate = Gate()
    let origin = try origin(gate)
    let first = try Haul.start(["get", "--low-speed=0", origin.url("/x/file")], in: folder.path)
    #expect(await first.waitForText("fetching"))
    first.signal(SIGKILL)
    await first.wait()
    gate.open()
    let second = try await Haul.get(origin.url("/x/file"), in: folder.path)
    #expect(second.paths == ["file"])
    #expect(folder.names() == ["file"])
    holds("/x/file", as: "file")
  }
}
