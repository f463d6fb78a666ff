import Glibc
import HaulHTTP
import HaulTransfer

/// Reads the values of options; each failure shows the right form.
enum Values {
  static func text(_ value: String, of option: String, form: String) throws(UsageError) -> String {
    guard !value.isEmpty else { throw UsageError("the value of \(option) is empty; use \(form)") }
    guard !value.utf8.contains(0) else { throw UsageError("use \(form)") }
    return value
  }

  /// A path whose last part can name a file.
  static func fileName(_ value: String, of option: String) throws(UsageError) -> String {
    let path = try text(value, of: option, form: "\(option) FILE")
    let name = path.parts(between: "/").last ?? ""
    guard !name.isEmpty, name != ".", name != ".." else {
      throw UsageError("\(option) needs the name of a file; for a folder use -d \(value)")
    }
    let reserved = [".haul-part", ".haul-journal", ".haul-bad"]
    guard !reserved.contains(where: { name.hasSuffix($0) }) else {
      throw UsageError(
        "\(option): names that end in \(reserved.joined(separator: ", ")) are Haul's own")
    }
    return path
  }

  /// What stands at a path that a file is to have: only another file can give way to it.
  static func checkTarget(_ path: String) throws(UsageError) {
    var status = stat()
    // The text is passed as a string that ends with NUL, and the status is a local variable.
    guard unsafe lstat(path, &status) == 0 else { return }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    // A link to a file or to a folder gives way; what it names is left alone. The descriptors of the
    // process are links as well, and whoever names one does not mean the link.
    if isLink, unsafe stat(path, &status) != 0 { return }
    let isDescriptor = ["/dev/std", "/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
    let thing: String
    switch status.st_mode & S_IFMT {
    case S_IFDIR where !isLink:
      throw UsageError("“\(path)” is a folder; to put files into it use -d \(path)")
    case S_IFCHR, S_IFBLK: thing = "a device"
    case S_IFIFO: thing = "a pipe"
    case S_IFSOCK: thing = "a socket"
    default:
      guard isDescriptor else { return }
      thing = "an open file"
    }
    throw UsageError(
      "“\(path)” is \(thing); -o takes the name of a file: haul get -o - URL > \(path)")
  }

  static func count(
    _ value: String, of option: String, in range: ClosedRange<Int>, hint: String = ""
  ) throws(UsageError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw UsageError(
        "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not “\(value)”\(hint)")
    }
    return number
  }

  /// A number of bytes with an optional unit: `k`, `M`, `G`, `T`, all binary.
  static func size(_ value: String, of option: String) throws(UsageError) -> Int64 {
    let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
    var digits = value[...]
    var unit: Int64 = 1
    let isBinary = digits.hasSuffix("iB")
    if digits.hasSuffix("B") { digits.removeLast(isBinary ? 2 : 1) }
    if let last = digits.last?.lowercased().first, let factor = units[last] {
      unit = factor
      digits.removeLast()
    } else if isBinary {
      digits = ""
    }
    let isPlain = digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    if isPlain, let whole = Int64(digits) {
      let (bytes, overflow) = whole.multipliedReportingOverflow(by: unit)
      if !overflow { return bytes }
    } else if isPlain, let number = Double(String(digits)), number * Double(unit) < 9e18 {
      return Int64(number * Double(unit))
    }
    throw UsageError(
      "\(option) takes a number of bytes such as 4096, 500k, 1.5M or 2G, not “\(value)”")
  }

  static func seconds(
    _ value: String, of option: String, isZeroAllowed: Bool = true
  ) throws(UsageError) -> Double {
    guard let number = Double(value), number.isFinite, number <= 1e6,
      number > 0 || (isZeroAllowed && number == 0)
    else { throw UsageError("\(option) takes seconds such as 20 or 2.5, not “\(value)”") }
    return number
  }

