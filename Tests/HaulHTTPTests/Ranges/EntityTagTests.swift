import HaulHTTP
import Testing

@Suite struct EntityTagTests {
  @Test(
    arguments: [
      ("\"abc\"", false, "abc", "\"abc\""),
      ("  \"abc\"  ", false, "abc", "\"abc\""),
      ("\"\"", false, "", "\"\""),
      ("W/\"abc\"", true, "abc", "W/\"abc\""),
      ("w/\"abc\"", true, "abc", "W/\"abc\""),
      ("\"W/\"", false, "W/", "\"W/\""),
      ("\"é\"", false, "é", "\"é\""),
      ("\"a b\"", false, "a b", "\"a b\""),
      ("abc", true, "abc", "W/\"abc\""),
      ("W/abc", true, "abc", "W/\"abc\""),
      ("5f3-1", true, "5f3-1", "W/\"5f3-1\""),
    ])
  func readsTags(value: String, isWeak: Bool, opaque: String, field: String) throws {
    let tag = try #require(EntityTag(parsing: value))
    #expect(tag.isWeak == isWeak)
    #expect(tag.opaque == opaque)
    #expect(tag.fieldValue == field)
  }

  @Test(arguments: [
    "", " ", "\"", "W/", "\"abc", "abc\"", "\"a\"b\"", "\"a\", \"b\"", "\"a\u{0}\"", "\"a\nb\"",
    "\"a\u{7F}\"", "\"a\u{85}\"", "W/\"", "\"" + String(repeating: "x", count: 1025) + "\"",
  ])
  func refusesMalformedTags(value: String) {
    #expect(EntityTag(parsing: value) == nil)
  }

  @Test func acceptsTagsOf1024Bytes() {
    let long = String(repeating: "x", count: 1024)
    #expect(EntityTag(parsing: "W/\"\(long)\"")?.opaque == long)
  }

  @Test func tellsApartWhatOnlyUnicodeCallsEqual() throws {
    let composed = try #require(EntityTag(parsing: "\"\u{E9}\""))
    let decomposed = try #require(EntityTag(parsing: "\"e\u{301}\""))
    #expect(composed != decomposed)
    #expect(!composed.matchesWeakly(decomposed))
  }

  @Test func comparesWeaklyWithoutRegardToStrength() throws {
    let weak = try #require(EntityTag(parsing: "W/\"a\""))
    let strong = try #require(EntityTag(parsing: "\"a\""))
    #expect(weak != strong)
    #expect(weak.matchesWeakly(strong))
  }

  @Test(arguments: SplitMix64.seeds)
  func everyTagReadsBackFromItsField(seed: UInt64) {
    let examples = ["\"abc\"", "W/\"abc-1\"", "abc", "\"\""]
    for text in Hostile.texts(like: examples, count: 800, seed: seed) {
      guard let tag = EntityTag(parsing: text) else { continue }
      if EntityTag(parsing: tag.fieldValue) != tag {
        Issue.record("\(text.debugDescription) gave \(tag)")
      }
    }
  }
}
