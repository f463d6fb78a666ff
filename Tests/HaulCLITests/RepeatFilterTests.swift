import Testing

@testable import HaulCLI

@Suite struct RepeatFilterTests {
  @Test func repeatsAreKnownInBoundedMemory() {
    var filter = RepeatFilter(capacity: 3)
    func isRepeated(_ url: String) -> Bool { filter.isRepeated(Job(url: url)) }
    for url in ["a", "b", "c", "d"] { #expect(!isRepeated(url)) }
    for url in ["b", "c", "d"] { #expect(isRepeated(url)) }
    for url in ["e", "f", "g"] { #expect(!isRepeated(url)) }
    #expect(!isRepeated("a"), "it was long ago")
    #expect(isRepeated("g"))
  }
}
