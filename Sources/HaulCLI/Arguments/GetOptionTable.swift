import HaulHTTP
import HaulTransfer

/// Every option of `haul get`.
enum GetOptionTable {
  static let groups: [(title: String, options: [Option])] = [
    ("Where it goes", destination),
    ("What must be right", integrity),
    ("How it is asked for", request),
    ("How hard it tries", effort),
    ("What is shown", display),
  ]

  static var all: [Option] { groups.flatMap(\.options) }

  /// Refuses a second value where it would silently replace the first one.
  private static func once<Value>(_ earlier: Value?, _ name: String) throws(UsageError) {
    if earlier != nil { throw UsageError("\(name) was given twice; give it once") }
  }

  private static let destination: [Option] = [
    Option("output", short: "o", value: "FILE", "name of the file; one URL only") {
      (options, value) throws(UsageError) in
      if value == "-" {
        throw UsageError("-o takes the name of a file; standard output cannot be written to")
      }
      try once(options.output, "-o")
      options.output = try Values.fileName(value, of: "-o")
    },
    Option("directory", short: "d", value: "DIR", "folder; made when missing (here)") {
      (options, value) throws(UsageError) in
      options.folder = try Values.text(value, of: "-d", form: "-d FOLDER")
    },
    Option("exists", value: "WHAT", "rename, overwrite, skip (the same), fail (rename)") {
      (options, value) throws(UsageError) in
      guard let policy = ExistingFilePolicy(rawValue: value) else {
        throw UsageError("--exists takes rename, overwrite, skip or fail, not “\(value)”")
      }
      options.existing = policy
    },
    .flag("no-sync", "do not wait until the disk has it") { $0.isDurable = false },
    .flag("keep-bad", "keep a file with a wrong digest as NAME.haul-bad") {
      $0.keepsBadFile = true
    },
  ]

  private static let integrity: [Option] = [
    Option("digest", value: "ALG=HEX", "sha-256, sha-512, sha-1 or md5 of the file") {
      (options, value) throws(UsageError) in
      try once(options.digest, "--digest")
      options.digest = try Values.digest(value)
    },
    Option("expect", value: "TYPE", "media type it must have: video/mp4, image/*") {
      (options, value) throws(UsageError) in
      options.expectedType = try Values.mediaType(value)
    },
    Option("max-filesize", value: "N", "refuse files of more bytes: 700M") {
      (options, value) throws(UsageError) in
      options.maximumByteCount = try Values.size(value, of: "--max-filesize")
    },
    .flag("strict", "never combine answers without a strong validator") { $0.isStrict = true },
    .flag("trust-overlap", "without a validator, resume where 64 KiB are equal") {
      $0.trustsOverlap = true
    },
  ]

  private static let request: [Option] = [
    Option("header", short: "H", value: "LINE", "header field: 'Name: value'") {
      (options, value) throws(UsageError) in
      options.fields.append(RequestField(try Values.field(value, of: "-H")))
    },
    Option("secret-header", value: "LINE", "the same, for the URL's own origin only") {
      (options, value) throws(UsageError) in
      options.fields.append(
        RequestField(try Values.field(value, of: "--secret-header"), isSecret: true))
    },
    Option("user", value: "U:P", "user and password for the URL's own origin") {
      (options, value) throws(UsageError) in
      options.credentials = try Values.credentials(value)
    },
    Option("user-agent", short: "A", value: "TEXT", "how the program names itself") {
      (options, value) throws(UsageError) in
      options.userAgent = try Values.fieldValue(value, of: "-A")
    },
    Option("referer", short: "e", value: "URL", "page that the link was on") {
      (options, value) throws(UsageError) in
      options.referer = try Values.fieldValue(value, of: "-e")
    },
    Option("proxy", value: "URL", "http://HOST:PORT, socks5h://HOST:PORT; '' for none") {
      (options, value) throws(UsageError) in
      options.proxy = try Values.proxy(value)
    },
    Option("cacert", value: "FILE", "trust the certificates in this file") {
      (options, value) throws(UsageError) in
      options.certificateAuthorities = try Values.readableFile(value, of: "--cacert")
    },
    .flag("insecure", "do not check certificates: anyone may change the file") {
      $0.isInsecure = true
    },
    Option("max-redirs", value: "N", "redirects to follow (20)") {
      (options, value) throws(UsageError) in
      options.maximumRedirects = try Values.count(value, of: "--max-redirs", in: 0...1000)
    },
  ]

  private static let effort: [Option] = [
    Option("input", short: "i", value: "FILE", "URLs from a file, or - ; see below") {
      (options, value) throws(UsageError) in
      try once(options.inputFile, "-i")
      options.inputFile = try Values.text(value, of: "-i", form: "-i FILE")
    },
    Option("jobs", short: "j", value: "N", "files at once (3)") {
      (options, value) throws(UsageError) in
      options.parallel = try Values.count(value, of: "-j", in: 1...1000)
    },
    Option("connections", short: "x", value: "N", "connections for a file; one is used") {
      (options, value) throws(UsageError) in
      options.connections = try Values.count(value, of: "-x", in: 1...64)
    },
    Option("limit-rate", value: "N", "bytes a second in all: 500k, 2M") {
      (options, value) throws(UsageError) in
      options.limitRate = try Values.size(value, of: "--limit-rate", minimum: 1)
    },
    Option("tries", value: "N", "tries in a row that bring nothing new (8)") {
      (options, value) throws(UsageError) in
      options.retries.tries = try Values.count(value, of: "--tries", in: 1...1_000_000)
    },
    Option("retry-max-delay", value: "S", "longest pause between tries (60; 600 if asked)") {
      (options, value) throws(UsageError) in
      options.retries.maximumDelay = try Values.seconds(value, of: "--retry-max-delay")
      options.retries.maximumRetryAfter = options.retries.maximumDelay
    },
    Option("connect-timeout", value: "S", "seconds to wait for a connection (20)") {
      (options, value) throws(UsageError) in
      options.connectTimeout = try Values.seconds(
        value, of: "--connect-timeout", isZeroAllowed: false)
    },
    Option("low-speed", value: "N", "bytes/s over 20 s that count as stalled (100)") {
      (options, value) throws(UsageError) in
      options.lowSpeed = try Values.size(value, of: "--low-speed")
    },
    .flag("continue", short: "c", "accepted; what is there is always continued") { _ in },
  ]

  private static let display: [Option] = [
    .flag("quiet", short: "q", "show nothing but errors and paths") { $0.isQuiet = true },
    .flag("help", short: "h", "show this") { $0.wantsHelp = true },
  ]
}
