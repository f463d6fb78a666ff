import HaulHTTP
import HaulMetalink
import HaulTransfer

/// One file of the command line or of a list.
struct Job {
  var url: String
  var name: String?
  var digest: Digest?
  /// Where in the list it stands, for messages; nil for one of the command line.
  var line: Int?
  /// What a Metalink document says of it.
  var described: MetalinkFile?
}

extension Job {
  /// A file that a Metalink document describes.
  init(_ file: MetalinkFile) {
    url = file.urls[0].identityText
    name = file.name
    digest = file.digest
    described = file
  }

  /// Reads a line of a list; nil for blank lines and comments.
  init?(line: String, number: Int) throws(UsageError) {
    let (space, tab) = (UInt8(ascii: " "), UInt8(ascii: "\t"))
    var bytes = line[...].utf8
    // Editors of some systems begin a text with a mark that is no part of it.
    if number == 1, line.unicodeScalars.first == "\u{FEFF}" { bytes.removeFirst(3) }
    while let last = bytes.last, last == UInt8(ascii: "\r") || last == space { bytes.removeLast() }
    guard let first = bytes.first(where: { $0 != space && $0 != tab }), first != UInt8(ascii: "#")
    else { return nil }
    guard !Self.isOptionOfAria2(bytes) else {
      throw UsageError(
        "line \(number) of the list is an option, as aria2 takes it; a name and a digest follow the "
          + "address: URL TAB NAME TAB sha-256=HEX")
    }
    let parts = bytes.split(separator: tab, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count <= 3 else {
      throw UsageError("line \(number) of the list has more than URL TAB name TAB digest")
    }
    self.line = number
    url = String(Substring(parts[0].utf8.drop { $0 == space }))
    guard !url.utf8.contains(space) else {
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

  /// Whether it is indented, and has a name and a value.
  private static func isOptionOfAria2(_ line: Substring.UTF8View) -> Bool {
    let (space, tab) = (UInt8(ascii: " "), UInt8(ascii: "\t"))
    guard let first = line.first, first == space || first == tab else { return false }
    let text = line.drop { $0 == space || $0 == tab }
    let name = text.prefix { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    return !name.isEmpty && text[name.endIndex...].first == UInt8(ascii: "=")
  }

  /// The transfer that the options ask for.
  func request(_ options: GetOptions) throws(UsageError) -> TransferRequest {
    let parsed: HTTPURL
    do { parsed = try HTTPURL(parsing: url) } catch { throw refusal(error) }
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
    request.mirrors = mirrors(of: parsed, options)
    request.followsLinks = options.followsLinks
    // What the owner says of the one file rules over what a document says.
    request.digest = options.digest ?? digest
    request.pieces = described?.pieces
    request.expectedByteCount = described?.byteCount
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
    if options.isDryRun { request.connection.receiveBuffer = 64 << 10 }
    return request
  }
}

extension Job {
  /// The other addresses of the file, each once: those of the owner, then those of the document.
  private func mirrors(of url: HTTPURL, _ options: GetOptions) -> [HTTPURL] {
    let others = options.mirrors + (described?.urls.dropFirst() ?? [])
    if others.isEmpty { return [] }
    var seen: Set = [url.identityText]
    return others.filter { seen.insert($0.identityText).inserted }
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
    if let lowSpeed { connection.lowSpeed = lowSpeed }
    connection.receiveBuffer = limitRate.flatMap(receiveBuffer)
    return connection
  }

  /// What the kernel may take ahead of a limited rate on each connection.
  ///
  /// An eighth of a second's bytes, since one connection alone has to reach the limit over distances of
  /// that time. Where many connections share more than the system allows to ask for, it chooses better.
  private func receiveBuffer(_ rate: Int64) -> Int? {
    let (least, most): (Int64, Int64) = (64 << 10, 208 << 10)
    let number = Int64(parallel * (connections ?? SegmentPolicy.adaptive.maximumConnections))
    return rate / 8 / number > most ? nil : Int(min(max(rate / 8, least), most))
  }
}
