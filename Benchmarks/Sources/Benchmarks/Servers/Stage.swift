import HaulTestKit

/// Server, folders and command lines of one workload.
final class Stage {
  /// Nil when nothing is fetched.
  let served: ServedFiles?
  let output: OutputFolder
  private(set) var commands: [Contestant: Command] = [:]
  private let lists: TemporaryFolder
  private let parallel: Int

  /// Starts the server, if there is something to fetch. The folder for the programs is made in
  /// `folder`.
  ///
  /// - Parameters:
  ///   - workload: The work.
  ///   - folder: A folder on the file system to write to, or nil for any.
  ///   - authority: Who issues the certificates.
  ///   - pacer: The path of the program that serves at a pace.
  /// - Throws: `KitError` when a server does not start or the files do not fit.
  init(
    _ workload: Workload, folder: String?, authority: TestAuthority, pacer: String
  ) async throws {
    lists = try TemporaryFolder()
    output = OutputFolder(path: "\(folder ?? lists.path)/output")
    switch workload.work {
    case .version: (served, parallel) = (nil, 1)
    case .fetch(let files, let parallel, let source):
      served = try await ServedFiles(files, from: source, authority: authority, pacer: pacer)
      self.parallel = parallel
    }
  }

  /// Makes the command of a contestant, with its list of files; false when it cannot do the work.
  func add(_ contestant: Contestant, path: String) throws -> Bool {
    guard let program = contestant.program else { return false }
    guard let served else {
      commands[contestant] = contestant.versionCommand(path: path)
      return true
    }
    var fetch = served.fetch(into: output.path, parallel: parallel)
    if fetch.files.count > 1 {
      let name = program.rawValue
      guard let text = program.list(of: fetch) else { return false }
      try lists.write(Array(text.utf8), to: name)
      fetch.list = lists.path(name)
    }
    commands[contestant] = contestant.command(for: fetch, path: path)
    return commands[contestant] != nil
  }

  /// A program's words without the paths of this machine.
  func withoutPaths(_ text: String) -> String {
    text.replacing(output.path, with: "FOLDER").replacing(lists.path, with: "FOLDER")
  }
}
