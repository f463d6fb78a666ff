import HaulHTTP
import Testing

@Suite struct MalformedFieldTests {
  @Test func showsNothingHarmful() {
    let field = MalformedField(name: "X", value: "a\u{0}\r\n\u{1B}[2J\u{202E}b")
    #expect(field.value == "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}[2J\u{FFFD}b")
    #expect(field.description.contains("X"))
  }

  @Test func showsNoMoreThanEightyCharacters() {
    #expect(MalformedField(name: "X", value: String(repeating: "é", count: 500)).value.count == 80)
    let heap = "a" + String(repeating: "\u{301}", count: 5_000)
    #expect(MalformedField(name: "X", value: heap).value.unicodeScalars.count == 80)
  }
}
