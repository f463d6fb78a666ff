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
    "-n": "use --netrc, or --exists skip", "--no-clobber": "use --exists skip",
    "--timestamping": "use --exists skip", "--ca-certificate": "use --cacert FILE",
    "--max-download-limit": "use --limit-rate N", "--max-concurrent-downloads": "use -j N",
    "--max-connection-per-server": "use -x N", "--split": "use -x N",
    "--progress": "it is shown on a terminal", "--progress-bar": "it is shown on a terminal",
    "-U": "it stands in --proxy http://USER:PASSWORD@HOST:PORT",
    "--proxy-user": "it stands in --proxy http://USER:PASSWORD@HOST:PORT",
    "--socks5": "use --proxy socks5://HOST:PORT",
    "--socks5-hostname": "use --proxy socks5h://HOST:PORT", "--all-proxy": "use --proxy URL",
    "--http-proxy": "use --proxy URL", "--https-proxy": "use --proxy URL",
    "--no-proxy": "use --proxy '' or --noproxy HOSTS",
    "--cookie-jar": "cookies are kept for each file, and never written",
    "--load-cookies": "use --cookie FILE", "--netrc-optional": "use --netrc",
    "--netrc-path": "use --netrc-file FILE", "--no-netrc": "a netrc is read with --netrc only",
    "-E": "use --cert FILE", "--certificate": "use --cert FILE", "--private-key": "use --key FILE",
    "--pass": "use --cert FILE:PASSWORD", "--cert-type": "PEM is taken",
    "--inet4-only": "use -4", "--inet6-only": "use -6", "--bind-address": "use --interface ADDRESS",
    "--http2": "it is used where the server can", "--retry-connrefused": "it is always so",
    "-V": "use haul --version", "--version": "use haul --version",
  ]

  /// A hint for an option that does not exist here, or nil.
  static func hint(for option: String) -> String? {
    names[option].map { ": " + $0 }
  }
}
