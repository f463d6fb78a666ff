extension FileName {
  /// Shortens a safe name to a number of bytes of UTF-8, keeping its extension where it fits.
  ///
  /// The cut falls between characters as a reader sees them, unless one of them alone is too long.
  /// - Parameters:
  ///   - name: A safe name.
  ///   - maxBytes: At least 1; less gives an empty result.
  /// - Returns: The same name when it fits, else a shorter one that is as safe.
  public static func fitted(_ name: String, maxBytes: Int) -> String {
    name.utf8.count <= maxBytes ? name : composed(name, insert: "", maxBytes: maxBytes)
  }

  /// The n-th alternative to a name that is taken: `name (1).tar.gz`.
  ///
  /// The number stands before the extension, which has two parts only for `.tar.X` and a few
  /// well-known pairs.
  /// - Parameters:
  ///   - name: A safe name.
  ///   - n: Which alternative; zero or less means the name itself.
  ///   - maxBytes: The bytes of UTF-8 that the result may have.
  /// - Returns: A name as safe as the given one.
  public static func numbered(_ name: String, _ n: Int, maxBytes: Int) -> String {
    n > 0
      ? composed(name, insert: " (\(n))", maxBytes: maxBytes) : fitted(name, maxBytes: maxBytes)
  }

  /// Splits a name into what comes before its extension and the extension with its dot or dots,
  /// which is empty when there is none.
  ///
  /// An extension has 1 to 8 letters and digits of ASCII, at least one of them a letter: the end of
  /// `linux-6.12` is none.
  static func split(_ name: String) -> (stem: String, extension: String) {
    guard let dot = lastExtensionDot(name[...]) else { return (name, "") }
    let stem = name[..<dot]
    let outer = name[dot...].asciiLowercasedText
    guard let innerDot = lastExtensionDot(stem) else { return (String(stem), String(name[dot...])) }
    let inner = stem[innerDot...].asciiLowercasedText
    let isPair =
      inner == ".tar" || pairs.contains(inner + outer)
      || (compressions.contains(outer) && compressedTypes.contains(inner))
    let cut = isPair ? innerDot : dot
    return (String(name[..<cut]), String(name[cut...]))
  }

  /// Whether `split` finds an extension.
  static func hasExtension(_ name: String) -> Bool { lastExtensionDot(name[...]) != nil }

  private static let pairs: Set<String> = [".user.js", ".min.js", ".min.css", ".d.ts"]
  private static let compressions: Set<String> = [
    ".br", ".bz2", ".gz", ".lz", ".lz4", ".lzma", ".xz", ".z", ".zst",
  ]
  private static let compressedTypes: Set<String> = [
    ".cpio", ".csv", ".fasta", ".fastq", ".img", ".iso", ".json", ".jsonl", ".log", ".nii",
    ".qcow2", ".raw", ".sql", ".tsv", ".txt", ".vcf", ".warc", ".xml",
  ]

  /// Where the dot of the extension stands; nil when there is none or nothing before it.
  private static func lastExtensionDot(_ name: Substring) -> String.Index? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return nil
    }
    let text = name.utf8[dot...].dropFirst()
    let isExtension =
      text.count <= 8 && text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      && text.contains(where: \.isASCIILetter)
    return isExtension ? dot : nil
  }

  private static func composed(_ name: String, insert: String, maxBytes: Int) -> String {
    var (stem, ending) = split(name)
    ending = insert + ending
    if ending.utf8.count >= maxBytes { (stem, ending) = (name + insert, "") }
    let short = prefix(of: stem, maxBytes: max(0, maxBytes - ending.utf8.count))
    var result = trimmingEnd(short)
    // An ending alone would be a hidden file.
    if result.isEmpty, maxBytes > 0 { result = "_" }
    result += ending
    // A cut may leave what has a meaning of its own; neither fix makes the name longer.
    if isReserved(result) { result = "_" + String(result.unicodeScalars.dropFirst()) }
    if endsLikeOwnFile(result) { result = String(result.unicodeScalars.dropLast()) + "_" }
    return result
  }

  private static func prefix(of text: String, maxBytes: Int) -> Substring {
    var end = text.startIndex
    var count = 0
    for index in text.indices {
      count += text[index].utf8.count
      if count > maxBytes { break }
      end = text.index(after: index)
    }
    if end > text.startIndex { return text[..<end] }
    // One character of more bytes than there is room for: a base and a heap of marks.
    count = 0
    for index in text.unicodeScalars.indices {
      count += text.unicodeScalars[index].utf8.count
      if count > maxBytes { break }
      end = text.unicodeScalars.index(after: index)
    }
    return text[..<end]
  }

  private static func trimmingEnd(_ text: Substring) -> String {
    var scalars = text.unicodeScalars
    while let last = scalars.last, last == "." || last.properties.isWhitespace {
      scalars.removeLast()
    }
    return String(scalars)
  }
}

extension Substring {
  fileprivate var asciiLowercasedText: String { String(self).asciiLowercased }
}
