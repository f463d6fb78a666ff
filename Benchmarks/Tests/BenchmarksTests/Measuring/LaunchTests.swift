import FoundationEssentials
import HaulTestKit
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(1))) struct LaunchTests {
  /// The path of a program that is built into the folder of the tests.
  static func built(_ name: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = tests.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/\(name)"
  }

  static func launch(limit: Int = 30) throws -> Launch {
    Launch(launcher: try built("launcher"), environment: ["GIVEN": "1"], limit: limit)
  }

  @Test func theLineBecomesASample() {
    let outcome = Launch.outcome(line: "1500000000 250000000 50000000 4096 exited 0\n", error: "")
    #expect(outcome == .done(Sample(wall: 1.5, cpu: 0.3, memory: 4096)))
  }

  @Test(arguments: [
    ("1 2 3 4 exited 7", "bad\nworse", "exit status 7: bad"),
    ("1 2 3 4 signalled 9", "", "ended by signal 9"),
    ("1 2 3 4 late 9", "", "did not end in time"),
    ("1 2 3 4 exited", "", "the launcher said “1 2 3 4 exited”"),
  ]) func aFailureSaysHow(_ line: String, _ error: String, _ phrase: String) {
    #expect(Launch.outcome(line: line, error: error) == .failed(phrase))
  }

  @Test func aProgramIsMeasured() async throws {
    let outcome = try await Self.launch().run(
      Command(["/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]))
    guard case .done(let sample) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(sample.cpu > 0.001)
    // Waiting for a processor is not part of the CPU time.
    #expect(sample.wall > sample.cpu * 0.5)
  }

  /// The memory of the process that started a program was counted as the program's own.
  @Test func theMemoryIsThatOfTheProgramAlone() async throws {
    // More than what a shell needs lies in this process, and all of it was touched.
    let ballast = [UInt8](repeating: 1, count: 64 << 20)
    let outcome = try await Self.launch().run(Command(["/bin/sh", "-c", "exit 0"]))
    #expect(ballast.last == 1)
    guard case .done(let sample) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect((200..<16_384).contains(sample.memory))
  }

  @Test func theEnvironmentIsTheOneGiven() async throws {
    let command = Command(["/bin/sh", "-c", "test \"$GIVEN\" = 1 && test -z \"$HOME\""])
    guard case .done = try await Self.launch().run(command) else {
      Issue.record("the environment is another one")
      return
    }
  }

  @Test func failuresAreTold() async throws {
    let launch = try Self.launch()
    #expect(
      try await launch.run(Command(["/bin/sh", "-c", "echo no luck >&2; exit 3"]))
        == .failed("exit status 3: no luck"))
    #expect(
      try await launch.run(Command(["/nowhere/program"]))
        == .failed("exit status 127: /nowhere/program: No such file or directory"))
  }

  @Test func aProgramThatHangsIsEnded() async throws {
    let outcome = try await Self.launch(limit: 1).run(
      Command(["/bin/sh", "-c", "sleep 1000; exit 0"]))
    #expect(outcome == .failed("did not end in time"))
  }
}
