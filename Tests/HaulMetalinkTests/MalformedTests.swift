import HaulMetalink
import Testing

/// Values that a document must not have, and what is no Metalink document at all.
@Suite struct MalformedTests {
  struct Malformed: Sendable, CustomTestStringConvertible {
    let content: String
    let says: String
    var testDescription: String { content }

    init(_ content: String, _ says: String) {
      self.content = content
      self.says = says
    }
  }

  static let hash = "<hash>\(Samples.sha256)</hash>"

  static let values = [
    Malformed("<size>-1</size>", "“f.bin”: the size “-1” is no number of bytes"),
    Malformed("<size></size>", "the size “” is no number"),
    Malformed("<size>1 000</size>", "is no number"),
    Malformed("<size>9223372036854775808</size>", "is no number"),
    Malformed("<size>1e3</size>", "is no number"), Malformed("<size>٣</size>", "is no number"),
    Malformed("<size>1</size><size>2</size>", "two sizes are given, 1 and 2"),
    Malformed("<hash>\(Samples.md5)</hash>", "a hash has no type"),
    Malformed("<hash type=\"sha-256\">\(Samples.md5)</hash>", "is no sha-256"),
    Malformed("<hash type=\"md5\">\(Samples.md5)0</hash>", "is no md5"),
    Malformed("<hash type=\"md5\"></hash>", "the hash “” is no md5"),
    Malformed(
      "<hash type=\"md5\">\(Samples.md5)</hash><hash type=\"MD5\">ff\(Samples.md5.dropFirst(2))</hash>",
      "two different hashes of md5"),
    Malformed("<pieces type=\"sha-256\">\(hash)</pieces>", "the length of pieces is no number"),
    Malformed("<pieces length=\"0\" type=\"sha-256\">\(hash)</pieces>", "the length of pieces"),
    Malformed("<pieces length=\"-8\" type=\"sha-256\">\(hash)</pieces>", "the length of pieces"),
    Malformed(
      "<pieces length=\"99999999999999999999\" type=\"sha-256\">\(hash)</pieces>", "the length"),
    Malformed("<pieces length=\"8\">\(hash)</pieces>", "pieces have no type"),
    Malformed("<pieces length=\"8\" type=\"sha-1\">\(hash)</pieces>", "of a piece is no sha-1"),
    Malformed(
      "<size>9</size><pieces length=\"8\" type=\"sha-256\">\(hash)</pieces>",
      "1 pieces of 8 bytes do not make 9 bytes"),
    Malformed(
      "<pieces length=\"8\" type=\"sha-256\">\(hash)\(hash)</pieces><size>8</size>",
      "2 pieces of 8 bytes do not make 8 bytes"),
    Malformed(
      "<size>0</size><pieces length=\"8\" type=\"sha-256\">\(hash)</pieces>", "do not make 0 bytes"),
    Malformed(
      "<size>9223372036854775807</size><pieces length=\"1\" type=\"sha-256\">\(hash)</pieces>",
      "do not make"),
  ]

  @Test(arguments: values) func valuesThatCouldMakeAWrongFileAreRefused(_ value: Malformed) {
    let fault = fault(Samples.file("\n" + value.content + Samples.url))
    #expect(fault?.code == .malformed)
    #expect(fault?.message.contains(value.says) == true, "\(fault?.message ?? "no fault")")
    #expect(fault?.line.map { (1...2).contains($0) } == true)
  }

  @Test func aFileNeedsAnAddressThatCanBeFetched() {
    let content = "<url>ftp://a.test/</url><metaurl mediatype=\"torrent\">http://a.test/t</metaurl>"
    let ftp = fault("\n" + Samples.file(content))
    #expect(ftp?.code == .noSource)
    #expect(ftp?.message.hasPrefix("line 2: “f.bin” has no address of http or https") == true)
    #expect(fault("\(Samples.opening)</metalink>")?.code == .noSource)
    #expect(fault("\(Samples.opening)<file>\(Samples.url)</file></metalink>")?.code == .malformed)
  }

  static let others: [(String, MetalinkError.Code, String)] = [
    ("", .notXML, "it is empty"),
    ("   ", .notXML, "it is not XML"),
    ("hello", .notXML, "line 1: it is not XML"),
    ("{\"files\": []}", .notXML, "it is not XML"),
    ("http://a.test/f\nhttp://b.test/f\n", .notXML, "it is not XML"),
    ("<!DOCTYPE html><html><body>log in</body></html>", .notMetalink, "it is a web page"),
    ("\n <!doctype HTML><html>", .notMetalink, "line 2: it is a web page"),
    ("<!-- x --><!DOCTYPE html><html>", .notMetalink, "it is a web page"),
    ("<HTML><p>log in", .notMetalink, "it is a web page"),
    ("<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", .notMetalink, "it is a web page"),
    ("<rss version=\"2.0\"/>", .notMetalink, "it is XML, but no Metalink document"),
    ("<metalink><file name=\"f\"/></metalink>", .notMetalink, "no Metalink document"),
    ("<file xmlns=\"urn:ietf:params:xml:ns:metalink\"/>", .notMetalink, "no Metalink document"),
    (
      "<metalink version=\"3.0\" xmlns=\"http://www.metalinker.org/\"><files/></metalink>",
      .oldVersion, "it is of Metalink version 3, and Haul reads version 4"
    ),
    (Samples.file(Samples.url) + "<more/>", .notXML, "it is not XML"),
    (Samples.file("<size>1</sise>"), .notXML, "it is not XML"),
    (Samples.file("<x:size>1</x:size>"), .notXML, "it is not XML"),
    (Samples.file("<url>http://a.test/?a&b</url>"), .notXML, "it is not XML"),
    (Samples.file("<url>http://a.test/&nbsp;</url>"), .notXML, "it is not XML"),
  ]

  @Test(arguments: others.indices) func whatIsNoMetalinkDocumentIsNamed(_ index: Int) {
    let (text, code, says) = Self.others[index]
    let fault = fault(text)
    #expect(fault?.code == code, "\(fault?.message ?? "no fault")")
    #expect(fault?.message.contains(says) == true, "\(fault?.message ?? "no fault")")
  }

  /// Half of a document must not pass for the whole: it may lack a digest.
  @Test func everyCutIsNoticed() {
    let bytes = Array(Samples.network.utf8)
    for end in 0..<bytes.count {
      #expect(fault(Array(bytes[..<end])) != nil, "cut after \(end) bytes")
    }
  }

  @Test func faultsAreToldByTheirLine() {
    let fault = fault(Samples.network.replacing("655361", with: "655,361"))
    #expect(fault?.line == 8)
    #expect(fault?.description.hasPrefix("line 8: “disc.iso”: the size “655,361”") == true)
    let broken = HaulMetalinkTests.fault(Samples.network.replacing("</pieces>", with: ""))
    #expect(broken?.line ?? 0 > 15)
  }

  @Test func messagesQuoteNoAddressAndStayShort() {
    let long = String(repeating: "9", count: 50_000)
    for text in [
      Samples.file("<size>\(long)</size>"), Samples.file("<\(long)>"),
      Samples.file(Samples.url, name: "../" + long),
      Samples.file("<url>ftp://me:secret@a.test/</url>"), Samples.file("<a>&secret\(long);</a>"),
    ] {
      let message = fault(text)?.message ?? ""
      #expect((10..<300).contains(message.count), "\(message.count)")
      #expect(!message.contains("me:secret"))
    }
  }
}