  /// One of several words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: String, of option: String
  ) throws(UsageError) -> Choice {
    guard let choice = Choice(rawValue: value) else {
      let words = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "\(option) takes \(words.dropLast().joined(separator: ", ")) or \(words.last ?? ""), "
          + "not “\(value)”")
    }
    return choice
  }

  /// An answer to whether a flag holds.
  static func answer(_ value: String, of option: String) throws(UsageError) -> Bool {
    switch value.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw UsageError("\(option) takes no value but yes or no, not “\(value)”")
    }
  }

  static func digest(_ value: String, of option: String) throws(UsageError) -> Digest {
    guard let digest = Digest(parsing: value) else {
      let names = DigestAlgorithm.allCases.map { "\($0.rawValue)=HEX (\($0.byteCount * 2) digits)" }
      throw UsageError("\(option) takes \(names.joined(separator: ", ")), not “\(value)”")
    }
    return digest
  }

  static func mediaType(_ value: String, of option: String) throws(UsageError) -> String {
    guard MediaType(parsing: value) != nil else {
      throw UsageError("\(option) takes a media type such as video/mp4 or image/*, not “\(value)”")
    }
    return value
  }

  static func field(_ line: String, of option: String) throws(UsageError) -> HeaderField {
    guard let colon = line.firstIndex(of: ":") else {
      throw UsageError("\(option) takes 'Name: value', and “\(line)” has no colon")
    }
    let name = String(line[..<colon])
    let symbols = "!#$%&'*+-.^_`|~"
    guard !name.isEmpty,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || symbols.contains($0)) })
    else { throw UsageError("\(option) takes 'Name: value', and “\(name)” is no field name") }
    let ours = ["Range", "If-Range", "Host", "Content-Length", "Transfer-Encoding", "Connection"]
    if ours.contains(where: { $0.lowercased() == name.lowercased() }) {
      throw UsageError("\(option): \(name) is set by Haul itself, so that the file comes out right")
    }
    var value = line[line.index(after: colon)...]
    while let first = value.first, first == " " || first == "\t" { value.removeFirst() }
    return HeaderField(name: name, value: try fieldValue(String(value), of: option))
  }

  static func fieldValue(_ value: String, of option: String) throws(UsageError) -> String {
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw UsageError("\(option): a header field cannot hold control characters or line ends")
    }
    return value
  }

  /// Another address of a file.
  static func mirror(_ value: String, of option: String) throws(UsageError) -> HTTPURL {
    let url: HTTPURL
    do { url = try HTTPURL(parsing: value) } catch {
      throw UsageError("\(option): \(error.message)")
    }
    guard ["http", "https"].contains(url.scheme) else {
      throw UsageError(
        "\(option) takes an address of http or https, and this one has the scheme “\(url.scheme)”")
    }
    return url
  }

  /// A proxy as libcurl takes it; empty for none.
  static func proxy(_ value: String, of option: String) throws(UsageError) -> String {
    if value.isEmpty { return value }
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    let text = value.contains("://") ? value : "http://" + value
    guard let url = try? HTTPURL(parsing: text), schemes.contains(url.scheme),
      !value.contains(" ")
    else {
      throw UsageError(
        "\(option) takes http://HOST:PORT, https, socks4, socks4a, socks5 or socks5h in place of "
          + "http, or '' for none")
    }
    return value
  }

  static func credentials(_ value: String, of option: String) throws(UsageError) -> Credentials {
    guard let colon = value.firstIndex(of: ":"), colon != value.startIndex else {
      throw UsageError(
        "\(option) takes USER:PASSWORD, and others may see it in the list of processes; a netrc "
          + "(--netrc) or the config file (user = USER:PASSWORD) keeps it to you")
    }
    return Credentials(
      user: String(value[..<colon]), password: String(value[value.index(after: colon)...]))
  }

  /// A file of cookies that was looked at.
  static func cookieFile(_ value: String, of option: String) throws(UsageError) -> String {
    guard !value.isEmpty, value != "-" else {
      throw UsageError("use --cookie FILE, or --cookie 'NAME=VALUE' for a cookie itself")
    }
    try CookieFile.check(value, of: option)
    return value
  }

  static func readableFile(_ value: String, of option: String) throws(UsageError) -> String {
    // The text is passed as a string that ends with NUL.
    guard unsafe access(value, R_OK) == 0 else {
      throw UsageError("\(option): “\(value)” cannot be read (\(Values.describe(errno)))")
    }
    return value
  }

  /// The file of certificates that the environment names, as for curl and OpenSSL.
  static var environmentAuthorities: String? {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      // The names are constants; the value is copied at once.
      if let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty {
        return value
      }
    }
    return nil
  }

  /// The system's words for an error number.
  static func describe(_ number: Int32) -> String {
    // `strerror` returns a string that ends with NUL and is copied at once.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
