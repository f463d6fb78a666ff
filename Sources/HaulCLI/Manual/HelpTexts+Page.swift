/// What stands only in the manual page and in the help of single commands.
extension HelpTexts {
  static let description: [HelpText.Paragraph] = [
    .text(
      "Haul fetches files over HTTP and HTTPS, and never reports a wrong one as right. A download "
        + "that breaks off goes on where it stopped; a file that changed on the way is fetched anew; "
        + "and nothing stands under its final name before it is whole and checked."),
    .text(
      "Bytes of two answers are put together only if both carry the same strong validator, or if a "
        + "digest of the whole file is checked in the end. Digests are checked when one is given, and "
        + "when the server sends one. Where a server says nothing of the length and ends the file by "
        + "closing the connection, Haul says that the file is unverified."),
  ]

  static let aboutGet: [HelpText.Paragraph] = [
    .text(
      "Every URL becomes a file in this folder or in that of --directory, under the name that the "
        + "server gives or the URL ends with. Redirects are followed; passwords, cookies and secret "
        + "headers go to the origin of the given URL and nowhere else."),
    .text(
      "The paths of finished files go to standard output, one a line; everything else goes to "
        + "standard error. On a terminal bars show the progress."),
  ]

  static let aboutManual: [HelpText.Paragraph] = [
    .text("It is printed in the mdoc language, which man(1) shows and a package installs.")
  ]

  static let aboutCompletions: [HelpText.Paragraph] = [
    .text("An installed package brings them along. By hand, for bash, zsh and fish:"),
    .code([
      "haul completions bash > ~/.local/share/bash-completion/completions/haul",
      "haul completions zsh > ~/.zfunc/_haul",
      "haul completions fish > ~/.config/fish/completions/haul.fish",
    ]),
    .text(
      "Those of bash need bash 4, and the package bash-completion only to be found there; without it, "
        + "put source <(haul completions bash) into ~/.bashrc. For zsh the folder has to be in fpath "
        + "before compinit runs."),
  ]

  static let aboutOptions: [HelpText.Paragraph] = [
    .text(
      "Options may stand before and behind what is no option; behind -- nothing is one. A value "
        + "follows as the next argument or behind an equals sign, with short names also at once, and "
        + "short options without a value may be written together. Of an option that is given "
        + "twice the last one counts, and header fields add up. A flag is taken back by --NAME=no. In "
        + "parentheses stands what holds without the option. Sizes and rates are numbers of bytes, with k, M, G or T for their "
        + "binary multiples: 2M is 2,097,152. Times are seconds.")
  ]

  /// What the program follows, as the manual page names it.
  static let standards = [
    ("HTTP Semantics", 9110), ("HTTP/1.1", 9112), ("HTTP/2", 9113), ("Digest Fields", 9530),
    ("Use of the Content-Disposition Header Field in HTTP", 6266),
    ("Uniform Resource Identifier (URI): Generic Syntax", 3986),
    ("The Metalink Download Description Format", 5854),
    ("Metalink/HTTP: Mirrors and Hashes", 6249),
  ]
}
