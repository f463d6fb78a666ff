extension GetOptionTable {
  static let display: [Option] = [
    .flag(
      "json", "events as JSON on standard output, one a line",
      details: """
        In place of the paths. Failures are also told on standard error. haul help events lists the \
        events.
        """, .basic
    ) { $0.isJSON = $1 },
    .flag(
      "json-segments", "with --json: what each connection brings",
      details: """
        Events of progress have “segments” then: position, end and source of each. Without --json it \
        is refused.
        """
    ) { $0.tellsSegments = $1 },
    .flag(
      "dry-run", "say what would be done, and do nothing",
      details: """
        The server is asked, and its answer broken off before the file. On standard error there is \
        a line for each file: its name, size and type, what is there of it, and what would be \
        checked. The exit status is that of a real run, as far as it can be known.
        """, .commandLineOnly
    ) { $0.isDryRun = $1 },
    .flag(
      "quiet", short: "q", "show nothing but errors and paths",
      details: "Neither progress nor what happens on the way.", .basic
    ) { $0.isQuiet = $1 }.also("-s", "--silent"),
    .flag(
      "verbose", short: "v", "show requests and answers",
      details: "Secrets among them are left out.", .basic
    ) { $0.isVerbose = $1 },
    Option(
      "progress", .choices("HOW", ProgressStyle.allCases.map(\.rawValue)),
      "progress as auto, bar, plain or none (auto)",
      details: """
        “bar” draws a bar for each running file and a line for the whole: its percentage is that of \
        the bytes where the lengths of all files are known, otherwise of the files. “plain” writes a line for \
        each event and, for long files, one each tenth, “none” leaves those of progress out; “auto” \
        is “bar” on a terminal and “plain” elsewhere.
        """
    ) { (options, value, name) throws(UsageError) in
      options.progress = try Values.choice(value, of: name)
    },
    Option(
      "color", .choices("WHEN", ColourChoice.allCases.map(\.rawValue)),
      "colours: auto, always or never (auto)",
      details: "“auto” is on a terminal, unless the variable NO_COLOR is set."
    ) { (options, value, name) throws(UsageError) in
      options.colour = try Values.choice(value, of: name)
    },
    Option(
      "config", .file("FILE"), "read options from this file",
      details: """
        In place of haul/config in $XDG_CONFIG_HOME, by default ~/.config. HAUL_CONFIG names one, \
        too. haul help config-file says what stands in it.
        """, .commandLineOnly
    ) { _, _, _ in },
    .flag(
      "no-config", "read neither a config file nor HAUL_ variables",
      details: "For scripts that must do the same for everybody.", .commandLineOnly
    ) { _, _ in },
    Option(
      "help", short: "h", .choices("TOPIC", HelpTopic.names, isOptional: true),
      "show this; --help=all shows everything",
      details: "TOPIC is one of \(HelpTopic.names.joined(separator: ", ")).",
      [.basic, .commandLineOnly]
    ) { _, _, _ in },
  ]
}
