import HaulTestKit
import Testing

@testable import HaulFiles

/// The names of a folder as hashes.
@Suite struct NameSetTests {
  /// A name with letters that fold or compose in several ways.
  private func draw(_ random: SeededRandom) -> String {
    let letters = [
      "a", "A", "ä", "a\u{308}", "Ä", "A\u{308}", "ß", "SS", "ss", "1", "é", "e\u{301}",
    ]
    return (0...Int(random.next() % 3)).map { _ in
      letters[Int(random.next() % UInt64(letters.count))]
    }.joined()
  }

  /// Against the comparison itself, name by name.
  @Test func itFindsWhatIsThereAndMostTwins() {
    var (twins, missed) = (0, 0)
    for seed in 0..<30 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      var set = NameSet()
      var names: [String] = []
      for _ in 0..<60 {
        let asked = draw(random)
        let twin = names.contains { NameSet.areTwins($0, asked) }
        let isThere = names.contains { $0.utf8.elementsEqual(asked.utf8) }
        // A few bits tell twins apart: now and then one is missed, but none is made up.
        let isFound = set.mayHaveTwin(of: asked)
        #expect(!isFound || twin, "seed \(seed): \(asked) in \(names)")
        if twin { twins += 1 }
        if twin, !isFound { missed += 1 }
        #expect(set.mayHave(asked) == (twin || isThere), "seed \(seed): \(asked) in \(names)")
        if random.next() % 2 == 0 {
          set.insert(asked)
          names.append(asked)
        }
      }
    }
    #expect(twins > 100 && missed * 10 < twins)
  }

  @Test(arguments: [
    ("a.bin", "A.BIN"), ("Ä", "a\u{308}"), ("é", "e\u{301}"), ("Straße", "STRASSE"),
    ("ﬁle", "FILE"), ("ΑΣ", "ας"),
  ])
  func namesThatOneDiskTakesForTheSameAreTwins(_ names: (String, String)) {
    var found = 0
    for number in 0..<64 {
      let (one, other) = ("\(names.0)\(number)", "\(names.1)\(number)")
      var set = NameSet()
      set.insert(one)
      #expect(set.mayHave(other) && set.mayHave(one))
      // No name is its own twin.
      #expect(!set.mayHaveTwin(of: one))
      if set.mayHaveTwin(of: other) { found += 1 }
      set.insert(other)
      #expect(set.mayHave(other))
    }
    #expect(found > 55)
  }

  @Test(arguments: [("a", "b"), ("a.bin", "a.bin2"), ("İ", "i"), ("", "a")])
  func otherNamesAreNoTwins(_ names: (String, String)) {
    #expect(!NameSet.areTwins(names.0, names.1))
    var set = NameSet()
    set.insert(names.0)
    #expect(!set.mayHaveTwin(of: names.1) && !set.mayHave(names.1))
  }

  /// The names themselves would take ten times as much.
  @Test func manyNamesTakeLittleMemory() throws {
    var set = NameSet()
    for number in 0..<200_000 { set.insert("a file of many in one folder, number \(number).bin") }
    let (bytes, entries) = try sizes(set)
    #expect(entries > 199_900 && entries <= 200_000)
    #expect(bytes < 200_000 * 8)
    // The same ones again change nothing.
    for number in 0..<10_000 { set.insert("a file of many in one folder, number \(number).bin") }
    #expect(try sizes(set).bytes < 200_000 * 8)
    #expect(set.mayHave("A FILE of many in one folder, number 77777.bin"))
    let misses = (0..<10_000).count { set.mayHave("another \($0)") }
    #expect(misses < 10)
  }

  /// The memory behind a set, and how many names it holds.
  private func sizes(_ set: NameSet) throws -> (bytes: Int, entries: Int) {
    let parts = Mirror(reflecting: set).children.map(\.value)
    let kept = try #require(parts.compactMap { $0 as? [UInt32] }.first)
    let starts = try #require(parts.compactMap { $0 as? [Int] }.first)
    let recent = try #require(parts.compactMap { $0 as? [UInt64: UInt8?] }.first)
    return (
      kept.capacity * 4 + starts.capacity * 8 + recent.capacity * 20, kept.count + recent.count
    )
  }
}
