import HaulHTTP
import Testing

@Suite struct FileNameSafeTests {
  @Test(
    arguments: [
      ("plain.txt", "plain.txt"), ("my file.tar.gz", "my file.tar.gz"), ("日本.txt", "日本.txt"),
      ("../../x", "x"), ("/etc/passwd", "passwd"), ("..\\..\\x", "x"), ("C:\\docs\\x.txt", "x.txt"),
      ("a/b\\c", "c"), ("a\u{0}b.txt", "ab.txt"), ("a\r\nb\u{7F}\u{85}.txt", "ab.txt"),
      ("a\u{1B}[2J.txt", "a[2J.txt"), ("gpj\u{202E}exe.txt", "gpjexe.txt"),
      ("a\u{200B}\u{FEFF}\u{2066}b\u{2069}\u{61C}", "ab"), ("a\u{AD}\u{34F}\u{3164}b", "ab"),
      (".bashrc", "_bashrc"), ("...x", "_x"), ("\u{200B}.x", "_x"), (" .x", "_x"),
      (".\u{301}x", "_\u{301}x"), ("-rf", "_rf"), ("--help", "_-help"), ("x.", "x"), ("x . .", "x"),
      ("x\u{A0}\u{3000}", "x"), ("  x  ", "x"), ("a<b>c:d\"e|f?g*h", "a_b_c_d_e_f_g_h"),
      ("CON", "_CON"), ("con.txt", "_con.txt"), ("Nul .tar.gz", "_Nul .tar.gz"),
      ("COM1", "_COM1"), ("lpt9.x", "_lpt9.x"), ("COM\u{B9}", "_COM\u{B9}"), ("CONIN$", "_CONIN$"),
      ("CO\u{200B}N", "_CON"), ("CONSOLE", "CONSOLE"), ("COM10", "COM10"),
      ("x.haul-part", "x.haul-part_"), ("x.HAUL-Journal", "x.HAUL-Journal_"),
      ("x.haul-bad.", "x.haul-bad_"), (".haul-mission", "_haul-mission"),
      ("x.haul-mi\u{17F}\u{17F}ion", "x.haul-mi\u{17F}\u{17F}ion_"), ("haul-part", "haul-part"),
      ("x.haul-part.txt", "x.haul-part.txt"), ("%2e%2e%2fx", "%2e%2e%2fx"), ("❤️.png", "❤️.png"),
      ("a.b.c", "a.b.c"), ("~x", "~x"), ("#x;'$(y)`z`", "#x;'$(y)`z`"),
    ])
  func reducesToOneComponent(raw: String, expected: String) throws {
    let name = try #require(FileName.safe(raw))
    #expect(Array(name.utf8) == Array(expected.utf8), "\(name.debugDescription)")
  }

  @Test(arguments: [
    "", " ", ".", "..", "...", "/", "\\", "a/", "a\\", "\u{0}", "\u{200B}", "-", "_", "???", ". .",
    "\u{A0}", "../..", "__.", "\u{FE0F}",
  ])
  func refusesWhatMeansNothing(raw: String) {
    #expect(FileName.safe(raw) == nil)
  }

  @Test(arguments: SplitMix64.seeds)
  func isSafeAndStableForAnything(seed: UInt64) {
    let examples = [
      "../../etc/passwd", "CON.txt", ".bashrc", "x.haul-part", "a b.tar.gz", "-x", "..\\x", "nul",
    ]
    for raw in Hostile.texts(like: examples, count: 800, seed: seed) {
      FileNameRules.check(FileName.safe(raw), madeFrom: raw)
    }
  }

  @Test(
    arguments: [
      ("a.txt", "a.txt", true), ("A.TXT", "a.txt", true), ("\u{E9}", "e\u{301}", true),
      ("\u{C9}", "e\u{301}", true), ("Σ", "ς", true), ("İ", "i\u{307}", true),
      ("K", "\u{212A}", true),
      ("a.txt", "b.txt", false), ("e", "\u{E9}", false), ("a", "a ", false), ("", "", true),
    ])
  func comparesNamesAsFoldingFileSystemsDo(a: String, b: String, expected: Bool) {
    #expect(FileName.isSameName(a, b) == expected)
    #expect(FileName.isSameName(b, a) == expected)
  }
}
