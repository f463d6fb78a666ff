internal import Glibc

/// A small volume of its own, for tests that run as root; it goes with the last reference.
///
/// ```swift
/// let volume = try await Mount(options: "size=512k")
/// ```
public final class Mount: Sendable {
  /// Whether this process may mount.
  public static let isPossible = geteuid() == 0

  /// The absolute path of the root of the volume.
  public let path: String
  private let parent: TemporaryFolder

  /// Mounts a volume, in memory unless another type is asked for.
  ///
  /// - Throws: `KitError` when that fails.
  public init(_ type: String = "tmpfs", options: String) async throws {
    parent = try TemporaryFolder()
    try parent.makeFolder("volume")
    path = parent.path("volume")
    try await Self.run(["-t", type, "-o", options, "haul-test", path])
  }

  deinit {
    // Lazily: what may still be open does not keep the folder from going away.
    // The path is a C string during the call.
    _ = unsafe umount2(path, Int32(MNT_DETACH))
  }

  /// Changes the options of the volume.
  ///
  /// - Throws: `KitError` when that fails.
  public func remount(options: String) async throws {
    try await Self.run(["-o", "remount,\(options)", path])
  }

  /// The names in the root of the volume, sorted.
  public var names: [String] { parent.names(in: "volume") }

  /// The path of a name in the root of the volume.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func run(_ arguments: [String]) async throws {
    let child = try ChildProcess("mount", arguments)
    guard await child.wait() == .exited(0) else {
      throw KitError("mount failed: \(child.errorText)")
    }
  }
}
