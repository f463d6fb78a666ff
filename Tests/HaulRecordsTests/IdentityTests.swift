import HaulHTTP
import HaulRecords
import Testing

@Suite struct IdentityTests {
  @Test(arguments: [
    ("0000000000000001", 1), ("ffffffffffffffff", UInt64.max), ("00000000deadbeef", 0xDEAD_BEEF),
  ])
  func anIDIsSixteenDigits(_ text: String, _ bits: UInt64) throws {
    let id = try #require(DownloadID(text: text))
    #expect(id.rawValue == bits)
    #expect(id.description == text)
    #expect(DownloadID(rawValue: bits) == id)
  }

  @Test(arguments: [
    "", "0000000000000000", "1", "000000000000001", "00000000000000001", "000000000000000G",
    "000000000000000A", "+000000000000001", " 000000000000001", "0x00000000000001",
    "\u{FF10}000000000000001", "00000000000000\u{E9}",
  ])
  func nothingElseIsAnID(_ text: String) {
    #expect(DownloadID(text: text) == nil)
  }

  @Test func aDrawOfZeroIsDrawnAgain() {
    var draws: [UInt64] = [0, 0, 5]
    #expect(DownloadID.random { draws.removeFirst() }.rawValue == 5)
    #expect(draws.isEmpty)
  }

  /// The numbers stand in databases; another one would part what belongs together.
  @Test func theNumberOfAServerIsTheSameInEveryRun() throws {
    let url = try HTTPURL(parsing: "HTTPS://Example.com/x")
    #expect(OriginKey(url.origin).rawValue == 0xD18C_9094_2847_0578)
    let same = try HTTPURL(parsing: "https://example.com:443/y?z")
    #expect(OriginKey(same.origin) == OriginKey(url.origin))
    let other = try HTTPURL(parsing: "http://example.com:443/y")
    #expect(OriginKey(other.origin) != OriginKey(url.origin))
  }

  @Test(arguments: ["", "a", "a/b.c", "...", "a/..b", "\u{E4}/\u{301}", "~"])
  func aPathLeadsDownwards(_ relative: String) throws {
    let path = try RecordPath(base: "downloads", relative: relative)
    #expect(path.relative == relative)
  }

  @Test(arguments: ["/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\0", "/\u{301}"])
  func aPathLeadsNowhereElse(_ relative: String) {
    #expect(throws: RecordError.self) { try RecordPath(base: "downloads", relative: relative) }
  }

  @Test(arguments: ["", ".hidden", "a/b", "..", "a b", "\u{E4}", String(repeating: "a", count: 65)])
  func aBaseHasAPlainName(_ base: String) {
    #expect(throws: RecordError.self) { try RecordPath(base: base) }
  }

  @Test func theLastComponentIsFoundByBytes() throws {
    #expect(try RecordPath(base: "b").lastComponent == nil)
    #expect(try RecordPath(base: "b", relative: "x/\u{301}y").lastComponent == "\u{301}y")
  }
}
