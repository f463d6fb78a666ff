import Haul

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A list of downloads in the terminal. It may be killed at any time; the next start goes on.
@main
enum DownloadList {
  static let usage = "usage: download-list [--state FOLDER] [--to FOLDER] [ADDRESS...]"

  static func main() async {
    var state: String?
    var downloads: String?
    var addresses: [String] = []
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "--state", "--to":
        guard let folder = words.popFirst(), folder.hasPrefix("/") else {
          end(2, "\(word) needs the absolute path of a folder\n\(usage)")
        }
        if word == "--state" { state = folder } else { downloads = folder }
      case _ where word.hasPrefix("-"): end(word == "--help" ? 0 : 2, usage)
      default: addresses.append(word)
      }
    }
    let manager = DownloadManager(
      DownloadConfiguration(stateFolder: state, downloads: downloads))
    do throws(DownloadManagerFailure) {
      try await manager.open()
      for address in addresses { try await manager.add(address) }
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
        await runOnTerminal(manager)
      } else {
        try await printChanges(of: manager)
      }
    } catch {
      await manager.close()
      end(1, error.message)
    }
    // What runs stops, and goes on with the next start.
    await manager.close()
  }

  private static func end(_ status: Int32, _ text: String) -> Never {
    write("\(text)\n", to: status == 0 ? STDOUT_FILENO : STDERR_FILENO)
    exit(status)
  }
}
