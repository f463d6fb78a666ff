/// What options of curl, wget and aria2 are called here that cannot be read by their own names.
enum Habits {
  private static let names: [String: String] = Dictionary(
    uniqueKeysWithValues: [
      // Names and files.
      (["-O", "--remote-name"], "the server's name is taken anyway; -o FILE chooses another"),
      (["-O-"], "use -o -"),
      (["-J", "--remote-header-name"], "the server's name is taken anyway"),
      (["--trust-server-names"], "-o FILE chooses a name, and Content-Disposition counts anyway"),
      (["-nd", "--no-directories"], "it is always so; -d DIR names a folder"),
      (["-C", "--continue-at"], "what is there is always continued"),
      (["-N", "--timestamping", "--conditional-get", "--skip"], "use --exists skip"),
      (["-n"], "use --netrc, or --exists skip"),
      (
        ["-nc", "--no-clobber"],
        "use --exists fail, or --exists skip, which fetches where size or time differ or are not told"
      ),
      (["--allow-overwrite", "--overwrite", "--clobber", "--force"], "use --exists overwrite"),
      (
        ["--auto-file-renaming"],
        "for false use --exists fail; --exists rename, which renames, is the default"
      ),
      (["--file-allocation"], "space is reserved at the start, as fast as the file system can"),
      (["--sha256"], "use --digest sha-256=HEX"),
      // Many files.
      (["-Z", "--parallel"], "use -j N"),
      (["--parallel-immediate"], "files at once begin at once; use -j N"),
      (
        ["--min-split-size", "--piece-length"],
        "there is no piece size to choose; -x N is for connections"
      ),
      (["--threads"], "-j N is for files at once, -x N for the connections of one"),
      (["--metalink-base-url"], "addresses in a Metalink file are whole ones"),
      (["--follow-metalink"], "a Metalink file is a file; use --metalink FILE"),
      (
        ["--preferred-location", "--metalink-location", "--metalink-language", "--metalink-os"],
        "the order of the Metalink file counts"
      ),
      (["--url"], "a URL stands by itself: haul get URL"),
      (
        ["--recursive"], "Haul fetches the files it is told; a list goes to -i FILE"
      ),
      (["--wait", "-w", "--random-wait"], "there is no pause between files; see --limit-rate N"),
      (["--max-file-not-found"], "what is not there fails at once, without other tries"),
      // The request.
      (["-U"], "the user agent is -A TEXT; for a proxy, --proxy http://USER:PASSWORD@HOST:PORT"),
      (
        [
          "-X", "--request", "--method", "--data", "-F", "--form", "--post-data", "--post-file",
          "--upload-file",
        ], "Haul only fetches"
      ),
      (["-r", "--range"], "Haul fetches whole files"),
      (["-I", "--head", "--spider"], "use --dry-run"),
      (
        ["--compressed", "--compression"],
        "files come as they are, and are undone where they must be"
      ),
      (["--http2"], "it is used where the server can"),
      // Who asks.
      (
        ["--password", "--http-user", "--http-password", "--http-passwd", "--ftp-user"],
        "use --user USER:PASSWORD, or --netrc, which no list of processes shows"
      ),
      (["--ask-password"], "nobody is asked; use --netrc"),
      (["--netrc-optional"], "use --netrc"),
      (["--no-netrc"], "a netrc is read with --netrc only"),
      (["--cookie-jar", "--save-cookies"], "cookies are kept for each file, and never written"),
      (["--pass"], "use --cert FILE:PASSWORD"), (["--cert-type"], "PEM is taken"),
      // The connection.
      (["--check-certificate"], "use --insecure"),
      (["--all-proxy", "--http-proxy", "--https-proxy"], "use --proxy URL"),
      (
        ["--proxy-user", "--proxy-password", "--proxy-passwd", "--all-proxy-passwd"],
        "it stands in --proxy http://USER:PASSWORD@HOST:PORT"
      ),
      (["--proxy-header"], "a proxy gets no fields but a password, by --proxy URL"),
      (["--socks5"], "use --proxy socks5://HOST:PORT"),
      (["--socks5-hostname"], "use --proxy socks5h://HOST:PORT"),
      (["--no-proxy"], "use --proxy '' or --noproxy HOSTS"),
      // How hard it tries.
      (["-t"], "use --tries N"), (["--retry-connrefused"], "it is always so"),
      (
        ["--retry-delay", "--retry-wait", "--waitretry"],
        "pauses grow by themselves; --retry-max-delay S limits them"
      ),
      (["--timeout"], "use --connect-timeout S or --low-speed N"),
      (["-T"], "use --connect-timeout S"),
      (["--read-timeout", "-y", "--speed-time"], "use --low-speed N; it counts over 20 seconds"),
      (["-Y", "--lowest-speed-limit", "--speed-limit"], "use --low-speed N"),
      (
        ["-m", "--max-time"],
        "nothing limits the whole time but another program: timeout 60 haul get URL"
      ),
      (["--max-download-limit"], "use --limit-rate N; it counts for all files together"),
      // What is shown.
      (["-#", "--progress-bar", "--show-progress"], "use --progress bar"),
      (["-nv", "--no-verbose", "--no-progress-meter", "--no-progress"], "use --progress none"),
      (["--summary-interval"], "use --progress plain, which has a line each tenth of a file"),
      (["--console-log-level", "--log-level"], "use --quiet or --verbose"),
      (["--show-console-readout"], "use --progress HOW"), (["--styled-output"], "use --color WHEN"),
      (
        ["-l", "-a", "--log", "--output-file", "--append-output"],
        "messages go to standard error: haul get URL 2>LOG"
      ),
      (["-K"], "use --config FILE"), (["-V", "--version"], "use haul --version"),
    ].flatMap { names, hint in names.map { ($0, hint) } })

  /// A hint for an option that does not exist here, or nil.
  static func hint(for option: String) -> String? {
    names[option].map { ": " + $0 }
  }

  /// What was meant by a number behind a short option that takes none here: `-s 8` and `-k 1M` are
  /// aria2's; nil where nothing is known.
  static func hint(for flag: GetCommandLine.Given, before number: Substring) -> String? {
    guard ["-s", "-k"].contains(flag.name), isNumber(number) else { return nil }
    return "\(flag.name) is --\(flag.option.long) and takes no value, and “\(number)” follows it; "
      + "for connections use -x N; there is no piece size to choose"
  }

  /// Whether it is a number, maybe with a unit.
  private static func isNumber(_ text: Substring) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && ["", "k", "m", "g"].contains(text[digits.endIndex...].lowercased())
  }

  /// The names that have a hint, for tests.
  static var all: [String] { names.keys.sorted() }
}
