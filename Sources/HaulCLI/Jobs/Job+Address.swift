import Glibc
import HaulHTTP
import HaulTransfer

/// What is said of addresses that cannot be fetched.
extension Job {
  /// What can be shown of an address that cannot be read: nothing that may be a secret.
  private var shown: String {
    let start = url.prefix { $0 != "?" && $0 != "#" }
    let rest = start.lastIndex(of: "@").map { "…" + start[$0...] } ?? String(start)
    return rest.count > 60 ? rest.prefix(60) + "…" : rest
  }

  /// Says what is wrong with the address.
  func refusal(_ error: AddressError) -> UsageError {
    let place = line.map { "line \($0) of the list: " } ?? ""
    return UsageError("\(place)“\(shown)”: \(remedy ?? error.message)")
  }

  /// The failure of an address without a host in a scheme that is not fetched, as `magnet:?…` and
  /// `file:///x`. Those with a host fail as transfers.
  var foreignScheme: TransferFailure? {
    // Nearly all are of these two, which costs no look at the rest.
    if url.utf8.starts(with: "http://".utf8) || url.utf8.starts(with: "https://".utf8) {
      return nil
    }
    guard let colon = url.firstIndex(of: ":"), (try? HTTPURL(parsing: url)) == nil else {
      return nil
    }
    let scheme = url[..<colon].lowercased()
    let rest = url[url.index(after: colon)...]
    guard scheme.first?.isLetter == true,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-".contains($0)) }),
      !["http", "https"].contains(scheme),
      rest.hasPrefix("/") || ["data", "magnet", "mailto", "urn"].contains(scheme)
    else { return nil }
    return TransferFailure(
      code: .scheme,
      message: "“\(shown)” has the scheme “\(scheme)”; Haul fetches http and https")
  }

  /// What was probably meant by an address without a scheme.
  private var remedy: String? {
    guard !url.contains("://") else { return nil }
    if line == nil, isFile {
      let isDocument = [".meta4", ".metalink"].contains { url.lowercased().hasSuffix($0) }
      let option = isDocument ? "-M" : "-i"
      return "The address has no scheme; for the addresses in that file: haul get \(option) \(url)"
    }
    guard let address = corrected else { return nil }
    return "The address has no scheme; did you mean "
      + (line == nil ? "haul get \(address)?" : "\(address)?")
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789-._~:/%+,")

  /// The whole address, where it begins as a host does, and needs no quotes.
  private var corrected: String? {
    guard url.lowercased().allSatisfy(Self.plain.contains), url.contains("/") || url.contains(":"),
      let secure = try? HTTPURL(parsing: "https://" + url)
    else { return nil }
    let labels = secure.host.split(separator: ".", omittingEmptySubsequences: false)
    let isNumeric = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
    if secure.host == "localhost" || isNumeric { return "http://" + url }
    let isName =
      labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
      && labels.last.map { $0.count > 1 && $0.allSatisfy(\.isLetter) } == true
    return isName ? "https://" + url : nil
  }

  private var isFile: Bool {
    var status = stat()
    // The text is passed as a string that ends with NUL, and the status is a local variable.
    guard !url.isEmpty, url.allSatisfy({ Self.plain.contains(Character($0.lowercased())) }),
      unsafe stat(url, &status) == 0
    else { return false }
    return status.st_mode & S_IFMT == S_IFREG
  }
}
