import Foundation
import HaulTestKit
import Testing

/// A terminal with a shell in it: a tmux server of its own, which ends with the test.
struct Pane {
  /// The program stands beside the test bundle.
  static let program: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("download-list").path
  }()
  private static let environment = [
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PS1": "$ ", "app": program,
  ]

  private let folder: TemporaryFolder
  private let server: ChildProcess

  init() async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    server = try ChildProcess(
      "tmux", ["-D", "-f", "/dev/null", "-S", folder.path("socket")],
      environment: Self.environment)
    #expect(await eventually { folder.names().contains("socket") })
    _ = try await tmux([
      "new-session", "-d", "-x", "110", "-y", "14", "bash", "--norc", "--noprofile",
    ])
    #expect(await shows { $0.contains("$") })
  }

  private func tmux(_ arguments: [String]) async throws -> String {
    let child = try ChildProcess(
      "tmux", ["-u", "-S", folder.path("socket")] + arguments, environment: Self.environment)
    try #require(await child.wait() == .exited(0), "\(child.errorText)")
    return child.outputText
  }

  func type(_ text: String) async throws { _ = try await tmux(["send-keys", "-l", text]) }

  func press(_ key: String) async throws { _ = try await tmux(["send-keys", key]) }

  /// Waits until the screen is as it should be.
  func shows(_ condition: (String) -> Bool) async -> Bool {
    var screen = ""
    let isThere = await eventually {
      screen = (try? await tmux(["capture-pane", "-p"])) ?? ""
      return condition(screen)
    }
    if !isThere { Issue.record("\(screen)") }
    return isThere
  }

  func shows(_ text: String) async -> Bool { await shows { $0.contains(text) } }
}

/// Looks again and again until something is so; false when it never is.
func eventually(_ condition: () async -> Bool) async -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(20))
  while ContinuousClock.now < deadline {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(30))
  }
  return false
}
