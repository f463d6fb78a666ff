import Foundation
import HaulHTTP
import HaulSystem
import HaulTestKit
import Testing

/// The events of a run with `--json`, each of which keeps to the schema.
struct Events {
  let all: [[String: any Sendable]]

  /// Reads what a run wrote, and checks every line against `docs/events.schema.json`.
  init(_ output: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text: output, to: "events")
    let check = """
      import json, sys
      from jsonschema import Draft202012Validator
      check = Draft202012Validator(json.load(open(sys.argv[1])))
      for line in open(sys.argv[2], encoding="utf-8"):
          for error in check.iter_errors(json.loads(line)):
              print(line.strip(), error.message, [e.message for e in error.context or []])
      """
    let child = try ChildProcess(
      "python3", ["-W", "ignore", "-c", check, Documents.path("events.schema.json"), "events"],
      environment: Haul.environment, folder: folder.path)
    let exit = await child.wait()
    #expect(exit == .exited(0), "\(child.errorText)")
    #expect(child.outputText == "")
    all = try output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: any Sendable])
    }
  }

  /// The names of the events in order, without those of progress.
  var names: [String] { all.compactMap { $0["event"] as? String }.filter { $0 != "progress" } }

  /// The first event of a name.
  func first(_ name: String) -> [String: any Sendable] {
    all.first { $0["event"] as? String == name } ?? [:]
  }
}

/// The documents of the project.
enum Documents {
  /// The folder of the project.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static func path(_ name: String) -> String { "\(root)/docs/\(name)" }

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }
}

extension Digest {
  /// The SHA-256 of a content.
  static func sha256(of content: OriginContent) -> Digest {
    let hasher = SystemCrypto().makeHasher(.sha256)
    // The array lives through the call.
    unsafe content.bytes().withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }
}
