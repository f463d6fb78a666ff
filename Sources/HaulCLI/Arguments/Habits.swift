/// What options of curl, wget and aria2 are called here.
enum Habits {
  private static let names = [
    "-O": "the server's name is taken anyway; -o FILE chooses another",
    "-L": "redirects are followed anyway", "--location": "redirects are followed anyway",
    "-C": "what is there is always continued", "-k": "use --insecure",
    "--no-check-certificate": "use --insecure", "--check-certificate": "use --insecure",
    "-u": "use --user USER:PASSWORD", "-P": "use -d DIR", "--out": "use -o FILE",
    "--dir": "use -d DIR", "--output-dir": "use -d DIR", "--directory-prefix": "use -d DIR",
    "--output-document": "use -o FILE", "--input-file": "use -i FILE", "-t": "use --tries N",
    "--retry": "use --tries N", "--max-tries": "use --tries N",
    "--checksum": "use --digest ALG=HEX",
    "-s": "use -q", "--silent": "use -q", "-S": "errors are always shown",
    "-f": "a status that is an error is always a failure", "--fail": "it is always so",
    "--timeout": "use --connect-timeout S or --low-speed N", "-T": "use --connect-timeout S",
    "-m": "use --low-speed N", "--max-time": "use --low-speed N", "-N": "use --exists skip",
    "-n": "use --exists skip", "--no-clobber": "use --exists skip",
    "--timestamping": "use --exists skip", "--ca-certificate": "use --cacert FILE",
    "--max-download-limit": "use --limit-rate N", "--max-concurrent-downloads": "use -j N",
    "--max-connection-per-server": "use -x N", "--split": "use -x N",
    "--progress-bar": "use --progress bar", "--show-progress": "use --progress bar",
    "-#": "use --progress bar", "--no-progress-meter": "use --progress none",
    "-nv": "use --progress none", "--no-verbose": "use --progress none",
    "--show-console-readout": "use --progress WHAT", "--styled-output": "use --color WHEN",
    "-V": "use haul --version", "--version": "use haul --version",
  ]

  /// A hint for an option that does not exist here, or nil.
  static func hint(for option: String) -> String? {
    names[option].map { ": " + $0 }
  }
}
