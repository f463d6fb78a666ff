import Testing

@testable import HaulCLI

@Suite struct RepeatFilterTests {
  /// Composed and decomposed letters look the same, and are two addresses.
  @Test func whatLooksTheSameIsNotTheSame() {
    var filter = RepeatFilter()
    let jobs = ["\u{E9}", "e\u{301}"].flatMap { letter in
      [Job(url: "http://h/" + letter), Job(url: "http://h/", name: letter)]
    }
    for job in jobs {
      let isRepeated = filter.isRepeated(job)
      #expect(!isRepeated)
    }
  }

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
