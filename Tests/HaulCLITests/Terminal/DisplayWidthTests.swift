import Glibc
import Testing

@testable import HaulCLI

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("file.iso", 8), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("한국어", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("🎬", 2), ("🇩🇪", 2),
    ("Ж", 1), ("ก\u{E34}", 1), ("א", 1), ("\u{7}\u{200B}", 0), ("—…━", 3), ("é\u{301}", 1),
  ])
  func widths(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  /// Terminals go by `wcwidth`, or by the tables that it is made of.
  @Test func everyCharacterIsAsWideAsTheSystemSays() throws {
    typealias Width = @convention(c) (Int32) -> Int32
    // The names are constants; the function has this type (POSIX), and the locale is that of this
    // thread only, for as long as it is asked.
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "wcwidth"),
      let locale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    else {
      Issue.record("the system has no wcwidth or no UTF-8")
      return
    }
    let width = unsafe unsafeBitCast(symbol, to: Width.self)
    let before = unsafe uselocale(locale)
    defer {
      unsafe _ = uselocale(before)
      unsafe freelocale(locale)
    }
    var other: [String] = []
    // All of the scripts and signs at the beginning, and samples of the large blocks behind them.
    let values = Array(UInt32(0x20)..<0x3400) + Array(stride(from: 0x3400, to: 0x110000, by: 97))
    for value in values {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // What shows nothing is never shown as it is.
      guard DisplayText(isUTF8: true).harmless(String(scalar)) == String(scalar) else { continue }
      let system = Int(width(Int32(value)))
      guard system >= 0, system != DisplayWidth.of(scalar) else { continue }
      other.append("U+\(String(value, radix: 16)): \(system)")
    }
    // Versions of Unicode differ in a few.
    #expect(other.count < 40, "\(other)")
  }
}
