import HaulTestKit
import Testing

@testable import HaulCLI

/// The bars of `haul get` as they stand on a terminal.
///
/// Files stall at known bytes until their gate opens, so that what is shown stands still but for the
/// rate.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BarsTests {
  let folder: TemporaryFolder
  let gate = Gate()
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    let gate = gate
    origin = try HostileOrigin { request in Self.respond(to: request, gate) }
  }

  /// `/stall/NAME`: 1 MiB that stalls after a half. `/open/NAME`: 10 KiB. `/endless/NAME`: a half
  /// of it without a length. `/busy`: 503. Anything else is missing.
  static func respond(to request: OriginRequest, _ gate: Gate) -> OriginResponse {
    let size: Int64 = request.path.hasPrefix("/open") ? 10_240 : 1_048_576
    let resource = OriginResource(OriginContent(size: size, seed: 7))
    switch request.path.split(separator: "/").first {
    case "stall": return resource.respond(to: request).stalling(after: 524_288, at: gate)
    case "open": return resource.respond(to: request)
    case "endless":
      var response = resource.respond(to: request).stalling(after: 524_288, at: gate)
      response.framing = .chunked
      return response
    case "busy":
      return OriginResponse(status: 503, text: "busy").with("Retry-After", "100")
    default: return OriginResponse(status: 404, text: "none")
    }
  }

  func get(_ paths: String..., options: String = "") -> String {
    "$haul get --no-sync \(options) " + paths.map { origin.url($0) }.joined(separator: " ")
  }

  @Test func aRowForEachFileAndOneForTheWhole() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get("/stall/a.bin", "/stall/b.bin", "/endless/c.bin"))
    #expect(
      await tmux.shows { lines in
        let rows = lines.count { $0.contains(" 0.50/1.00 MiB ") || $0.contains(" 512 KiB ") }
        return rows == 3 && lines.last?.contains(" 1.50 MiB ") == true
      })
    let lines = try await tmux.lines().suffix(4)
    for name in ["a.bin", "b.bin"] {
      let row = lines.first { $0.hasPrefix("\(name) ") } ?? ""
      #expect(row.contains("  50.0%  0.50/1.00 MiB  "), "\(row)")
      #expect(row.contains("━╸─") && row.contains("/s"), "\(row)")
    }
    let endless = lines.first { $0.hasPrefix("c.bin ") } ?? ""
    #expect(endless.contains("─━━━─") || endless.contains("  ━━━─"), "\(endless)")
    #expect(endless.contains(" 512 KiB "))
    #expect(!endless.contains("%"))
    let whole = lines.last ?? ""
    #expect(whole.hasPrefix("0 of 3 done, 3 running "), "\(whole)")
    #expect(whole.contains(" 33.3% ") && whole.contains(" 1.50 MiB "), "\(whole)")
    #expect(try await tmux.value("cursor_flag") == "1")

    gate.open()
    #expect(await tmux.isBack())
    let end = try await tmux.lines()
    #expect(!end.haveBars)
    for name in ["a.bin", "b.bin", "c.bin"] {
      #expect(end.count { $0.hasPrefix("finished \(name): 1.00 MiB in ") } == 1)
      // Its path would say the same once more.
      #expect(end.count { $0 == name } == 0)
    }
    #expect(end.dropLast().last?.hasPrefix("3 files are there: 3.00 MiB in ") == true, "\(end)")
  }

  /// What the terminal itself moves out of the screen when lines get longer is out of reach; what is
  /// on the screen is not.
  @Test func aResizeLeavesNothingBehind() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get("/stall/a-rather-long-name.bin", "/stall/b"))
    #expect(await tmux.shows { $0.count { $0.contains("50.0%") } == 3 })
    for columns in [40, 100, 30, 60, 25, 100] {
      try await tmux.resize(columns: columns)
      #expect(
        await tmux.shows(.screen) { lines in
          lines.count == 3 && lines[0].hasPrefix("a-rat") && lines[1].hasPrefix("b ")
            && lines.allSatisfy { $0.contains("50.0%") && $0.count < columns }
            && lines[0].contains("━") == (columns > 40)
            && lines[0].contains("0.50/1.00 MiB") == (columns > 80)
        })
    }
    gate.open()
    #expect(await tmux.isBack())
    let end = try await tmux.lines(.screen)
    #expect(!end.haveBars, "\(end)")
  }

  @Test func afterAnInterruptTheCommandThatIsShownGoesOn() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try folder.makeFolder("my files")
    try await tmux.type("clear; " + get("/open/a", "/stall/b", options: "-j1 -d 'my files'"))
    #expect(await tmux.shows { $0.contains { $0.contains("50.0%") } })
    try await tmux.press("C-c")
    #expect(await tmux.isBack())
    let lines = try await tmux.lines(.joined)
    #expect(!lines.haveBars)
    #expect(!lines.contains { $0.contains("^C") }, "\(lines)")
    #expect(lines.contains("interrupted my files/b after 512 KiB"), "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("1 of 2 files is there, 1 interrupted: 522 KiB in ") },
      "\(lines)")
    let start = "what was received is kept; to go on: "
    let command = lines.first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? ""
    #expect(command.hasPrefix("\(Haul.path) get --exists skip --no-sync -j1 -d 'my files' http"))
    gate.open()
    try await tmux.type("clear; " + command)
    #expect(
      await tmux.shows {
        $0.contains("skipped my files/a: a file of the same size and time is there")
      })
    #expect(await tmux.isBack())
    #expect(try await tmux.lines().contains("going on with my files/b after 512 KiB"))
    #expect(folder.names(in: "my files") == ["a", "b"])
  }

  @Test func wideNamesStandInTheirColumns() async throws {
    let tmux = try await Tmux(columns: 70, in: folder)
    let list = [
      "\(origin.url("/stall/1"))\t日本語のファイル.tar.gz",
      "\(origin.url("/stall/2"))\tcafe\u{301} 👨\u{200D}👩\u{200D}👧 🇩🇪.bin",
      "\(origin.url("/stall/3"))\tplain.bin", "\(origin.url("/stall/4"))\t\u{202E}gpj.exe",
    ]
    try folder.write(text: list.joined(separator: "\n"), to: "list")
    try await tmux.type("clear; $haul get -j4 -i list")
    #expect(await tmux.shows { $0.count { $0.contains("50.0%") } == 5 })
    let rows = try await tmux.lines().suffix(5)
    #expect(rows.contains { $0.hasPrefix("日本語のファイル.tar.gz ") }, "\(rows)")
    #expect(rows.contains { $0.hasPrefix("cafe\u{301} 👨👩👧 🇩🇪.bin ") }, "\(rows)")
    #expect(rows.contains { $0.hasPrefix("\u{FFFD}gpj.exe ") }, "\(rows)")
    // tmux pads what is wide; in columns, everything stands below each other.
    let columns = rows.map { row in
      DisplayColumns.of(row[..<(row.firstRange(of: "50.0%")?.lowerBound ?? row.endIndex)])
    }
    #expect(Set(columns).count == 1, "\(columns) \(rows)")
    gate.open()
    #expect(await tmux.isBack())
  }

  @Test func moreFilesThanRows() async throws {
    let tmux = try await Tmux(columns: 90, rows: 10, in: folder)
    try folder.write(
      text: (10..<40).map { origin.url("/stall/file-\($0)") }.joined(separator: "\n"), to: "list")
    try await tmux.type("clear; $haul get -j 20 -i list")
    #expect(
      await tmux.shows { lines in
        lines.contains("… and 14 more") && lines.last?.contains(" 20 running") == true
      })
    let rows = try await tmux.lines().suffix(8)
    #expect(rows.dropLast(2).map { $0.prefix(7) } == (10..<16).map { "file-\($0)" })
    gate.open()
    #expect(await tmux.isBack())
    let end = try await tmux.lines()
    #expect(!end.haveBars)
    #expect(end.starting("finished file-").count == 30)
    #expect(end.starting("30 files are there").count == 1)
  }

  @Test func messagesScrollUpAboveTheBars() async throws {
    let tmux = try await Tmux(columns: 100, in: folder)
    try await tmux.type("clear; " + get("/stall/a", "/open/b", "/none"))
    #expect(await tmux.shows { $0.last?.hasPrefix("1 of 3 done, 1 running, 1 failed") == true })
    let lines = try await tmux.lines(.joined)
    #expect(lines.starting("finished b: 10.0 KiB in ").count == 1)
    #expect(lines.starting("failed [http-status]: \(origin.url("/none")) was answered").count == 1)
    #expect(lines.suffix(2).first?.hasPrefix("a ") == true, "\(lines)")
    gate.open()
    #expect(await tmux.isBack())
    let end = try await tmux.lines(.joined)
    #expect(!end.haveBars)
    // It is still in sight, and not told again.
    #expect(!end.contains("failed [http-status]:"))
    #expect(end.starting("failed [http-status]: \(origin.url("/none")) was").count == 1, "\(end)")
    #expect(end.starting("2 of 3 files are there, 1 failed: ").count == 1)
  }

  @Test func aPauseSaysWhyAndCountsDown() async throws {
    let tmux = try await Tmux(columns: 110, in: folder)
    try await tmux.type("clear; " + get("/busy"))
    #expect(await tmux.shows { $0.last?.hasSuffix("status 503, next try in 1m38s") == true })
    #expect(await tmux.shows { $0.last?.hasSuffix("status 503, next try in 1m37s") == true })
    try await tmux.press("C-c")
    #expect(await tmux.isBack())
    #expect(try await !tmux.lines().haveBars)
  }

  @Test func aListThatIsStillBeingReadMayBringMore() async throws {
    let tmux = try await Tmux(columns: 80, in: folder)
    try await tmux.type("clear; mkfifo list; exec 3<>list; echo '\(origin.url("/open/a"))' >&3")
    try await tmux.type("$haul get -i - <&3")
    #expect(await tmux.shows { $0.last?.hasPrefix("1 done, 0 running, more to come") == true })
    try await tmux.press("C-c")
    #expect(await tmux.isBack())
    let lines = try await tmux.lines(.joined)
    #expect(
      lines.contains("to go on: \(Haul.path) get --exists skip -i - < LIST")
        || lines.contains("to go on: \(Haul.path) get -i - < LIST"), "\(lines)")
  }
}

/// Columns by the rules of the program, which are tested by themselves.
enum DisplayColumns {
  static func of(_ text: Substring) -> Int { DisplayWidth.of(text) }
}
