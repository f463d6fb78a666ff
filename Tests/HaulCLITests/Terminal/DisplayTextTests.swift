import Testing

@testable import HaulCLI

@Suite struct DisplayTextTests {
  let text = DisplayText(isUTF8: true)
  let ascii = DisplayText(isUTF8: false)

  @Test(arguments: [
    ("plain name.iso", "plain name.iso", "plain name.iso"),
    ("Grüße.txt", "Grüße.txt", "Gr??e.txt"),
    ("a\u{1B}[31mb\nc\td", "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d", "a?[31mb?c?d"),
    ("gpj.\u{202E}exe", "gpj.\u{FFFD}exe", "gpj.?exe"),
    ("a\u{200B}b\u{AD}c\u{3164}d", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d", "a?b?c?d"),
    // A family is as wide as its members everywhere once nothing joins them.
    ("👨\u{200D}👩\u{200D}👧", "👨👩👧", "???"), ("❤\u{FE0F}", "❤", "?"),
    ("e\u{301}", "e\u{301}", "e"), ("\u{E000}\u{378}", "\u{E000}\u{FFFD}", "??"),
  ])
  func nothingSteersAndNothingIsInvisible(_ raw: String, _ shown: String, _ inASCII: String) {
    #expect(text.harmless(raw) == shown)
    #expect(ascii.harmless(raw) == inASCII)
  }

  @Test(arguments: [
    ("short.iso", 20, "short.iso"),
    ("ubuntu-24.04.1-desktop-amd64.iso", 20, "ubuntu-24.…amd64.iso"),
    ("ubuntu-24.04.1-desktop-amd64.iso", 10, "ubunt….iso"), ("abcdefgh.iso", 6, "a….iso"),
    ("abcdefgh.iso", 5, "ab…so"),
    ("abcdefgh.iso", 3, "a…o"), ("abcdefgh.iso", 2, "ab"), ("abcdefgh.iso", 1, "a"),
    ("abcdefgh.iso", 0, ""), ("abc.extension-without-end", 10, "abc.e…-end"),
    ("日本語のファイル.tar.gz", 12, "日本….tar.gz"), ("日本語のファイル", 7, "日本…ル"),
    ("cafe\u{301} cafe\u{301} cafe\u{301}", 7, "caf…afe\u{301}"),
  ])
  func theMiddleOfALongNameIsLeftOut(_ name: String, _ columns: Int, _ shown: String) {
    #expect(text.shortened(name, to: columns) == shown)
  }

  @Test func noShortenedNameIsTooWide() {
    let names = ["日本語のファイル名.tar.gz", "a.b", "🎬🎬🎬🎬 film.mkv", "no extension at all", ".hidden"]
    for name in names {
      for columns in 0...40 {
        #expect(DisplayWidth.of(text.shortened(name, to: columns)) <= columns)
        #expect(DisplayWidth.of(ascii.shortened(ascii.harmless(name), to: columns)) <= columns)
      }
    }
  }

  @Test(arguments: [
    ("./sub/file.iso", "https://h/x", "file.iso"), (nil, "https://h/a/b.iso?x=1#y", "b.iso"),
    (nil, "https://host/", "host"), (nil, "https://host", "host"),
  ])
  func nameOfAFile(_ path: String?, _ url: String, _ name: String) {
    #expect(text.name(path: path, url: url) == name)
  }
}
