import CHaulSystem
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
    // Swift takes Ctrl-\ for a crash, and its report is long.
    if !Interrupts.isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
    // Large pieces go back to the system when they are freed: by itself glibc begins to keep them, and
    // a list of a million files would grow the program by their size in every thread. Lower limits
    // cost small files a fifth of their time, in calls of the system.
    haul_keep_free_memory(512 << 10, 512 << 10)
    let closed = openStandardStreams()
    // Not `exit`: the thread of the network may still be closing its connections, and OpenSSL would
    // be taken down under it. Nothing is left to do: all output was written without buffering.
    let arguments = Array(CommandLine.arguments.dropFirst())
    let status = run(arguments, isOutputClosed: closed.contains(1))
    if status == .interrupted { Interrupts.end() }
    _exit(status.rawValue)
  }

  /// A standard stream that is closed would lend its number to the next socket or file that is
  /// opened, and messages would be written into that. Reading a closed one stays an error.
  ///
  /// Returns those that were closed.
  private static func openStandardStreams() -> Set<Int32> {
    let closed = (0...2 as ClosedRange<Int32>).filter { fcntl($0, F_GETFD) < 0 }
    for _ in closed {
      // The path is a constant; the lowest free number is taken, which is the next of them.
      _ = unsafe open("/dev/null", O_WRONLY)
    }
    return Set(closed)
  }

  private static func run(_ arguments: [String], isOutputClosed: Bool) -> ExitStatus {
    guard let word = arguments.first else {
      Output.write(Help.overview, to: 2)
      return .usage
    }
    let rest = Array(arguments.dropFirst())
    switch word {
    case "-V", "--version": return version()
    case "-h", "--help": return help(rest)
    case _ where word.hasPrefix("--help="): return help([String(word.dropFirst(7))])
    default: break
    }
    guard let command = Command(rawValue: word) else {
      Output.message(meant(by: word))
      return .usage
    }
    if command != .get, let first = rest.first, ["-h", "--help"].contains(first) {
      return help([word])
    }
    switch command {
    case .get: return get(rest, isOutputClosed: isOutputClosed)
    case .help: return help(rest)
    case .manual: return manual(rest)
    case .completions: return completions(rest)
    case .version: return version()
    }
  }

  private static func manual(_ arguments: [String]) -> ExitStatus {
    guard arguments.isEmpty else {
      Output.message("haul manual takes nothing behind it: haul manual | man -l -")
      return .usage
    }
    return printed(ManualPage.text())
  }

  private static func completions(_ arguments: [String]) -> ExitStatus {
    guard arguments.count == 1, let shell = Shell(rawValue: arguments[0]) else {
      let shells = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      Output.message("haul completions takes the name of a shell: \(shells)")
      return .usage
    }
    return printed(shell.completions())
  }

  /// Prints what is meant for a file. Half of it must not be taken for the whole.
  private static func printed(_ text: String) -> ExitStatus {
    if Output.write(text, to: 1) { return .right }
    Output.message("standard output cannot be written to (\(Values.describe(errno)))")
    return .file
  }

  private static func version() -> ExitStatus {
    printed("haul \(Version.number)\n\(CurlTransport.versionDescription)\n")
  }

  private static func help(_ arguments: [String]) -> ExitStatus {
    do {
      let topic = try arguments.first.map { word throws(UsageError) in
        // `haul help --all` as well.
        try HelpTopic(argument: word.hasPrefix("--") ? String(word.dropFirst(2)) : word)
      }
      return printed(Help.text(topic ?? .overview))
    } catch {
      Output.message(error.message)
      return .usage
    }
  }

  private static func meant(by word: String) -> String {
    if word.contains("://") { return "to fetch that: haul get \(word)" }
    if word.hasPrefix("-") || ["fetch", "download", "dl"].contains(word) {
      return "there is no command “\(word)”; did you mean haul get?"
    }
    let near = Suggestion.nearest(to: word, among: Command.allCases.map(\.rawValue))
    return "there is no command “\(word)”; "
      + (near.map { "did you mean haul \($0)?" } ?? "see haul --help")
  }

  /// Whether all arguments are UTF-8. Others are repaired by the time that they are seen as strings,
  /// and would name another address or file.
  private static var areArgumentsText: Bool {
    (0..<Int(CommandLine.argc)).allSatisfy { index in
      // There are as many pointers to strings that end with NUL as `argc` says.
      unsafe CommandLine.unsafeArgv[index].map { unsafe String(validatingCString: $0) != nil }
        ?? true
    }
  }

  private static func checkArguments() throws(UsageError) {
    guard !areArgumentsText else { return }
    throw UsageError(
      "an argument is not UTF-8; in an address, other bytes are percent-encoded, as %FF")
  }

  /// A slip of the fingers, such as a value after a flag, must not be found out after other files
  /// were fetched.
  private static func checkAddresses(_ options: GetOptions) throws(UsageError) {
    for url in options.urls where !url.contains("://") {
      let job = Job(url: url)
      if job.foreignScheme == nil { _ = try job.request(options) }
    }
  }

  private static func get(_ arguments: [String], isOutputClosed: Bool) -> ExitStatus {
    Interrupts.take()
    do {
      try checkArguments()
      let options = try Parser.parse(arguments)
      if let topic = options.help {
        return printed(Help.text(topic))
      }
      try checkAddresses(options)
      for warning in options.warnings { Output.message("warning: " + warning) }
      if !options.isQuiet { for note in options.notes { Output.message(note) } }
      if options.isInsecure {
        Output.message(
          "warning: certificates are not checked; anyone on the way may change the file")
      }
      let jobs = try JobList(options)
      let checksums = try options.digestSource.map { location throws(UsageError) in
        try ChecksumSource(location)
      }
      guard let store = store(options, isOutputClosed: isOutputClosed) else { return .file }
      let run = GetRun(options, environment(options, store))
      Interrupts.handle(stop: { run.stop() }, quit: { run.ask(.quit) })
      if options.isJSON {
        var report = JSONReport(options)
        return run.run(jobs, checksums, &report)
      }
      var report = TextReport(options, RepeatCommand(CommandLine.arguments))
      let signals = report.drawsBars ? TerminalSignals { run.ask($0) } : nil
      defer { withExtendedLifetime(signals) {} }
      return run.run(jobs, checksums, &report)
    } catch {
      Output.message(error.message)
      return .usage
    }
  }

  /// Where the bytes go; nil, and a message, where they cannot go anywhere.
  private static func store(
    _ options: GetOptions, isOutputClosed: Bool
  ) -> (any PartialFileStore)? {
    let (disk, crypto) = (PosixDisk(), SystemCrypto())
    guard options.isStreaming else {
      return options.isDryRun
        ? DryRunStore(disk: disk, crypto: crypto) : FileStore(disk: disk, crypto: crypto)
    }
    guard !isOutputClosed else {
      Output.message("standard output is closed, and -o - writes to it; use -o FILE")
      return nil
    }
    do {
      let sink = try DescriptorSink(1, name: "standard output")
      return StreamStore(to: sink, disk: disk, crypto: crypto, isDryRun: options.isDryRun)
    } catch {
      Output.message(error.sentence)
      return nil
    }
  }

  private static func environment(
    _ options: GetOptions, _ store: any PartialFileStore
  ) -> TransferEnvironment {
    let clock = SystemClock()
    return TransferEnvironment(
      transport: CurlTransport(maximumHostConnections: options.hostConnections), store: store,
      clock: clock, random: SystemRandom(), decoders: ContentDecoders(),
      limiter: options.limitRate.map { RateLimiter(bytesPerSecond: $0, clock: clock) },
      hosts: HostGate(maximumConnections: options.hostConnections))
  }
}
