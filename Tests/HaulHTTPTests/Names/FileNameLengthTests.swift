import HaulHTTP
import Testing

@Suite struct FileNameLengthTests {
  @Test(
    arguments: [
      ("name.txt", 8, "name.txt"), ("name.txt", 7, "nam.txt"), ("name.txt", 5, "n.txt"),
      ("name.txt", 4, "name"), ("name.tar.gz", 10, "nam.tar.gz"), ("name.tar.gz", 8, "n.tar.gz"),
      ("name.tar.gz", 7, "name.ta"), ("name", 2, "na"), ("é.txt", 5, "_.txt"),
      ("éa.txt", 6, "é.txt"),
      ("ab cd.txt", 7, "ab.txt"), ("v1.2.3", 4, "v1.2"), ("v1. b", 4, "v1"),
      ("👨‍👩‍👧‍👦x.png", 29, "👨‍👩‍👧‍👦.png"), ("é", 2, "é"), ("éé", 3, "é"),
      ("CONTENT.txt", 7, "_ON.txt"), ("ab.haul-part_", 12, "ab.haul-par_"),
      ("x", 0, ""), ("x", -5, ""), ("x", .min, ""), ("x", .max, "x"),
    ])
  func shortensBeforeTheExtension(name: String, maxBytes: Int, expected: String) {
    #expect(FileName.fitted(name, maxBytes: maxBytes) == expected)
  }

  @Test func cutsACharacterThatAloneIsTooLong() {
    let heap = "a" + String(repeating: "\u{301}", count: 300)
    #expect(FileName.fitted(heap, maxBytes: 242).utf8.count == 241)
  }

  @Test(
    arguments: [
      ("name.txt", 0, "name.txt"), ("name.txt", -1, "name.txt"), ("name.txt", 1, "name (1).txt"),
      ("name.tar.gz", 1, "name (1).tar.gz"), ("name.TAR.XZ", 12, "name (12).TAR.XZ"),
      ("name.tar.zst", 1, "name (1).tar.zst"), ("dump.sql.gz", 1, "dump (1).sql.gz"),
      ("disk.img.xz", 1, "disk (1).img.xz"), ("x.user.js", 1, "x (1).user.js"),
      ("my.file.gz", 1, "my.file (1).gz"), ("a.b.txt", 1, "a.b (1).txt"), ("name", 1, "name (1)"),
      ("linux-6.12", 1, "linux-6.12 (1)"), ("a.mp4", 1, "a (1).mp4"), ("a.7z", 1, "a (1).7z"),
      ("mail.crdownload", 1, "mail.crdownload (1)"), ("x.haul-part_", 1, "x.haul-part_ (1)"),
      ("_tar.gz", 1, "_tar (1).gz"), ("name.txt", .max, "name (9223372036854775807).txt"),
    ])
  func numbersBeforeTheExtension(name: String, n: Int, expected: String) {
    #expect(FileName.numbered(name, n, maxBytes: 255) == expected)
  }

  @Test func shortensWhatItNumbers() {
    #expect(FileName.numbered("name.tar.gz", 1, maxBytes: 12) == "n (1).tar.gz")
    let long = String(repeating: "é", count: 200) + ".tar.gz"
    let numbered = FileName.numbered(long, 7, maxBytes: 242)
    #expect(numbered.hasSuffix("é (7).tar.gz"))
    #expect((241...242).contains(numbered.utf8.count))
  }

  @Test(arguments: SplitMix64.seeds)
  func staysSafeAtEveryLength(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let examples = [
      "name.tar.gz", "CONTENT.txt", "x.haul-part_", "ab cd. ef", "日本語.txt", "a.b.c.d", "COM12.x",
      "x.haul-journal_",
    ]
    for raw in Hostile.texts(like: examples, count: 700, seed: seed) {
      guard let name = FileName.safe(raw) else { continue }
      let maxBytes = Int.random(in: 1...30, using: &random)
      let n = Int.random(in: 0...120, using: &random)
      let results = [
        FileName.fitted(name, maxBytes: maxBytes), FileName.numbered(name, n, maxBytes: maxBytes),
      ]
      for result in results {
        if result.utf8.count > maxBytes { Issue.record("\(name.debugDescription) at \(maxBytes)") }
        FileNameRules.check(result, madeFrom: "\(raw) at \(maxBytes), \(n)")
      }
    }
  }
}
