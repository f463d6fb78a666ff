/// Makes names for files from texts that others chose.
public enum FileName {
  /// Reduces any text to one path component that is safe on every common file system.
  ///
  /// - What follows the last `/` or `\` counts; callers undo percent-encoding before.
  /// - Control characters, and characters that show nothing or change the direction of text, are
  ///   dropped; `<>:"|?*` become `_`, and so do dots or a dash at the start.
  /// - White space at both ends and dots at the end are cut off.
  /// - A name that Windows reserves (`CON`, `nul.txt`) gets a `_` before it, one that ends like
  ///   Haul's own files (`.haul-part`, in any case) a `_` after it.
  ///
  /// The length stays; see `fitted`. Reducing a result again changes nothing.
  /// - Returns: nil when no letter, digit or other meaningful character remains.
  public static func safe(_ raw: String) -> String? {
    if isPlain(raw) { return raw }
    let scalars = raw.unicodeScalars
    let separator = scalars.lastIndex { $0 == "/" || $0 == "\\" }
    let component = separator.map { scalars[$0...].dropFirst() } ?? scalars[...]

    var kept = component.filter { !isDropped($0) }.map { isReplaced($0) ? "_" : $0 }[...]
    kept = kept.drop { $0.properties.isWhitespace }
    while let last = kept.last, last == "." || last.properties.isWhitespace { kept.removeLast() }
    let dots = kept.prefix { $0 == "." }
    if !dots.isEmpty { kept.replaceSubrange(dots.indices, with: ["_"]) }
    if kept.first == "-" { kept[kept.startIndex] = "_" }
    guard kept.contains(where: { isMeaningful($0) }) else { return nil }

    let name = String(String.UnicodeScalarView(kept))
    let prefix = isReserved(name) ? "_" : ""
    return prefix + name + (endsLikeOwnFile(name) ? "_" : "")
  }

  /// Whether a name consists of letters, digits, and marks in its middle, as most do, and is safe
  /// as it stands. Every other name takes a closer look.
  private static func isPlain(_ name: String) -> Bool {
    var last: UInt8 = 0
    var hasDash = false
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        guard last != 0 else { return false }
        if byte == UInt8(ascii: "-") { hasDash = true }
      default:
        guard byte.isASCIILetter || byte.isASCIIDigit else { return false }
      }
      last = byte
    }
    guard last != 0, last != UInt8(ascii: ".") else { return false }
    // Names that are reserved are short.
    let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    return (stem.count > 8 || !isReserved(name)) && !(hasDash && endsLikeOwnFile(name))
  }

  /// Whether both name the same file where case, or the form in which Unicode spells a letter,
  /// makes no difference.
  public static func isSameName(_ a: String, _ b: String) -> Bool {
    // `==` compares by canonical equivalence already.
    folded(a) == folded(b)
  }

  private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.isInvisible }
    // Variation selectors choose between forms of a visible character, such as emoji.
    let properties = scalar.properties
    return scalar.isInvisible
      || (properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector)
  }

  private static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", ":", "\"", "|", "?", "*": true
    default: false
    }
  }

  private static func isMeaningful(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "_" && scalar != "." && scalar != "-" && !scalar.properties.isWhitespace
      && !scalar.properties.isVariationSelector
  }

  /// Whether Windows takes the name for a device: the part before the first dot decides.
  static func isReserved(_ name: String) -> Bool {
    let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let stem = String(name[..<dot]).trimmingFieldSpace.uppercased()
    return reservedNames.contains(stem)
  }

  /// Whether the name ends like a file that Haul keeps for itself.
  static func endsLikeOwnFile(_ name: String) -> Bool {
    let bytes = folded(name).utf8
    return ownSuffixes.contains { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  private static let ownSuffixes = [".haul-part", ".haul-journal", ".haul-bad", ".haul-mission"]

  private static let reservedNames: Set<String> = {
    let numbers = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{B9}", "\u{B2}", "\u{B3}"]
    let ports = numbers.flatMap { ["COM" + $0, "LPT" + $0] }
    return Set(ports + ["CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"])
  }()
}
