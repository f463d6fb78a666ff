import FoundationEssentials
import HaulTestKit

/// The programs that are there, with their paths and versions.
struct Installation: Sendable {
  struct Copy: Sendable, Hashable {
    var path: String
    var version: String
  }

  private(set) var copies: [Program: Copy] = [:]

  /// Looks for all programs in `PATH`, except for those of this project, whose paths are given.
  static func find(own: [Program: String], path: String) async throws -> Installation {
    var found = Installation()
    for program in Program.allCases {
      guard let path = own[program] ?? locate(program.rawValue, in: path) else {
        continue
      }
      let child = try ChildProcess(path, ["--version"])
      guard await child.wait() == .exited(0) else { continue }
      found.copies[program] = Copy(
        path: path, version: Program.version(in: child.outputText) ?? "of unknown version")
    }
    return found
  }

  /// The path of an executable file of this name in the folders of `path`.
  static func locate(_ name: String, in path: String) -> String? {
    path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  subscript(program: Program) -> Copy? { copies[program] }
}
