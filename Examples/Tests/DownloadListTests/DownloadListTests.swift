import Foundation
import HaulTestKit
import Testing

/// The list of downloads as its user sees it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DownloadListTests {
  let folder: TemporaryFolder
  let gate = Gate()
  let origin: HostileOrigin
  private static let content = OriginContent(size: 1_048_576, seed: 7)

  init() throws {
    folder = try TemporaryFolder()
    let gate = gate
    // `/stall/NAME` stalls after a half, and further answers at once; `/open/NAME` does not.
    origin = try HostileOrigin { request in
      let resource = OriginResource(Self.content)
      switch request.path.split(separator: "/").first {
      case "stall":
        let count: Int64 = request.header("Range") == nil ? 524_288 : 0
        return resource.respond(to: request).stalling(after: count, at: gate)
      case "open": return resource.respond(to: request)
      default: return OriginResponse(status: 404, text: "none")
      }
    }
  }

  private var arguments: [String] { ["--state", folder.path("state"), "--to", folder.path("to")] }

  /// Starts the program in the terminal; the file `pid` names its process.
  private func start(_ pane: Pane, _ paths: String...) async throws {
    let words = (arguments + paths.map { origin.url($0) }).joined(separator: " ")
    try await pane.type("clear; sh -c 'echo $$ >\(folder.path("pid")); exec $app \(words)'")
    try await pane.press("Enter")
    #expect(await pane.shows(" at once"))
  }

  private func signal(_ number: Int32) throws {
    let text = String(decoding: try #require(folder.read("pid")), as: UTF8.self)
    let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(pid > 1 && kill(pid, number) == 0)
  }

  /// The shell has the terminal again, with lines and echo.
  private func isRestored(_ pane: Pane) async throws -> Bool {
    guard await pane.shows({ !$0.contains(" at once") && $0.contains("$") }) else { return false }
    try await pane.type("clear; stty -a | grep -oE '(^| )(icanon|echo) '")
    try await pane.press("Enter")
    return await pane.shows { $0.contains("icanon\n") && $0.contains("echo\n") }
  }

  @Test func whatWasKilledGoesOn() async throws {
    let pane = try await Pane()
    try await start(pane, "/stall/film")
    #expect(await pane.shows { $0.contains("> film ") && $0.contains(" 50 % downloading") })
    try await pane.type(" ")
    #expect(await pane.shows("% paused"))
    let before = origin.requests.count
    try await pane.type(" ")
    #expect(await pane.shows(" 50 % downloading"))
    try await pane.type("a\(origin.url("/none"))")
    #expect(await pane.shows("Address: http"))
    try await pane.press("Enter")
    #expect(await pane.shows("failed [http-status]"))
    try signal(SIGKILL)
    #expect(await pane.shows("$"))
    gate.open()
    try await pane.type("stty sane")
    try await pane.press("Enter")
    try await start(pane)
    #expect(await pane.shows("100 % finished"))
    #expect(Self.content.matches(path: folder.path("to/film")))
    let later = origin.requests.dropFirst(before).filter { $0.path == "/stall/film" }
    #expect(!later.isEmpty && later.allSatisfy { $0.header("Range") != nil })
    try await pane.type("q")
    #expect(try await isRestored(pane))
  }

  @Test func keysPauseMoveAndRemove() async throws {
    let pane = try await Pane()
    try await start(pane, "/stall/one", "/stall/two", "/none")
    #expect(await pane.shows("failed [http-status]"))
    try await pane.type(" ")
    #expect(await pane.shows { $0.contains("> one ") && $0.contains("% paused") })
    try await pane.type("J")
    #expect(
      await pane.shows { $0.range(of: "(?s) two .*> one ", options: .regularExpression) != nil })
    try await pane.type("-")
    #expect(await pane.shows("2 at once"))
    try await pane.press("Down")
    #expect(await pane.shows("was answered with 404"))
    try await pane.type("d")
    #expect(await pane.shows("2 downloads, 0 finished"))
    try signal(SIGTERM)
    #expect(try await isRestored(pane))
  }

  @Test func withoutATerminalEachChangeIsALine() async throws {
    let child = try ChildProcess(
      Pane.program, arguments + [origin.url("/open/film"), origin.url("/none")],
      folder: folder.path)
    #expect(await child.wait() == .exited(0), "\(child.errorText)")
    let lines = child.outputText.split(separator: "\n")
    #expect(lines.contains("film: finished"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("none: failed [http-status]: ") }, "\(lines)")
    #expect(Self.content.matches(path: folder.path("to/film")))
  }

  @Test func aSecondOneOfTheSameListSaysSo() async throws {
    let first = try ChildProcess(
      Pane.program, arguments + [origin.url("/stall/film")], folder: folder.path)
    #expect(await first.waitForText("film: downloading", in: .output))
    let second = try ChildProcess(Pane.program, arguments, folder: folder.path)
    #expect(await second.wait() == .exited(1))
    #expect(second.errorText.contains("Another program has the list"))
    first.signal(SIGTERM)
    #expect(await first.wait() == .exited(0))
  }
}
