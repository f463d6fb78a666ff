import HaulHTTP
import Testing

@Suite struct HTTPURLResolvingTests {
  /// RFC 3986 §5.4, but for references that lead to an address without a host.
  @Test(
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
      ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
      ("http://x/./y/../z", "http://x/z"), ("https://X", "https://x"),
      ("//h:8080/x?y", "http://h:8080/x?y"), ("?", "http://a/b/c/d;p?"),
    ])
  func followsTheExamplesOfTheStandard(reference: String, expected: String) throws {
    let base = try HTTPURL(parsing: "http://a/b/c/d;p?q")
    #expect(try base.resolve(reference).requestText == expected)
  }

  @Test(
    arguments: [
      (" /a b ", "http://h/a%20b"), ("/é?ü", "http://h/%C3%A9?%C3%BC"),
      ("\\\\evil\\x", "http://h/x/\\\\evil\\x"),
      ("/\\evil", "http://h/\\evil"), ("/%2e%2E/%2B", "http://h/%2e%2E/%2B"),
      ("/.//evil/x", "http://h//evil/x"), ("a:b", nil), ("http:x", nil), ("http:///x", nil),
      ("//", nil),
      ("//u@/x", nil), ("/\r\nx", nil), ("\t", nil), ("mailto:x", nil), ("//a b/", nil),
    ] as [(String, String?)])
  func readsWhatServersSend(reference: String, expected: String?) throws {
    let base = try HTTPURL(parsing: "http://h/x/y?z")
    #expect((try? base.resolve(reference))?.requestText == expected)
  }

  @Test func startsAtTheRootWhereThereIsNoPath() throws {
    let base = try HTTPURL(parsing: "http://h?q")
    #expect(try base.resolve("x").requestText == "http://h/x")
    #expect(try base.resolve("../x").requestText == "http://h/x")
    #expect(try base.resolve("").requestText == "http://h?q")
  }

  @Test func keepsTheUserOnTheSameServerOnly() throws {
    let base = try HTTPURL(parsing: "http://me:secret@h:81/x#f")
    #expect(try base.resolve("/y").password == "secret")
    #expect(try base.resolve("/y").port == 81)
    #expect(try base.resolve("").fragment == nil)
    #expect(try base.resolve("//h:81/y").user == nil)
    #expect(try base.resolve("http://h:81/y").user == nil)
  }

  @Test func refusesToGrowWithoutEnd() throws {
    let base = try HTTPURL(parsing: "http://h/" + String(repeating: "a/", count: 30_000))
    #expect(throws: AddressError.self) { try base.resolve(String(repeating: "b", count: 30_000)) }
  }

  @Test(arguments: SplitMix64.seeds)
  func leavesNoDotSegments(seed: UInt64) throws {
    let base = try HTTPURL(parsing: "https://me@h/a/b/c?d")
    let examples = ["../x/./y/..", "//h/../x?y#z", "/a/b/../../..", "https://h/./x", "?q", "."]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      guard let url = try? base.resolve(text) else { continue }
      let segments = url.path.split(separator: "/")
      if segments.contains(".") || segments.contains("..") {
        Issue.record("\(text.debugDescription) gave \(url.path.debugDescription)")
      }
      if (try? HTTPURL(parsing: url.requestText))?.origin != url.origin {
        Issue.record("\(text.debugDescription) changes its origin on the way")
      }
    }
  }
}
