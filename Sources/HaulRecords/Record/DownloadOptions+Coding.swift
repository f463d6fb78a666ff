import FoundationEssentials
import HaulHTTP

extension DownloadOptions {
  /// The version of the form below. A reader refuses one that it does not know.
  static let version = 1

  /// The form in which options are stored: an object of JSON with its version; nil for options that
  /// ask for nothing, as most do.
  ///
  /// - Throws: `RecordError` when a number or an address is not allowed.
  package func encoded() throws(RecordError) -> String? {
    try check()
    guard self != DownloadOptions() else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(Stored(self)), as: UTF8.self)
    } catch {
      throw RecordError("its options cannot be written as JSON")
    }
  }

  /// Reads what `encoded` made.
  ///
  /// - Throws: `RecordError` when it is no such JSON, of another version, or holds what is not allowed.
  package init(decoding text: String?) throws(RecordError) {
    self.init()
    guard let text else { return }
    let stored: Stored
    do {
      stored = try JSONDecoder().decode(Stored.self, from: Data(text.utf8))
    } catch {
      throw RecordError("its options are not the JSON that is expected")
    }
    guard stored.version == Self.version else {
      throw RecordError("its options are of version \(stored.version), which is not known")
    }
    for mirror in stored.mirrors ?? [] {
      guard let url = try? HTTPURL(parsing: mirror) else {
        throw RecordError("a mirror is no address")
      }
      mirrors.append(url)
    }
    for text in stored.digests ?? [] {
      guard let digest = Digest(parsing: text) else { throw RecordError("a digest is malformed") }
      digests.append(digest)
    }
    for pair in stored.headers ?? [] {
      guard pair.count == 2 else { throw RecordError("a header field is malformed") }
      headers.append(HeaderField(name: pair[0], value: pair[1]))
    }
    if let name = stored.exists {
      guard let policy = NamePolicy(rawValue: name) else {
        throw RecordError("what to do with a name that is taken is unknown")
      }
      namePolicy = policy
    }
    if let text = stored.keptUnder {
      guard let url = try? HTTPURL(parsing: text) else {
        throw RecordError("its former address is none")
      }
      keptUnder = url
    }
    connections = stored.connections
    rateLimit = stored.rateLimit
    try check()
  }

  private struct Stored: Codable {
    var version: Int
    var mirrors: [String]?
    var digests: [String]?
    var exists: String?
    var headers: [[String]]?
    var keptUnder: String?
    var connections: Int?
    var rateLimit: Int64?

    init(_ options: DownloadOptions) {
      version = DownloadOptions.version
      if !options.mirrors.isEmpty { mirrors = options.mirrors.map(\.textWithoutUser) }
      if !options.digests.isEmpty { digests = options.digests.map(\.description) }
      if options.namePolicy != .rename { exists = options.namePolicy.rawValue }
      if !options.headers.isEmpty { headers = options.headers.map { [$0.name, $0.value] } }
      keptUnder = options.keptUnder?.textWithoutUser
      connections = options.connections
      rateLimit = options.rateLimit
    }
  }
}
