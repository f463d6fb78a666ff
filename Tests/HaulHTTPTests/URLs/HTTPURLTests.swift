import HaulHTTP
import Testing

@Suite struct HTTPURLTests {
  @Test func keepsEveryPartAsGiven() throws {
    let url = try HTTPURL(
      parsing: "HTTPS://us%40er:p%3Aw%C3%A9@EXAMPLE.com:8443/A%2Fb/../c;x=1?q=%2b%2B+a&&=#Top?#")
    #expect(url.scheme == "https")
    #expect(url.user == "us@er")
    #expect(url.password == "p:w\u{E9}")
    #expect(url.host == "example.com")
    #expect(url.port == 8443)
    #expect(url.path == "/A%2Fb/../c;x=1")
    #expect(url.query == "q=%2b%2B+a&&=")
    #expect(url.fragment == "Top?#")
    #expect(url.lastPathSegment == "c;x=1")
    #expect(url.requestText == "https://example.com:8443/A%2Fb/../c;x=1?q=%2b%2B+a&&=")
    #expect(
      url.identityText
        == "https://us%40er:p%3Aw%C3%A9@example.com:8443/A%2Fb/../c;x=1?q=%2b%2B+a&&=")
  }

  @Test(
    arguments: [
      ("https://h", "https://h"), ("http://h?", "http://h?"), ("http://h:80/", "http://h:80/"),
      ("http://h:/x", "http://h/x"), ("http://h/a b?c d", "http://h/a%20b?c%20d"),
      ("http://h/é?ü=日", "http://h/%C3%A9?%C3%BC=%E6%97%A5"), ("  http://h/x  ", "http://h/x"),
      ("http://h/%e9%zz%", "http://h/%e9%zz%"), ("http://h/a\\b", "http://h/a\\b"),
      ("http://h//a//./..//b", "http://h//a//./..//b"),
      ("http://h/\"<>^`{|}", "http://h/\"<>^`{|}"),
      ("http://Bücher.EXAMPLE/", "http://bücher.example/"),
      ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
      ("http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
      ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
      ("http://[::ffff:192.0.2.1]/", "http://[::ffff:192.0.2.1]/"),
      ("http://a@b@h/", "http://h/"), ("http://:@h/", "http://h/"),
      ("http://h/x@y:z", "http://h/x@y:z"),
      ("http://h?a/b?c", "http://h?a/b?c"), ("http://h#a?b", "http://h"),
      ("http://a_b.c/", "http://a_b.c/"),
      ("http://h%41/", "http://h%41/"), ("ftp://h/x", "ftp://h/x"), ("x+y-z.1://h", "x+y-z.1://h"),
      ("http://h:00080/", "http://h:80/"),
      ("http://نامه\u{200C}ای.example/", "http://نامه\u{200C}ای.example/"),
      ("http://example.com./", "http://example.com./"),
    ])
  func asksForExactlyWhatWasGiven(text: String, request: String) throws {
    #expect(try HTTPURL(parsing: text).requestText == request)
  }

  @Test(arguments: [
    "", " ", "example.com/x", "/x", "//h/x", "localhost:8080/x", "http:", "http:/", "http:/h",
    "http://",
    "http:///x", "http://?x", "http://#x", "http://:80/", "http://u@/", "http://u:p@:80", "http:x",
    "://h/", "1http://h/", "http ://h/", "http://h:x/", "http://h:65536/", "http://h:-1/",
    "http://h:0/",
    "http://h:99999999999999999999/", "http://h: 80/", "http://a b/", "http://h\u{A0}/",
    "http://h\u{200B}/",
    "http://[::1/", "http://::1]/", "http://[]/", "http://[h]/", "http://[::1]x/",
    "http://[::1]:x/",
    "http://[::1%]/", "http://[::g]/", "http://::1/", "http://h]/", "http://h%/", "http://h%4/",
    "http://h%zz/", "http://h%2Fx/", "http://h%00/", "http://h%0a/", "http://h%40x/",
    "http://h%E9/", "http://a\\@b/",
    "http://h\\x/", "http://h<x/", "http://h|x/", "http://h/\r\nX: y", "http://h/\t", "\thttp://h/",
    "http://h/\u{0}", "http://h/\u{7F}", "http://h\n/", "http://u\r@h/", "file:///etc/passwd",
    "mailto:a@b",
    "javascript:alert(1)", "data:,x",
  ])
  func refusesWhatIsNoAddress(text: String) {
    #expect(throws: AddressError.self) { try HTTPURL(parsing: text) }
  }

  @Test func showsTheRightFormAndNoSecret() {
    for text in [
      "secret:pass@host/x", "https://u:secret@/", "https://secret:pass@h:x/", "https://a\tsecret/",
    ] {
      let error = #expect(throws: AddressError.self) { try HTTPURL(parsing: text) }
      #expect(error?.message.contains("secret") == false)
    }
    let error = #expect(throws: AddressError.self) { try HTTPURL(parsing: "example.com/file") }
    #expect(error?.message.contains("https://") == true)
  }

  @Test func acceptsLongAddressesUpTo64KiB() throws {
    let start = "https://h/"
    let eight = start + String(repeating: "x", count: 8_192)
    #expect(try HTTPURL(parsing: eight).requestText == eight)
    let most = start + String(repeating: "x", count: 65_536 - start.utf8.count)
    #expect(try HTTPURL(parsing: most).requestText == most)
    #expect(throws: AddressError.self) { try HTTPURL(parsing: most + "x") }
  }

  @Test func namesUserAndPassword() throws {
    let none = try HTTPURL(parsing: "http://h/")
    #expect(none.user == nil && none.password == nil)
    let user = try HTTPURL(parsing: "http://me@h/")
    #expect(user.user == "me" && user.password == nil)
    let both = try HTTPURL(parsing: "http://:a:b%zz@h/")
    #expect(both.user == "" && both.password == "a:b%zz")
  }

  @Test(
    arguments: [
      ("https://h/", 443), ("http://h/", 80), ("http://h:8080/", 8080), ("ftp://h/", 0),
      ("https://h:65535/", 65_535), ("https://h:1", 1),
    ])
  func knowsThePort(text: String, port: Int) throws {
    #expect(try HTTPURL(parsing: text).effectivePort == port)
  }

  @Test(
    arguments: [
      ("http://h/x", "HTTP://H:80/x", true), ("http://h", "http://h:/x", true),
      ("http://u@h/", "http://h/", true), ("http://h/", "https://h/", false),
      ("http://h/", "http://h:8080/", false), ("http://h/", "http://h./", false),
      ("http://h/", "http://a.h/", false), ("http://h:443/", "https://h/", false),
    ])
  func knowsItsOrigin(one: String, other: String, same: Bool) throws {
    #expect((try HTTPURL(parsing: one).origin == HTTPURL(parsing: other).origin) == same)
  }

  @Test func identityForgetsOnlyWhatChangesNothing() throws {
    let plain = try HTTPURL(parsing: "https://h/")
    for same in ["https://h", "HTTPS://H:443/#x", "https://h:/"] {
      #expect(try HTTPURL(parsing: same).identityText == plain.identityText)
    }
    for other in ["http://h/", "https://h:80/", "https://u@h/", "https://h/?", "https://h//"] {
      #expect(try HTTPURL(parsing: other).identityText != plain.identityText)
    }
  }

  @Test func comparesBytes() throws {
    let composed = try HTTPURL(parsing: "http://h/\u{E9}")
    let decomposed = try HTTPURL(parsing: "http://h/e\u{301}")
    #expect(composed != decomposed)
    #expect(composed.identityText != decomposed.identityText)
    #expect(try HTTPURL(parsing: "http://h/?") != HTTPURL(parsing: "http://h/"))
    #expect(try HTTPURL(parsing: "http://h/?a#b") == HTTPURL(parsing: "http://H/?a#b"))
  }

  @Test(arguments: SplitMix64.seeds)
  func whatIsAskedForReadsBack(seed: UInt64) throws {
    let examples = [
      "https://me:secret@example.com:8443/a b/%2B?q=x&token=y#top", "http://[::1]:80/x?y",
      "http://Bücher.example/é?ü",
    ]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      guard let url = try? HTTPURL(parsing: text) else { continue }
      let request = url.requestText
      let again = try? HTTPURL(parsing: request)
      if again?.requestText != request || again?.origin != url.origin || again?.user != nil {
        Issue.record("\(text.debugDescription) gave \(request.debugDescription)")
      }
      if url.redacted.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F }) {
        Issue.record("\(text.debugDescription) shows as \(url.redacted.debugDescription)")
      }
      _ = (url.user, url.password, url.identityText, url.lastPathSegment)
    }
  }
}
