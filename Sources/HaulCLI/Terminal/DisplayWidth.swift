/// How many columns of a terminal a text takes.
///
/// Terminals do as `wcwidth` does: each character counts by itself, 0 for what combines with the
/// one before it, 2 for wide ones (Unicode Standard Annex #11), 1 for the rest. What a terminal may
/// draw in another width, such as joined emoji, is taken apart by `DisplayText` before.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator:
      // The one format character that terminals give a column.
      return scalar == "\u{AD}" ? 1 : 0
    default: break
    }
    // Vowels and finals of Hangul stand in the syllable that a wide initial begins.
    if 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FB ~= scalar.value { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    // Two of the letters that make a flag take two columns together.
    if scalar.properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF ~= scalar.value) }
    return wideRanges.contains { $0.contains(scalar.value) }
  }

  /// The blocks of wide and full-width characters besides emoji.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D8F, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
