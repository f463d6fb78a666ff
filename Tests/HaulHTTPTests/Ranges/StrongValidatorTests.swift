import HaulHTTP
import Testing

@Suite struct StrongValidatorTests {
  @Test func isSentAsItArrived() {
    #expect(StrongValidator.entityTag("\"a\"").fieldValue == "\"a\"")
    #expect(
      StrongValidator.lastModified("Sun Nov  6 08:49:37 1994").fieldValue.hasPrefix("Sun Nov  6"))
  }

  @Test func tellsApartWhatOnlyUnicodeCallsEqual() {
    #expect(StrongValidator.entityTag("\u{E9}") != .entityTag("e\u{301}"))
    #expect(StrongValidator.entityTag("a") != .lastModified("a"))
    #expect(StrongValidator.lastModified("a") == .lastModified("a"))
  }
}
