import Foundation
import Glibc
import HaulTestKit
import Testing

/// Stopping, going on, and the background: the terminal belongs to whoever the shell says.
@Suite(.serialized, .timeLimit(.minutes(2))) struct JobControlTests {
  let folder: TemporaryFolder
  let gate = Gate()
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    let gate = gate
    origin = try HostileOrigin { BarsTests.respond(to: $0, gate) }
  }

  var get: String { "$haul get --no-sync \(origin.url("/stall/a")) \(origin.url("/stall/b"))" }

  func isRunning(_ lines: [String]) -> Bool {
    lines.count >= 3 && lines.suffix(3).allSatisfy { $0.contains("50.0%") }
  }

  /// The number of the running program.
  func process() throws -> pid_t {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    return try #require(
      names.compactMap { pid_t($0) }.first { pid in
        let words = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
        let text = String(decoding: words, as: UTF8.self)
        return text.hasPrefix(Haul.path) && text.contains(origin.url("/stall/a"))
      })
  }

  @Test func ctrlZTakesTheBarsAwayAndFgBringsThemBack() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get)
    #expect(await tmux.shows(isRunning))
    for round in 1...3 {
      try await tmux.press("C-z")
      #expect(await tmux.shows { $0.last == "$" && $0.count { $0.contains("Stopped") } == 1 })
      #expect(try await !tmux.lines().haveBars)
      try await tmux.type("clear; echo round \(round)")
      #expect(await tmux.shows { $0.contains("round \(round)") })
      try await tmux.type("fg")
      #expect(await tmux.shows(isRunning))
      let lines = try await tmux.lines()
      #expect(lines.count { $0.hasPrefix("a ") } == 1)
      #expect(lines.contains("round \(round)"))
    }
    gate.open()
    #expect(await tmux.isBack())
    #expect(try await !tmux.lines().haveBars)
    #expect(folder.names() == ["a", "b"])
  }

  /// A shell ends a loop at Ctrl-C only when what ran in it died of the signal: a program that ends
  /// by itself, with whatever status, has dealt with it, and the loop went on with the next file.
  @Test func ctrlCEndsALoopOfTheShellToo() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; for i in 1 2 3; do \(get); echo round $i; done; echo status $?")
    #expect(await tmux.shows(isRunning))
    let asked = origin.requests.count
    try await tmux.press("C-c")
    try await tmux.type("echo status $?")
    #expect(await tmux.shows { $0.contains("status 130") })
    #expect(try await !tmux.lines().contains { $0.hasPrefix("round") })
    #expect(origin.requests.count == asked)
    gate.open()
  }

  @Test func inTheBackgroundNothingIsDrawn() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get + " &")
    await gate.waitUntilReached(2)
    try await tmux.type("clear; echo mine; sleep 0.5; echo still mine")
    #expect(await tmux.shows { $0.contains("still mine") })
    #expect(try await !tmux.lines().haveBars)
    try await tmux.type("fg")
    #expect(await tmux.shows(isRunning))
    try await tmux.press("C-z")
    #expect(await tmux.shows { $0.last == "$" && $0.contains { $0.contains("Stopped") } })
    try await tmux.type("clear; bg")
    gate.open()
    // What is done is told all the same.
    #expect(await tmux.shows { $0.contains { $0.contains("2 files are there") } })
    #expect(try await !tmux.lines().haveBars)
  }

  /// Others wrote below the bars while it was stopped: those lines stay.
  @Test func aStopThatItDoesNotHearOf() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get)
    #expect(await tmux.shows(isRunning))
    let pid = try process()
    kill(pid, SIGSTOP)
    #expect(await tmux.shows { $0.last == "$" })
    try await tmux.type("echo meanwhile; fg")
    #expect(
      await tmux.shows { lines in
        isRunning(lines) && lines.count { $0.contains("50.0%") } == 6
      })
    let lines = try await tmux.lines()
    #expect(lines.contains("meanwhile"), "\(lines)")
    gate.open()
    #expect(await tmux.isBack())
  }

  @Test func killedItLeavesAPromptOnALineOfItsOwn() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get)
    #expect(await tmux.shows(isRunning))
    kill(try process(), SIGKILL)
    #expect(await tmux.shows { $0.last == "$" })
    #expect(try await tmux.value("cursor_flag") == "1")
    #expect(try await tmux.value("wrap_flag") == "1")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func aSignalEndsItLikeCtrlC(_ signal: Int32) async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get)
    #expect(await tmux.shows(isRunning))
    kill(try process(), signal)
    #expect(await tmux.isBack())
    let lines = try await tmux.lines()
    #expect(!lines.haveBars)
    #expect(lines.starting("what was received is kept; to go on: ").count == 1, "\(lines)")
  }
}
