import Foundation
import HaulTestKit
import Testing

/// The built program, run as a user runs it.
enum Haul {
  /// The program stands beside the test bundle in the build folder.
  static let path: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let own = bundle ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("haul").path
  }()

  /// No proxy and no locale of the machine gets into a test. One connection for each file, unless a test
  /// asks for more: others would bring what a test holds back on the first. What is held back is not
  /// given up either, however long a busy machine takes.
  static let environment = [
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C", "HAUL_CONNECTIONS": "1",
    "HAUL_LOW_SPEED": "0",
  ]

  /// Starts the program in a folder.
  static func start(
    _ arguments: [String], in folder: String, input: String = ""
  ) throws -> ChildProcess {
    try ChildProcess(
      path, arguments, environment: environment, folder: folder, input: Array(input.utf8))
  }

  /// Runs a command of the shell in which `"$haul"` is the program.
  static func shell(_ script: String, in folder: String) throws -> ChildProcess {
    var environment = environment
    environment["haul"] = path
    return try ChildProcess("sh", ["-c", script], environment: environment, folder: folder)
  }

  /// Runs the program to its end.
  @discardableResult
  static func run(
    _ arguments: [String], in folder: String, input: String = ""
  ) async throws -> Outcome {
    await Outcome(of: try start(arguments, in: folder, input: input))
  }

  /// Fetches, with pauses between tries that no test has to wait for.
  @discardableResult
  static func get(
    _ arguments: String..., in folder: String, input: String = ""
  ) async throws -> Outcome {
    try await run(["get", "--retry-max-delay", "0"] + arguments, in: folder, input: input)
  }
}

/// What came of a run.
struct Outcome {
  let exit: HaulTestKit.ExitStatus
  let output: String
  let error: String

  init(of child: ChildProcess) async {
    exit = await child.wait()
    output = child.outputText
    error = child.errorText
  }

  /// The exit status; nil when a signal ended the program.
  var status: Int32? {
    if case .exited(let code) = exit { code } else { nil }
  }

  /// The lines of standard output: the paths of finished files.
  var paths: [String] { output.split(separator: "\n").map(String.init) }
}

/// Waits for something that another process does to a folder.
///
/// Nothing tells of it, so it is looked at again and again; only a fault makes it take long.
func eventually(_ condition: () -> Bool) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now.advanced(by: .seconds(20))
  while !condition() {
    guard clock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}

extension TemporaryFolder {
  /// What stands under a name: `file`, `folder`, `link`, or nil.
  func kind(of name: String) -> FileAttributeType? {
    // The attributes of a link are its own, not those of what it names.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    return attributes?[.type] as? FileAttributeType
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  func text(_ name: String) -> String? {
    read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }
}
