import HaulHTTP
import HaulTransfer

/// One file of the command line or of a list.
struct Job {
  var url: String
  var name: String?
  var digest: Digest?
  /// Where in the list it stands, for messages; nil for one of the command line.
  var line: Int?
}

extension Job {
  /// Reads a line of a list; nil for blank lines and comments.
  init?(line: String, number: Int) throws(UsageError) {
    var line = line[...]
    // Editors of some systems begin a text with a mark that is no part of it.
    if number == 1, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    while line.last == "\r\n" || line.last == "\r" || line.last == " " { line.removeLast() }
    guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else {
      return nil
    }
    let parts = line.parts(between: "\t")
    guard parts.count <= 3 else {
      throw UsageError("line \(number) of the list has more than URL TAB name TAB digest")
    }
    self.line = number
    url = String(parts[0].drop { $0 == " " })
    guard !url.hasScalar(" ") else {
      throw UsageError(
        "line \(number) of the list has a space in its address: columns are separated by TAB, and a "
          + "space in an address is %20")
    }
    if parts.count > 1, !parts[1].isEmpty {
      guard !parts[1].hasScalar("/") else {
        throw UsageError("line \(number) of the list: a name cannot contain “/”")
      }
      name = try Values.fileName(parts[1], of: "line \(number) of the list")
    }
    if parts.count > 2, !parts[2].isEmpty {
      guard let digest = Digest(parsing: parts[2]) else {
        throw UsageError("line \(number) of the list: “\(parts[2])” is no digest; use sha-256=HEX")
      }
      self.digest = digest
    }
  }

  /// What can be shown of an address that cannot be read: nothing that may be a secret.
  private static func shown(_ url: String) -> String {
    let start = url.prefix { $0 != "?" && $0 != "#" }
    let rest = start.lastIndex(of: "@").map { "…" + start[$0...] } ?? String(start)
    return rest.count > 60 ? rest.prefix(60) + "…" : rest
  }

  /// The transfer that the options ask for.
  func request(_ options: GetOptions) throws(UsageError) -> TransferRequest {
    let parsed: HTTPURL
    do { parsed = try HTTPURL(parsing: url) } catch {
      let place = line.map { "line \($0) of the list: " } ?? ""
      throw UsageError("\(place)“\(Self.shown(url))”: \(error.message)")
    }
    var folder = options.folder
    var name = name
    if let output = options.output, !options.isStreaming {
      let parts = output.parts(between: "/")
      name = parts.last
      let parent = parts.dropLast().joined(separator: "/")
      if output.utf8.first == UInt8(ascii: "/") {
        folder = parent.isEmpty ? "/" : parent
      } else if !parent.isEmpty {
        folder += "/" + parent
      }
    }
    if let name, options.output != nil, !options.isStreaming {
      try Values.checkTarget(folder.hasSuffix("/") ? folder + name : folder + "/" + name)
    }
    var request = TransferRequest(
      url: parsed,
      destination: Destination(
        folder: folder, name: name, existing: options.existing, isDurable: options.isDurable,
        keepsBadFile: options.keepsBadFile))
    request.fields = options.fields
    if let referer = options.referer {
      request.fields.append(RequestField(HeaderField(name: "Referer", value: referer)))
    }
    request.credentials = options.credentials
    request.netrc = options.netrc
    request.digest = digest ?? options.digest
    request.isDryRun = options.isDryRun
    request.expectedType = options.expectedType
    request.maximumByteCount = options.maximumByteCount
    request.maximumRedirects = options.maximumRedirects
    request.isStrict = options.isStrict
    request.trustsOverlap = options.trustsOverlap
    request.retries = options.retries
    request.userAgent = options.userAgent
    request.tellsExchanges = options.isVerbose
    request.segments =
      options.connections.map { SegmentPolicy(maximumConnections: $0, isAdaptive: false) }
      ?? .adaptive
    request.connection = options.wholeConnection
    // Nothing of a body that nobody reads needs to be on its way.
    if options.isDryRun { request.connection.isRateLimited = true }
    return request
  }
}

extension GetOptions {
  fileprivate var wholeConnection: ConnectionOptions {
    var connection = connection
    connection.proxy = proxy
    let authorities = Values.environmentAuthorities
    connection.certificateAuthorities = certificateAuthorities ?? authorities
    connection.proxyCertificateAuthorities = connection.proxyCertificateAuthorities ?? authorities
    connection.clientCertificate = certificate
    connection.isInsecure = isInsecure
    connection.connectTimeout = connectTimeout
    connection.isRateLimited = limitRate != nil
    if let lowSpeed { connection.lowSpeed = lowSpeed }
    if let limitRate {
      // Our own limit, shared by all files, must not look like a stalled server.
      connection.lowSpeed = min(connection.lowSpeed, limitRate / Int64(4 * parallel))
    }
    return connection
  }
}
