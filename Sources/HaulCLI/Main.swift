import Glibc
import HaulCurl
import HaulFiles
import HaulSystem
import HaulTransfer

/// The program `haul`.
@main
enum Main {
  static func main() {
    // A reader that goes away must not kill the program in the middle of a file.
    signal(SIGPIPE, SIG_IGN)
    // A file beyond the user's limit is a failure of that file, not the end of the program.
    signal(SIGXFSZ, SIG_IGN)
    openStandardStreams()
    // Not `exit`: the thread of the network may still be closing its connections, and OpenSSL would
    // be taken down under it. Nothing is left to do: all output was written without buffering.
    _exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// A standard stream that is closed would lend its number to the next socket or file that is
  /// opened, and messages would be written into that. Reading a closed one stays an error.
  private static func openStandardStreams() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      // The path is a constant; the lowest free number is taken, which is this one.
      _ = unsafe open("/dev/null", O_WRONLY)
    }
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    switch arguments.first {
    case "get": return get(Array(arguments.dropFirst()))
    case "--version", "-V", "version":
      Output.result("haul \(Version.number)\n\(CurlTransport.versionDescription)")
      return .right
    case "--help", "-h", "help":
      let isAboutGet = arguments.dropFirst().first == "get"
      Output.write(isAboutGet ? Help.get : Help.overview, to: 1)
      return .right
    case nil:
      Output.write(Help.overview, to: 2)
      return .usage
    case let other?:
      let isURL = other.contains("://")
      let isMeantForGet = other.hasPrefix("-") || ["fetch", "download", "dl"].contains(other)
      Output.message(
        isURL
          ? "to fetch that: haul get \(other)"
          : "there is no command “\(other)”; "
            + (isMeantForGet ? "did you mean haul get?" : "see haul --help"))
      return .usage
    }
  }

  private static func get(_ arguments: [String]) -> ExitStatus {
    do {
      let options = try Parser.parse(arguments)
      if options.wantsHelp {
        Output.write(Help.get, to: 1)
        return .right
      }
      if options.isInsecure {
        Output.message(
          "warning: certificates are not checked; anyone on the way may change the file")
      }
      let jobs = try JobList(options)
      let run = GetRun(options, environment(options))
      let interrupts = Interrupts { run.stop() }
      defer { withExtendedLifetime(interrupts) {} }
      return run.run(jobs)
    } catch {
      Output.message(error.message)
      return .usage
    }
  }

  private static func environment(_ options: GetOptions) -> TransferEnvironment {
    let clock = SystemClock()
    return TransferEnvironment(
      transport: CurlTransport(),
      store: FileStore(disk: PosixDisk(), crypto: SystemCrypto()),
      clock: clock, random: SystemRandom(), decoders: ContentDecoders(),
      limiter: options.limitRate.map { RateLimiter(bytesPerSecond: $0, clock: clock) })
  }
}
