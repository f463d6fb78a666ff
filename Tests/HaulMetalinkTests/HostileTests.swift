import HaulMetalink
import Testing

/// Documents that were made to harm whoever reads them.
@Suite(.timeLimit(.minutes(1))) struct HostileTests {
  func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// Each level of entities is ten of the one before.
  @Test func entitiesAreNeverExpanded() {
    let levels = (1...9).map { level in
      "<!ENTITY l\(level) \"\(repeated("&l\(level - 1);", 10))\">"
    }
    let fault = fault(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE metalink [<!ENTITY l0 \"lol\">\(levels.joined())]>"
        + Samples.file("<url>http://a.test/&l9;</url>"))
    #expect(fault?.code == .documentType)
    #expect(fault?.line == 2)
  }

  @Test(arguments: [
    "<!DOCTYPE metalink [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
    "<!DOCTYPE metalink [<!ENTITY % x SYSTEM \"http://127.0.0.1:1/x\"> %x;]>",
    "<!DOCTYPE metalink SYSTEM \"http://127.0.0.1:1/x.dtd\">",
    "<!DOCTYPE metalink PUBLIC \"-//x\" \"/etc/passwd\">", "<!DOCTYPE metalink>",
  ])
  func nothingElseIsLoaded(_ type: String) {
    #expect(fault(type + Samples.file("<url>http://a.test/&x;</url>"))?.code == .documentType)
  }

  @Test func includesAndSchemesOfOthersMeanNothing() throws {
    let include =
      "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"/etc/passwd\" parse=\"text\"/>"
    let metalink = try Metalink(
      "<?xml-stylesheet href=\"http://127.0.0.1:1/\"?>" + Samples.file(include + Samples.url))
    #expect(metalink.files[0].urls.count == 1)
    #expect(fault(Samples.file("<url>\(include)</url>"))?.code == .noSource)
  }

  @Test(arguments: [33, 300, 100_000])
  func deepNestingIsRefused(_ depth: Int) {
    let fault = fault(Samples.file(repeated("<a>", depth)))
    #expect(fault?.code == .tooLarge)
    #expect(fault?.message.contains("nested too deeply") == true)
  }

  @Test func longTextsAreRefused() {
    let long = repeated("x", 1 << 20)
    #expect(fault(Samples.file("<url>http://a.test/\(long)</url>"))?.code == .tooLarge)
    let escaped = "<url>http://a.test/\(repeated("&amp;", 1 << 17))</url>"
    #expect(fault(Samples.file(escaped))?.code == .tooLarge)
    #expect(fault(Samples.file("<url priority=\"\(long)\">http://a.test/</url>")) == nil)
    #expect(fault(Samples.file(Samples.url, name: long)) == nil)
    #expect(fault(Samples.file("<\(long)/><x \(long)=\"\"/>\(Samples.url)")) == nil)
    // Where nobody reads it, a long text does no harm.
    #expect(fault(Samples.file("<description>\(long)</description>\(Samples.url)")) == nil)
    let tooLong = [UInt8](repeating: 0x20, count: Metalink.maximumByteCount + 1)
    #expect(fault(tooLong)?.message == "it is longer than 16 MiB")
  }

  /// With libxml2 half a million attributes of one tag took a minute, and a million and a half of
  /// different names half of one.
  @Test(arguments: [
    "<n% />", "<n n%=\"\"/>", "<n xmlns:p=\"u:\" p:n%=\"\"/>", "<?n% x?>", "<n xmlns:n%=\"u:\"/>",
  ])
  func manyNamesTakeNoTime(_ form: String) throws {
    let names = (0..<30_000).map { form.replacing("%", with: "\($0)") }.joined()
    #expect(fault(Samples.file(names + Samples.url)) == nil)
  }

  @Test(arguments: ["a%=\"\" ", "xmlns:a%=\"u:\" ", "p:a%=\"\" "])
  func manyAttributesTakeNoTime(_ form: String) throws {
    let attributes = (0..<30_000).map { form.replacing("%", with: "\($0)") }.joined()
    let tag = "<x xmlns:p=\"u:\" \(attributes)/>"
    #expect(fault(Samples.file(tag + Samples.url)) == nil)
  }

  /// The address of a namespace is told with each element.
  @Test func aLongNamespaceIsRefused() {
    let space = { (count: Int) in "<x xmlns:p=\"u:\(repeated("n", count))\"><p:a/><p:a/></x>" }
    #expect(fault(Samples.file(space(1000) + Samples.url)) == nil)
    #expect(fault(Samples.file(space(4 << 20) + Samples.url))?.code == .tooLarge)
    let near = "\(Samples.opening.dropLast(2))x\"><file/></metalink>"
    #expect(fault(near)?.code == .notMetalink)
    // What parts them in the parser cannot be smuggled in.
    let split = "<x xmlns=\"urn:ietf:params:xml:ns:metalink&#12;\"/>"
    #expect(fault(split)?.code == .notXML)
  }

  @Test func thereIsAMostOfEverything() throws {
    let million = Samples.file(repeated("<url>h</url>", 1_000_000))
    #expect(fault(million)?.message.contains("more than 1000 addresses") == true)
    let torrents = repeated("<metaurl mediatype=\"torrent\">u</metaurl>", 3000)
    let metalink = try Metalink(Samples.file(torrents + Samples.url))
    #expect(metalink.notes == ["3000 torrents and the like left out"])
    let names = (0...10_000).map { "<file name=\"d/f\($0)\">\(Samples.url)</file>" }
    let tooMany = fault(Samples.opening + names.joined() + "</metalink>")
    #expect(tooMany?.message.contains("more than 10000 files") == true)
    let many = try Metalink(Samples.opening + names.dropLast().joined() + "</metalink>")
    #expect(many.files.count == 10_000)
    #expect(many.notes.count == 10)
    let half = repeated("<hash>\(Samples.md5)</hash>", Metalink.maximumPieceCount / 2)
    let pieces = "<pieces length=\"1\" type=\"md5\">\(half)</pieces>"
    let one = "<pieces length=\"9\" type=\"md5\"><hash>\(Samples.md5)</hash></pieces>"
    #expect(
      fault(Samples.file(pieces + pieces + one))?.message.contains("more than 262144 pieces")
        == true)
    let types = (0..<1000).map { "<hash type=\"t\($0)\">0</hash>" }.joined()
    #expect(try Metalink(Samples.file(types + Samples.url)).notes[0].count < 200)
  }

  @Test(arguments: [
    "ISO-8859-1", "iso-8859-15", "windows-1252", "UTF-16", "UTF-7", "EBCDIC-CP-US", "UCS-4",
    "no-such-encoding", "utf-8x", "SHIFT_JIS",
  ])
  func otherEncodingsAreRefused(_ name: String) {
    let fault = fault("<?xml version=\"1.0\" encoding=\"\(name)\"?>" + Samples.file(Samples.url))
    #expect(fault?.code == .encoding, "\(fault?.message ?? "no fault")")
  }

  @Test(arguments: ["UTF-8", "utf-8", "US-ASCII"])
  func thisEncodingIsRead(_ name: String) {
    #expect(
      fault("<?xml version=\"1.0\" encoding=\"\(name)\"?>" + Samples.file(Samples.url)) == nil)
  }

  @Test func otherBytesThanUTF8AreRefused() {
    let bytes = Array(Samples.file(Samples.url, name: "r\u{E9}sum\u{E9}").utf8)
    let latin = bytes.filter { $0 != 0xC3 }.map { $0 == 0xA9 ? 0xE9 : $0 }
    #expect(fault(bytes) == nil)
    #expect(fault(latin) != nil)
    for isBigEndian in [false, true] {
      let units = ("\u{FEFF}" + Samples.network).utf16
      let wide = units.flatMap { unit in
        let halves = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        return isBigEndian ? halves.reversed() : halves
      }
      #expect(fault(wide)?.message.contains("it is in UTF-16, and Haul reads UTF-8") == true)
      #expect(fault(Array(wide.dropFirst(2)))?.code == .encoding)
    }
  }

  @Test func aZeroByteIsNoText() {
    let text = Samples.file(Samples.url)
    #expect(fault(text + "\0")?.code == .notXML)
    #expect(
      fault(text.replacing("<url>", with: "\n<\0url>"))?.message.contains(
        "line 2: it holds a zero byte") == true)
    #expect(fault(text.replacing("f.bin", with: "f&#0;bin"))?.code == .notXML)
    #expect(fault([0])?.code == .encoding)
  }
}
