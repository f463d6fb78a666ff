import HaulHTTP

/// Reads the name of a file (RFC 5854, section 4.1.2.1).
enum MetalinkName {
  /// The last part of a name, safe as one path component.
  ///
  /// A name may have folders, which are left out: the folder is the owner's choice alone. One that
  /// leads elsewhere, as `../x`, `/etc/x` or `C:\x`, is refused as a whole.
  static func safe(_ text: String, line: Int) throws(MetalinkError) -> String {
    let parts = text.trimmingXMLSpace.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isStraight = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        && !part.contains(UInt8(ascii: "\\"))
    }
    guard isStraight, let first = parts.first, let last = parts.last, !hasDrive(first) else {
      throw MetalinkError(
        .unsafeName, line: line,
        "“\(shortened(text))” is no name inside a folder; it would be written elsewhere")
    }
    guard let name = FileName.safe(String(Substring(last))) else {
      throw MetalinkError(
        .unsafeName, line: line, "“\(shortened(text))” cannot be the name of a file")
    }
    return FileName.fitted(name, maxBytes: FileName.maximumByteCount)
  }

  /// Whether a part begins with the letter of a drive, as `C:`.
  private static func hasDrive(_ part: Substring.UTF8View) -> Bool {
    guard let letter = part.first, part.dropFirst().first == UInt8(ascii: ":") else { return false }
    return (0x61...0x7A).contains(letter | 0x20)
  }
}
