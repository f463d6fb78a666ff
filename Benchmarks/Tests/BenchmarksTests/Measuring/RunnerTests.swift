import FoundationEssentials
import HaulTestKit
import Testing

@testable import Benchmarks

/// The whole way of one workload, with nginx, curl, and programs that do wrong.
@Suite(.timeLimit(.minutes(1))) struct RunnerTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A program that is a shell script.
  func script(_ name: String, _ text: String) throws -> Installation.Copy {
    try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: name)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path(name))
    return Installation.Copy(path: folder.path(name), version: "1")
  }

  func run(_ workload: Workload, _ copies: [Program: Installation.Copy]) async throws
    -> Results.Outcome
  {
    var runner = Runner(
      installation: Installation(copies: copies),
      launch: Launch(
        launcher: try LaunchTests.launch().launcher, environment: ["PATH": Session.path]),
      folders: [.disk: folder.path], authority: try TestAuthority(),
      pacer: try LaunchTests.built("pacer"), random: SplitMix64(seed: 1), report: { _ in })
    return try await runner.run(workload, rounds: 3)
  }

  @Test func whoDoesWrongHasNoTime() async throws {
    var workload = try #require(Catalogue.workloads(.quick).first { $0.name == "1k" })
    workload.contestants = [.haul(isDurable: true), .curl, .aria2c(), .wget2]
    let curl = try #require(Installation.locate("curl", in: Session.path))
    let outcome = try await run(
      workload,
      [
        .haul: script("haul", "echo no network >&2; exit 3"),
        .curl: Installation.Copy(path: curl, version: "1"),
        // Fast, and wrong: the file is there and has the right length.
        .wget2: script(
          "wget2", "while [ \"$1\" != -O ]; do shift; done; head -c 1024 /dev/zero >\"$2\""),
      ])
    #expect(outcome.entries.map(\.contestant) == ["haul", "curl", "aria2c", "wget2"])
    #expect(outcome.entries[0].fault == "exit status 3: no network")
    #expect(outcome.entries[1].fault == nil)
    #expect(outcome.entries[1].samples.count == 3)
    #expect(outcome.entries[1].httpVersion == "HTTP/1.1")
    #expect(outcome.entries[2].fault == "not installed")
    #expect(outcome.entries[3].fault == "f1.bin is wrong: the byte at 0 is another")
    #expect(outcome.entries.count { !$0.samples.isEmpty } == 1)
    #expect(folder.names() == ["haul", "wget2"])
  }

  /// A program that did right at first and wrong later kept the times of its good rounds.
  @Test func oneWrongRoundIsEnough() async throws {
    var workload = try #require(Catalogue.workloads(.quick).first { $0.name == "version" })
    workload.contestants = [.curl]
    workload.destination = .disk
    let count = folder.path("count")
    let outcome = try await run(
      workload, [.curl: script("curl", "echo >>'\(count)'; [ $(wc -l <'\(count)') -lt 3 ]")])
    #expect(outcome.entries[0].fault == "exit status 1")
    #expect(!outcome.entries[0].isSound)
    // The warm-up and the first round went well; nothing was run after the failure.
    #expect(outcome.entries[0].samples.count == 1)
    #expect(folder.read("count")?.count == 3)
  }

  @Test func anIdealIsComputedAndFloorsAreRun() async throws {
    let workload = Workload(
      name: "paced", title: "paced",
      work: .fetch(
        FileSet(count: 1, size: 1 << 20), parallel: 1, from: .paced(Pace(rate: 16 << 20))),
      destination: .disk,
      contestants: [.receiver, .copy, .ideal(connections: 1), .ideal(connections: 2)],
      comparisons: [])
    let receiver = try LaunchTests.built("receiver")
    let outcome = try await run(
      workload,
      [
        .receiver: Installation.Copy(path: receiver, version: "1"),
        .cp: Installation.Copy(path: "/bin/cp", version: "1"),
      ])
    #expect(outcome.entries.map(\.fault) == [nil, nil, nil, nil])
    #expect(outcome.entries.map(\.samples.count) == [3, 3, 3, 3])
    // A mebibyte at sixteen a second, on one connection; what it saved up is a third of that.
    let walls = outcome.entries.map(\.wall)
    #expect(walls[0] > 0.04)
    #expect(walls[2] == 0.0625)
    #expect(walls[3] == 0.03125)
    #expect(outcome.entries.map(\.httpVersion) == [nil, nil, nil, nil])
  }

  @Test func whatHasNoIdealIsAFault() async throws {
    var workload = try #require(Catalogue.workloads(.quick).first { $0.name == "1k" })
    workload.contestants = [.ideal(connections: 1)]
    let outcome = try await run(workload, [:])
    #expect(outcome.entries[0].fault == "cannot be computed")
    #expect(!outcome.entries[0].isSound)
  }

  @Test func manyFilesComeByAList() async throws {
    let workload = Workload(
      name: "many", title: "many",
      work: .fetch(FileSet(count: 12, size: 2_000), parallel: 4, from: .nginx(.http2)),
      destination: .disk, contestants: [.curl], comparisons: [])
    let curl = try #require(Installation.locate("curl", in: Session.path))
    let outcome = try await run(workload, [.curl: Installation.Copy(path: curl, version: "1")])
    #expect(outcome.entries[0].fault == nil)
    #expect(outcome.entries[0].httpVersion == "HTTP/2.0")
    #expect(folder.names().isEmpty)
  }
}
