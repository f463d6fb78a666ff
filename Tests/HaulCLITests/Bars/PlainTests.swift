import HaulTestKit
import Testing

/// Where bars cannot be, or are not wanted.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PlainTests {
  let folder: TemporaryFolder
  let gate = Gate()
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    let gate = gate
    origin = try HostileOrigin { BarsTests.respond(to: $0, gate) }
  }

  func running(_ lines: [String]) -> Bool { lines.last?.contains("50.0%") == true }

  @Test(arguments: [
    ("", [:], true), ("", ["NO_COLOR": "1"], false), ("", ["NO_COLOR": ""], true),
    ("--color never", [:], false), ("--color=always", ["NO_COLOR": "1"], true),
  ])
  func colours(_ option: String, _ variables: [String: String], _ areThere: Bool) async throws {
    let tmux = try await Tmux(columns: 80, in: folder, variables)
    try await tmux.type("clear; $haul get --no-sync \(option) \(origin.url("/stall/a"))")
    #expect(await tmux.shows { running($0) })
    let lines = try await tmux.lines(.coloured)
    #expect(lines.contains { $0.contains("\u{1B}[32m") } == areThere, "\(lines)")
    gate.open()
    #expect(await tmux.isBack())
    let end = try await tmux.lines(.coloured)
    #expect(end.contains { $0.contains("\u{1B}[32mfinished") } == areThere, "\(end)")
    #expect(end.contains { $0.contains("finished") })
  }

  @Test(arguments: [
    (["TERM": "dumb"], ""), (["TERM": ""], ""), ([:], "--progress=plain"), ([:], "--progress none"),
  ])
  func aTerminalWithPlainLines(_ variables: [String: String], _ option: String) async throws {
    let tmux = try await Tmux(columns: 80, in: folder, variables)
    try await tmux.type("clear; $haul get --no-sync \(option) \(origin.url("/stall/a"))")
    #expect(await tmux.shows { $0.last == "haul: fetching a (1.00 MiB)" })
    gate.open()
    #expect(await tmux.isBack())
    let lines = try await tmux.lines()
    #expect(!lines.haveBars)
    #expect(lines.starting("haul: finished a: 1.00 MiB in ").count == 1, "\(lines)")
    #expect(lines.count { $0 == "a" } == 0)
  }

  @Test func withoutUTF8EverythingIsASCII() async throws {
    let tmux = try await Tmux(columns: 60, in: folder, ["LC_ALL": "C"])
    try await tmux.type("clear; $haul get \(origin.url("/stall/a")) -o 'Grüße aus der Ferne.bin'")
    #expect(await tmux.shows { running($0) })
    let row = try await tmux.lines().last ?? ""
    #expect(row.hasPrefix("Gr???e aus ") || row.hasPrefix("Gr??e aus "), "\(row)")
    #expect(row.contains("[====>   ]"), "\(row)")
    #expect(row.utf8.allSatisfy { $0 < 0x7F }, "\(row)")
    try await tmux.press("C-c")
    #expect(await tmux.isBack())
  }

  @Test func quietlyNothingIsDrawn() async throws {
    let tmux = try await Tmux(columns: 60, in: folder)
    try await tmux.type("clear; $haul get -q \(origin.url("/stall/a")) \(origin.url("/open/b"))")
    #expect(await tmux.shows { $0.last == "b" })
    gate.open()
    #expect(await tmux.isBack())
    #expect(try await tmux.lines().suffix(3) == ["b", "a", "$"])
  }

  /// What another program makes of our output comes at any time, to the same terminal.
  @Test func pathsThatComeBackThroughAPipeDoNotTearTheBars() async throws {
    let tmux = try await Tmux(columns: 60, in: folder)
    try await tmux.type(
      "clear; $haul get -j4 --no-sync \(origin.url("/stall/a")) "
        + (1...3).map { origin.url("/open/b\($0)") }.joined(separator: " ") + " | sed 's/^/path /'")
    #expect(await tmux.shows { $0.last?.hasPrefix("3 of 4 done") == true })
    #expect(await tmux.shows { $0.starting("path b").count == 3 })
    gate.open()
    #expect(await tmux.isBack())
    let lines = try await tmux.lines()
    #expect(!lines.haveBars, "\(lines)")
    #expect(lines.starting("path ").count == 4)
  }

  @Test func elsewhereThereIsALineForEachEvent() async throws {
    let script = Script(
      .next { BarsTests.respond(to: $0, gate).resetting(after: 100_000) },
      finally: { OriginResource(OriginContent(size: 1_048_576, seed: 7)).respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let outcome = try await Haul.get(origin.url("/stall/a"), in: folder.path)
    #expect(outcome.output == "a\n")
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[0] == "haul: fetching a (1.00 MiB)")
    #expect(lines[1].contains("; try 2 of 8 in 0.0 s"), "\(lines)")
    #expect(lines[2].hasPrefix("haul: finished a: 1.00 MiB in "), "\(lines)")
    #expect(!outcome.error.contains("\u{1B}"))
  }

  @Test func barsThatAreAskedForAreDrawnAnywhere() async throws {
    let child = try Haul.start(
      ["get", "--progress", "bar", origin.url("/stall/a")], in: folder.path)
    #expect(await child.waitForText("50.0%"))
    gate.open()
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains("\u{1B}[?2026h"))
    let end = outcome.error.split(separator: "\n").last
    #expect(end?.contains("finished a: 1.00 MiB in ") == true)
  }

  @Test(arguments: [
    ("--progress=dot", "--progress takes auto, bar, plain or none, not “dot”"),
    ("--color=yes", "--color takes auto, always or never, not “yes”"),
    ("--no-progress-meter", "use --progress none"),
  ])
  func unknownChoices(_ option: String, _ says: String) async throws {
    let outcome = try await Haul.run(["get", option, "http://127.0.0.1:1/x"], in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }
}
