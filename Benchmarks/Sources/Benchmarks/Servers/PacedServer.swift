import HaulTestKit

/// A server of one file, as fast on each connection as a pace says. It ends with the last reference.
final class PacedServer: Sendable {
  /// The path of the file.
  let path: String
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let port: UInt16

  /// Writes the file, starts the server and waits until it listens.
  ///
  /// - Parameters:
  ///   - content: What is in the file.
  ///   - name: The name of the file.
  ///   - pace: How fast the server is.
  ///   - program: The path of the server's program.
  /// - Throws: `KitError` when the file cannot be written or the program does not start.
  init(_ content: OriginContent, name: String, pace: Pace, program: String) async throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try content.write(to: path)
    var words = [path, "\(pace.rate)"]
    if let slow = pace.slow { words += ["\(pace.slowRate)", "\(slow.number)", "\(slow.of)"] }
    process = try ChildProcess(program, words)
    guard await process.waitForText("\n", in: .output),
      let port = UInt16(process.outputText.trimming)
    else { throw KitError("the paced server does not start: \(process.errorText)") }
    self.port = port
  }

  /// The URL of a path, which begins with a slash.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
