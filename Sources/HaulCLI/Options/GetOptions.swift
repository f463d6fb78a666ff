import HaulHTTP
import HaulMetalink
import HaulTransfer

/// When colours are used (`--color`).
enum ColourChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless the user asks for none (`NO_COLOR`).
  case auto
  case always
  case never
}

/// What `haul get` was asked to do.
struct GetOptions {
  var urls: [String] = []
  var inputFile: String?
  /// The path of a Metalink document, or `-`.
  var metalinkFile: String?
  /// The files that it describes.
  var described: [MetalinkFile] = []
  /// More addresses of the one file.
  var mirrors: [HTTPURL] = []
  /// Whether servers may name more addresses.
  var followsLinks = true
  /// The path for the file, or `-`.
  var output: String?
  /// Where files go; where one waits for its check that then goes to standard output.
  var folder = "."
  var parallel = 3
  var connections: Int?
  /// The most connections to one server; nil for what the others ask for.
  var maximumHostConnections: Int?
  var fields: [RequestField] = []
  var credentials: Credentials?
  var digest: Digest?
  var digestSource: ChecksumLocation?
  var userAgent = "haul/\(Version.number)"
  var referer: String?
  var limitRate: Int64?
  var retries = RetryPolicy()
  var connectTimeout: Double = 20
  var lowSpeed: Int64?
  var maximumRedirects = 20
  var maximumByteCount: Int64?
  var existing = ExistingFilePolicy.rename
  var expectedType: String?
  var isDurable = true
  var isStrict = false
  var trustsOverlap = false
  var keepsBadFile = false
  var certificateAuthorities: String?
  var isInsecure = false
  var proxy: String?
  var netrcChoice = NetrcFile.Choice.none
  /// What was read of it.
  var netrc: Netrc?
  var certificate: ClientCertificate?
  var keyPath: String?
  /// What else there is to say of connections.
  var connection = ConnectionOptions()
  var isDryRun = false
  var isQuiet = false
  var isVerbose = false
  var isJSON = false
  /// Whether events of progress tell what each connection brings.
  var tellsSegments = false
  var progress = ProgressStyle.auto
  var colour = ColourChoice.auto
  /// The most connections to one server.
  var hostConnections: Int {
    maximumHostConnections ?? max(HostGate.usualConnections, connections ?? 0, parallel)
  }
  /// Whether the owner says what the file must be.
  var hasDigest: Bool {
    digest != nil || digestSource != nil || isOnlyFile && described.first?.digest != nil
  }
  /// The files that are known from the start, without those of a list.
  var knownFileCount: Int { urls.count + described.count }
  /// The bytes of all files, where a document tells the length of each.
  var describedBytes: Int64? {
    guard urls.isEmpty, inputFile == nil else { return nil }
    return described.reduce(0 as Int64?) { sum, file in
      guard let sum, let bytes = file.byteCount else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(bytes)
      return overflow ? nil : next
    }
  }
  /// Whether there is one file and will be no other.
  var isOnlyFile: Bool { knownFileCount == 1 && inputFile == nil }
  /// Whether the file goes to standard output.
  var isStreaming: Bool { output == StandardOutput.name }
  /// The help that was asked for, in place of anything else.
  var help: HelpTopic?
  /// What to tell before anything is fetched.
  var warnings: [String] = []
  /// The same, where it is no reason to worry.
  var notes: [String] = []
}
