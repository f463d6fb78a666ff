import Glibc
import HaulTransfer

/// A file of cookies in Netscape's format, as curl, wget and browsers' extensions write it.
enum CookieFile {
  static let maximumByteCount = 16 << 20

  /// Checks that it is one: libcurl passes over every line that it cannot read, and a file of another
  /// kind would mean no cookies at all.
  ///
  /// The lines of header fields (`Set-Cookie:`) that libcurl also takes are refused. Their cookies may
  /// have no domain, and libcurl sends those to everybody.
  static func check(_ path: String, of option: String) throws(UsageError) {
    guard let file = try? SmallFile.read(path, atMost: maximumByteCount) else {
      throw UsageError(
        "\(option): the file “\(path)” cannot be read (\(Values.describe(errno))); "
          + "for a cookie itself use --cookie 'NAME=VALUE'")
    }
    let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !isCookie(line) {
      throw UsageError(
        "\(option): line \(index + 1) of “\(path)” is no cookie in Netscape's format, which has 7 "
          + "columns with TABs between: domain, subdomains too, path, secure, expiry, name, value")
    }
  }

  /// Whether a line is a cookie, a comment, or blank.
  private static func isCookie(_ line: ArraySlice<UInt8>) -> Bool {
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let mark = Array("#HttpOnly_".utf8)
    if line.starts(with: mark) {
      line = line.dropFirst(mark.count)
    } else if line.first == UInt8(ascii: "#") {
      return true
    }
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return true }
    let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    let flags = [Array("TRUE".utf8), Array("FALSE".utf8)]
    // An empty value may have lost its TAB.
    return (6...7).contains(columns.count) && !columns[0].isEmpty
      && flags.contains(columns[1].map(uppercased)) && flags.contains(columns[3].map(uppercased))
      && !columns[4].isEmpty && columns[4].allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func uppercased(_ byte: UInt8) -> UInt8 {
    (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
  }
}
