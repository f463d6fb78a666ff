import HaulHTTP
import Testing

/// What `Link` fields say of other sources of a file (RFC 8288, RFC 6249).
@Suite struct LinkFieldTests {
  static let base = "https://example.com/pub/file.iso?x=1"

  func url(_ text: String = base) throws -> HTTPURL { try HTTPURL(parsing: text) }

  func mirrors(_ values: String...) throws -> [String] {
    let fields = HeaderFields(values.map { HeaderField(name: "link", value: $0) })
    return LinkField.mirrors(in: fields, of: try url()).map(\.url.requestText)
  }

  @Test(arguments: [
    ("<http://a.test/f>; rel=duplicate", ["http://a.test/f"]),
    ("<http://a.test/f>;rel=\"duplicate\"", ["http://a.test/f"]),
    ("<http://a.test/f> ; REL = Duplicate", ["http://a.test/f"]),
    ("<http://a.test/f>; rel=\"describedby  duplicate\"", ["http://a.test/f"]),
    (
      "<http://a.test/a,b>; rel=duplicate, <http://b.test/f>; rel=duplicate",
      ["http://a.test/a,b", "http://b.test/f"]
    ),
    // Relative to the address that answered.
    ("<other.iso>; rel=duplicate", ["https://example.com/pub/other.iso"]),
    (
      "</m/f>; rel=duplicate, <//b.test/f>; rel=duplicate",
      ["https://example.com/m/f", "https://b.test/f"]
    ),
    // Commas and semicolons in quotes separate nothing.
    (
      "<http://a.test/f>; title=\"a, <http://x.test/>; rel=\\\"duplicate\"; rel=duplicate",
      ["http://a.test/f"]
    ),
    // Of a parameter that comes twice the first one counts.
    ("<http://a.test/f>; rel=next; rel=duplicate", []),
    // Not about this file, or not fetched.
    ("<http://a.test/f>; rel=describedby", []), ("<http://a.test/f>", []),
    ("<ftp://a.test/f>; rel=duplicate", []),
    ("<http://a.test/f>; rel=duplicate; anchor=\"/other\"", []),
    ("<http://a.test/f>; rel=duplicate; anchor=\"?x=1#top\"", ["http://a.test/f"]),
    // The file itself, and the same mirror twice.
    ("<\(base)>; rel=duplicate, <>; rel=duplicate", []),
    (
      "<http://a.test/f>; rel=duplicate, <http://a.test:80/f#x>; rel=duplicate",
      ["http://a.test/f"]
    ),
    // Malformed links do not hide the others.
    ("nonsense, <http://a.test/f>; rel=duplicate", ["http://a.test/f"]),
    ("<http://>; rel=duplicate,,<http://a.test/f>;;rel=duplicate", ["http://a.test/f"]),
    (
      "<http://b.test/f>; rel=duplicate trash, <http://a.test/f>; rel=duplicate",
      ["http://b.test/f", "http://a.test/f"]
    ),
    ("<http://a.test/f", []), ("", []), ("<>", []), (",;,", []),
    ("<http://a.test/f>; rel=\"duplicate", ["http://a.test/f"]),
  ])
  func readsMirrors(_ value: String, _ expected: [String]) throws {
    #expect(try mirrors(value) == expected)
  }

  @Test func theBetterOnesComeFirst() throws {
    let fields = HeaderFields([
      HeaderField(
        name: "Link",
        value: """
          <http://a.test/>; rel=duplicate; pri=2; geo=GB, <http://b.test/>; rel=duplicate, \
          <http://c.test/>; rel=duplicate; pri="1", <http://d.test/>; rel=duplicate; pri=2
          """),
      HeaderField(name: "Link", value: "<http://e.test/>; rel=duplicate; pri=3; pref; geo="),
    ])
    let found = LinkField.mirrors(in: fields, of: try url())
    #expect(found.map(\.url.host) == ["e.test", "c.test", "a.test", "d.test", "b.test"])
    #expect(found.map(\.priority) == [3, 1, 2, 2, 999_999])
    #expect(found.map(\.isPreferred) == [true, false, false, false, false])
    #expect(found.map(\.location) == [nil, nil, "gb", nil, nil])
  }

  @Test(arguments: ["0", "-1", "1000000", "99999999999999999999", "x", "", "1.5"])
  func aPriorityThatIsNoneIsTheLowest(_ text: String) throws {
    let value = "<http://a.test/f>; rel=duplicate; pri=\(text)"
    let fields = HeaderFields([HeaderField(name: "Link", value: value)])
    #expect(LinkField.mirrors(in: fields, of: try url()).map(\.priority) == [999_999])
  }

  /// The best ones count, wherever they stand.
  @Test func thereIsAMost() throws {
    let values = (1...1000).map { "<http://m\($0).test/>; rel=duplicate; pri=\(2000 - $0)" }
    let fields = HeaderFields([HeaderField(name: "Link", value: values.joined(separator: ", "))])
    let found = LinkField.mirrors(in: fields, of: try url())
    #expect(found.count == LinkField.maximumCount)
    #expect(found.first?.url.host == "m1000.test")
    let descriptions = HeaderFields(
      (1...1000).map { HeaderField(name: "Link", value: "</\($0)>; rel=describedby") })
    #expect(
      LinkField.descriptions(in: descriptions, of: try url()).count == LinkField.maximumCount)
  }

  @Test func descriptionsSayTheirType() throws {
    let fields: Fields = [
      "Link": "<f.meta4>; rel=describedby; type=\"Application/Metalink4+XML\"; hreflang=de",
      "link": "<f.asc>; rel=\"describedby\", <f.meta4>; rel=describedby, <x>; rel=duplicate",
    ]
    let found = LinkField.descriptions(in: fields.header, of: try url())
    #expect(found.map(\.url.path) == ["/pub/f.meta4", "/pub/f.asc"])
    #expect(found.map(\.mediaType) == ["application/metalink4+xml", nil])
  }

  @Test(arguments: SplitMix64.seeds)
  func hostileFieldsGiveAtMostFetchableAddresses(_ seed: UInt64) throws {
    let examples = [
      "<http://a.test/f>; rel=duplicate; pri=1; pref; geo=gb; depth=2",
      "<f.meta4>; rel=describedby; type=\"application/metalink4+xml\", </m>; rel=\"duplicate x\"",
    ]
    let base = try url()
    for text in Hostile.texts(like: examples, count: 3000, seed: seed) {
      let fields = HeaderFields([HeaderField(name: "Link", value: text)])
      for mirror in LinkField.mirrors(in: fields, of: base) {
        #expect(["http", "https"].contains(mirror.url.scheme), "\(text.debugDescription)")
        #expect((1...999_999).contains(mirror.priority), "\(text.debugDescription)")
      }
      _ = LinkField.descriptions(in: fields, of: base)
    }
  }
}
