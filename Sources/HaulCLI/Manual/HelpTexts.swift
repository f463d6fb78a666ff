/// Texts of the help and the manual page that are about no single option.
struct HelpText: Sendable {
  let topic: String
  let title: String
  let paragraphs: [Paragraph]

  enum Paragraph: Sendable {
    case text(String)
    /// Words with what they mean.
    case table([(String, String)])
    /// Lines as they are typed or stand in a file.
    case code([String])
  }
}

enum HelpTexts {
  static let all = [
    resuming, standardOutput, config, environment, files, json, exit, examples,
  ]

  static let exit = HelpText(
    topic: "exit", title: "Exit status",
    paragraphs: [
      .table([
        ("0", "every file is there and right"),
        ("1", "several files failed for different reasons"),
        ("2", "usage"),
        ("3", "network: name, connection, TLS, not HTTP, time-out, after all tries"),
        ("4", "the server answered with an error status, or redirects without end"),
        ("5", "integrity: digest, length, wrong type, or a file that keeps changing"),
        ("6", "disk or file: full, not permitted, exists, in use by another process"),
        ("7", "refused by policy: scheme, redirect, unsafe target, too large"),
        ("130", "interrupted; the same command again goes on"),
      ])
    ])

  static let config = HelpText(
    topic: "config-file", title: "Config file",
    paragraphs: [
      .text(
        "Options may stand in a file, by their long names, one a line. It is the one of --config, "
          + "else of HAUL_CONFIG, else haul/config in $XDG_CONFIG_HOME, by default ~/.config:"),
      .code([
        "# at most 2 MiB/s, into one folder", "limit-rate = 2M", "directory = /srv/files",
        "no-sync",
      ]),
      .text(
        "Every such option also has a variable: HAUL_LIMIT_RATE=2M, HAUL_NO_SYNC=yes. The command "
          + "line rules over the environment, and that over the file; header fields of all are sent. "
          + "A flag is taken back by --NAME=no. --no-config leaves file and variables out. At the "
          + "beginning of a path ~/ is the home folder."),
      .text(
        "What is about one run (--output, --input, --digest and the like) stands on the command line "
          + "only."),
    ])

  static let json = HelpText(
    topic: "events", title: "JSON events",
    paragraphs: [
      .text(
        "With --json standard output has one object a line, each with “event”, “url” (without "
          + "secrets), “time” (RFC 3339, UTC) and “file”, the number of the file in this run:"),
      .table([
        ("started", "path, total or null, resumedFrom, connections"),
        ("progress", "received, total or null, rate in bytes a second, connections"),
        ("retrying", "reason, message, delay in seconds, try and tries: the next one, of how many"),
        ("restarted", "reason"),
        (
          "source-dropped", "source, an address that is not asked any more; reason, a code; message"
        ),
        ("damaged", "bytes: so many are fetched again; reason: disk, pieces or digest"),
        ("finished", "path, bytes, fetched in this run, seconds, digest or null, verified"),
        ("skipped", "path, by: digest, server-digest or size-and-time"),
        (
          "planned",
          "of a dry run: path, total or null, resumedFrom, action, reason or null, wantedName, type "
            + "or null, finalURL or null, continuation, ranges or null, digest or null, pieces or null, "
            + "mirrors"
        ),
        ("interrupted", "received"),
        ("failed", "code, status or null, message, exit"),
      ]),
      .text(
        "Codes and reasons are a closed list. Among the documents of the program, in docs or "
          + "/usr/share/doc/haul, CODES.md explains each of them, and events.schema.json describes "
          + "the events for machines."),
    ])

  static let resuming = HelpText(
    topic: "resuming", title: "Going on",
    paragraphs: [
      .text(
        "Bytes land in NAME.haul-part, and NAME.haul-journal beside it says which of them are safe. "
          + "The same command again finds both by the URL and goes on, also after kill -9 or a "
          + "power cut, where the server gives a strong ETag or a sound Last-Modified, or where you "
          + "give a digest. Otherwise the file starts again, and Haul says so."),
      .text("To start from the first byte by your own wish, delete both files."),
    ])

  static let standardOutput = HelpText(
    topic: "standard-output", title: "Into a pipe",
    paragraphs: [
      .code([
        "haul get -o - https://example.com/file.tar | tar -x",
        "haul get -o - --digest sha-256=HEX https://example.com/install.sh | sh",
      ]),
      .text(
        "Bytes go out as they come. When the connection breaks, Haul goes on behind them where the "
          + "server gives a strong ETag or a sound Last-Modified and the file is still the same; "
          + "otherwise it fails, since they cannot be taken back, and says how many are valid. There is "
          + "one connection, whatever --connections says, as they go out in their order. The "
          + "exit status tells whether all of it was right: “set -o pipefail” lets a shell see it."),
      .text(
        "With a digest nothing goes out before the whole file was found right, and it may come over "
          + "several connections. Until then it lies "
          + "without a name in the folder of -d, else of TMPDIR, else /tmp. What the server itself "
          + "says of the digest is compared at the end, when the bytes are out."),
      .text(
        "A terminal gets texts only: at the first zero byte it ends with exit status 6, before the "
          + "bytes around it are out. “| cat” pours out everything."),
      .text(
        "No file and no journal is made, and nothing can be resumed later. What is written into a "
          + "file by the shell (> FILE) is not synced to the disk; -o FILE does that."),
    ])

  static let examples = HelpText(
    topic: "examples", title: "Examples",
    paragraphs: [
      .code([
        "haul get https://example.com/file.iso",
        "haul get -d ~/Downloads --digest sha-256=HEX https://example.com/file.iso",
        "haul get -i list.txt -j 8 --limit-rate 2M --exists skip",
        "haul get --proxy socks5h://127.0.0.1:1080 https://example.com/file.iso",
      ])
    ])
}
