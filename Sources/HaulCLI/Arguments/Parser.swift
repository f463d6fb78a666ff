import HaulTransfer

/// Puts together what `haul get` was asked to do. The command line rules over the environment, and
/// that over the config file; header fields of all three are sent.
enum Parser {
  static func parse(
    _ arguments: [String], environment: EnvironmentSettings = EnvironmentSettings()
  ) throws(UsageError) -> GetOptions {
    let line = try GetCommandLine(arguments, home: environment["HOME"])
    var options = GetOptions()
    if let topic = line.options.last(where: { $0.option.long == "help" }) {
      // Help must be there also when the settings are what is wrong.
      // `--help TOPIC` is as good as `--help=TOPIC`.
      let word = line.urls.first { HelpTopic.names.contains($0) }
      options.help = try HelpTopic(argument: topic.value ?? word)
      return options
    }
    if try !line.skipsSettings(environment) {
      let path = line.options.last { $0.option.long == "config" }?.value
      if let file = try ConfigFile.find(named: path, environment) { try file.apply(to: &options) }
      try environment.apply(to: &options)
    }
    for given in line.options { try given.apply(to: &options) }
    options.urls = line.urls
    try checkInputs(options)
    try MetalinkSource.read(&options)
    if options.isStreaming {
      let given = line.given
      try StandardOutput.check(options, given: given)
      if given.contains("connections"), let count = options.connections, count > 1,
        !options.hasDigest
      {
        options.notes.append(
          "one connection is used: with -o - bytes go out in their order; with a digest it would be "
            + "\(count)")
      }
      // What the settings say of files is not meant for this one.
      options.existing = .rename
      options.keepsBadFile = false
      if !given.contains("directory") { options.folder = environment["TMPDIR"] ?? "/tmp" }
    }
    try check(options)
    // In the settings it is for those runs that have events.
    guard options.isJSON || !line.given.contains("json-segments") else {
      throw UsageError(
        "--json-segments adds to the events; give those, too: --json --json-segments")
    }
    try readFiles(&options, environment)
    return options
  }

  /// Reads the files that say who asks, once it is clear which ones count.
  private static func readFiles(
    _ options: inout GetOptions, _ environment: EnvironmentSettings
  ) throws(UsageError) {
    options.netrc = try NetrcFile.read(options.netrcChoice, environment, &options.warnings)
    options.certificate?.keyPath = options.keyPath
    if let certificate = options.certificate { try CertificateFiles.check(certificate) }
  }

  /// Who reads standard input.
  private static func checkInputs(_ options: GetOptions) throws(UsageError) {
    let isInput = [
      options.inputFile == "-", options.metalinkFile == "-",
      options.digestSource?.isStandardInput == true,
    ]
    guard isInput.count(where: { $0 }) < 2 else {
      throw UsageError(
        "standard input can be the list or the checksum file or the Metalink file, only one of them"
      )
    }
  }

  private static func check(_ options: GetOptions) throws(UsageError) {
    guard options.knownFileCount > 0 || options.inputFile != nil else {
      throw UsageError("no URL was given: haul get https://example.com/file")
    }
    guard options.isOnlyFile || options.output == nil else {
      throw UsageError("-o names one file, so it needs exactly one URL; use -d for a folder")
    }
    guard options.isOnlyFile || options.mirrors.isEmpty else {
      throw UsageError(
        "--mirror is another address of one file, so it needs exactly one URL; a Metalink file "
          + "(--metalink) describes several files")
    }
    guard options.keyPath == nil || options.certificate != nil else {
      throw UsageError("--key is the key of a certificate; give that one, too: --cert FILE")
    }
    guard options.isOnlyFile || options.digest == nil else {
      throw UsageError(
        "--digest is for one URL; in a list it follows the name: URL TAB NAME TAB sha-256=HEX")
    }
    guard options.digest == nil || options.digestSource == nil else {
      throw UsageError("--digest and --digest-from were both given; give one of them")
    }
  }
}

extension GetCommandLine {
  /// The names of the options that are given, but for flags that are taken back.
  fileprivate var given: Set<String> {
    Set(
      options.filter { given in
        guard given.option.value == nil, let value = given.value else { return true }
        return (try? Values.answer(value, of: given.name)) ?? true
      }.map(\.option.long))
  }

  /// Whether `--no-config` keeps the config file and the environment out.
  fileprivate func skipsSettings(_ environment: EnvironmentSettings) throws(UsageError) -> Bool {
    guard let last = options.last(where: { $0.option.long == "no-config" }) else { return false }
    return try Values.answer(last.value ?? "yes", of: "--no-config")
  }
}
