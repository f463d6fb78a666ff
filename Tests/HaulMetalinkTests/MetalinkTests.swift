import HaulHTTP
import HaulMetalink
import Testing

/// What a Metalink document says (RFC 5854).
@Suite struct MetalinkTests {
  @Test func aDocumentOfAMirrorNetwork() throws {
    let metalink = try Metalink(Samples.network)
    let file = try #require(metalink.files.first)
    #expect(metalink.files.count == 1)
    #expect(file.name == "disc.iso")
    #expect(file.byteCount == 655_361)
    #expect(file.digest?.description == "sha-256=\(Samples.sha256)")
    #expect(file.pieces?.pieceLength == 262_144)
    #expect(file.pieces?.algorithm == .sha1)
    #expect(
      file.pieces?.digests.map(\.hex) == [
        Samples.sha1.lowercased(), Samples.sha1.lowercased(),
        String(Samples.sha1.reversed()).lowercased(),
      ])
    #expect(
      file.urls.map(\.requestText) == [
        "https://us.test/disc.iso", "http://de.test/disc.iso?a=1&b=2", "http://se.test/disc.iso",
        "http://last.test/disc.iso",
      ])
    #expect(
      metalink.notes == [
        "1 address of ftp left out", "1 torrent or the like left out",
        "digests of tiger left out; Haul checks sha-512, sha-256, sha-1 and md5",
      ])
  }

  @Test func aDocumentWithPrefixesAndExtensions() throws {
    let metalink = try Metalink(Samples.build)
    #expect(metalink.files.map(\.name) == ["a.tar.gz", "b.txt"])
    #expect(metalink.files.map(\.byteCount) == [7, nil])
    #expect(metalink.files[1].digest?.hex == Samples.sha512)
    #expect(metalink.files[1].urls.map(\.requestText) == ["https://build.test/b"])
    #expect(metalink.notes == ["“lib/a.tar.gz” is called “a.tar.gz” here"])
  }

  @Test func aByteOrderMarkMeansNothing() throws {
    let text = "\u{FEFF}<?xml version='1.0'?>\r\n" + Samples.file(Samples.url)
    #expect(try Metalink(text).files.count == 1)
  }

  @Test(arguments: [
    ("1", "2", true), ("2", "1", false), ("999999", "999998", false), (" 3 ", "4", true),
    // What is no priority is the lowest one.
    ("0", "999998", false), ("-1", "5", false), ("1000000", "7", false), ("x", "8", false),
    ("18446744073709551617", "9", false), ("", "9", false), ("1.5", "9", false),
  ])
  func addressesAreSortedByPriority(_ one: String, _ other: String, _ isFirst: Bool) throws {
    let text = Samples.file(
      "<url priority=\"\(one)\">http://a.test/</url><url priority=\"\(other)\">http://b.test/</url>"
    )
    #expect(try Metalink(text).files[0].urls.first?.host == (isFirst ? "a.test" : "b.test"))
  }

  @Test func addressesThatCannotBeFetchedAreLeftOut() throws {
    let text = Samples.file(
      "<url>ftp://me:secret@a.test/</url><url>rsync://a.test/</url><url></url><url>a b</url>"
        + "<url>magnet:?x=1</url>\(Samples.url)<url>http://h:99999/</url>"
        + "<url>http://u:secret@a.test/g</url>")
    let metalink = try Metalink(text)
    #expect(metalink.files[0].urls.map(\.path) == ["/f", "/g"])
    #expect(
      metalink.notes == ["2 addresses of ftp, rsync left out", "4 malformed addresses left out"])
  }

  @Test func theStrongestDigestCounts() throws {
    let hashes = [
      ("md5", Samples.md5), ("sha-512", Samples.sha512), ("sha-256", Samples.sha256),
      ("sha-1", Samples.sha1), ("sha-384", "00"), ("SHA-512", Samples.sha512.uppercased()),
    ].map { "<hash type=\"\($0)\">\($1)</hash>" }.joined()
    let file = try Metalink(Samples.file(hashes + Samples.url)).files[0]
    #expect(file.digest?.algorithm == .sha512)
  }

  @Test func theStrongestPiecesCount() throws {
    let text = Samples.file(
      """
      <pieces length="4" type="md5"><hash>\(Samples.md5)</hash><hash>\(Samples.md5)</hash></pieces>
      <pieces length=" 8 " type=" sha-256 "><hash> \(Samples.sha256)\n</hash></pieces>
      <pieces length="8" type="sha-384"><hash>00</hash></pieces>
      <pieces length="8" type="sha-512"></pieces>
      <size>7</size>\(Samples.url)
      """)
    let file = try Metalink(text).files[0]
    #expect(file.pieces?.algorithm == .sha256)
    #expect(file.pieces?.pieceLength == 8)
    #expect(file.pieces?.digests.count == 1)
  }

  @Test(arguments: [
    ("f", "f"), ("a/b", "b"), ("a/b/c.tar.gz", "c.tar.gz"), (" f.bin ", "f.bin"),
    ("con", "_con"), ("x.haul-journal", "x.haul-journal_"), ("-rf", "_rf"), (".bashrc", "_bashrc"),
    ("ab:c", "ab_c"), ("a&#10;b", "ab"), ("dir/..f", "_f"),
    ("f\u{202E}txt", "ftxt"), ("r&#xE9;sum&#xE9;", "résumé"),
  ])
  func namesAreMadeSafe(_ name: String, _ expected: String) throws {
    let file = try Metalink(Samples.file(Samples.url, name: name)).files[0]
    #expect(FileName.safe(file.name) == file.name)
    #expect(file.name == expected)
  }

  @Test func aLongNameFitsAFolder() throws {
    let name = String(repeating: "n", count: 1000) + ".iso"
    let file = try Metalink(Samples.file(Samples.url, name: name)).files[0]
    #expect(file.name.utf8.count <= FileName.maximumByteCount)
    #expect(file.name.hasSuffix(".iso"))
  }

  @Test(arguments: [
    "../x", "/etc/x", "//h/x", "./x", "a/../x", "a/..", "..", ".", "", " ", "a//b", "a/", "/",
    "..\\x", "a\\b", "\\\\h\\x", "C:\\x", "c:/x", "C:x", "a:b", "__", "...", "a/...",
  ])
  func namesThatLeadElsewhereAreRefused(_ name: String) {
    let fault = fault(Samples.file(Samples.url, name: name))
    #expect(fault?.code == .unsafeName, "\(fault?.message ?? "no fault")")
    #expect(fault?.line == 1)
  }

  @Test func documentsAreReadOnSeveralThreads() async throws {
    let expected = try Metalink(Samples.network)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask { @concurrent in (try? Metalink(Samples.network)) == expected }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }
}
