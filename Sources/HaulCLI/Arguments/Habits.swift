/// What options of curl, wget and aria2 are called here that cannot be read by their own names.
enum Habits {
  private static let names = [
    "-O": "the server's name is taken anyway; -o FILE chooses another",
    "--remote-name": "the server's name is taken anyway; -o FILE chooses another",
    "-C": "what is there is always continued", "-J": "the server's name is taken anyway",
    "-Z": "use -j N", "--parallel": "use -j N",
    "--check-certificate": "use --insecure", "-t": "use --tries N",
    "--timeout": "use --connect-timeout S or --low-speed N", "-T": "use --connect-timeout S",
    "-m": "use --low-speed N", "--max-time": "use --low-speed N",
    "--lowest-speed-limit": "use --low-speed N", "--speed-limit": "use --low-speed N",
    "-N": "use --exists skip", "-n": "use --netrc, or --exists skip",
    "--no-clobber": "use --exists skip", "--timestamping": "use --exists skip",
    "--allow-overwrite": "use --exists overwrite", "--auto-file-renaming": "use --exists rename",
    "-K": "use --config FILE", "--max-download-limit": "use --limit-rate N",
    "--all-proxy": "use --proxy URL", "--http-proxy": "use --proxy URL",
    "--https-proxy": "use --proxy URL", "--progress-bar": "use --progress bar",
    "-#": "use --progress bar", "--show-progress": "use --progress bar",
    "--no-progress-meter": "use --progress none", "--no-verbose": "use --progress none",
    "--show-console-readout": "use --progress WHAT", "--styled-output": "use --color WHEN",
    "-I": "use --dry-run", "--head": "use --dry-run", "--spider": "use --dry-run",
    "-V": "use haul --version", "--version": "use haul --version", "-X": "Haul only fetches",
    "--request": "Haul only fetches", "--data": "Haul only fetches",
    "--recursive": "Haul fetches the files it is told; a list goes to -i FILE",
    "-r": "Haul fetches whole files", "--range": "Haul fetches whole files",
    "-U": "it stands in --proxy http://USER:PASSWORD@HOST:PORT",
    "--proxy-user": "it stands in --proxy http://USER:PASSWORD@HOST:PORT",
    "--socks5": "use --proxy socks5://HOST:PORT",
    "--socks5-hostname": "use --proxy socks5h://HOST:PORT",
    "--no-proxy": "use --proxy '' or --noproxy HOSTS",
    "--cookie-jar": "cookies are kept for each file, and never written",
    "--netrc-optional": "use --netrc", "--no-netrc": "a netrc is read with --netrc only",
    "--pass": "use --cert FILE:PASSWORD", "--cert-type": "PEM is taken",
    "--http2": "it is used where the server can", "--retry-connrefused": "it is always so",
  ]

  /// A hint for an option that does not exist here, or nil.
  static func hint(for option: String) -> String? {
    names[option].map { ": " + $0 }
  }

  /// The names that have a hint, for tests.
  static var all: [String] { names.keys.sorted() }
}
