import Glibc
import HaulTestKit
import Testing

/// A small volume of its own, for tests that run as root.
final class Mount: Sendable {
  static let isPossible = geteuid() == 0

  let path: String
  private let parent: TemporaryFolder

  init(options: String) async throws {
    parent = try TemporaryFolder()
    try parent.makeFolder("volume")
    path = parent.path("volume")
    try await Self.run("mount", ["-t", "tmpfs", "-o", options, "haul-test", path])
  }

  deinit {
    // Lazily: what may still be open does not keep the folder from going away.
    // The path is a C string during the call.
    _ = unsafe umount2(path, Int32(MNT_DETACH))
  }

  func remount(options: String) async throws {
    try await Self.run("mount", ["-o", "remount,\(options)", path])
  }

  var names: [String] { parent.names(in: "volume") }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    let child = try ChildProcess(program, arguments)
    let exit = await child.wait()
    try #require(exit == .exited(0), "\(child.errorText)")
  }
}
