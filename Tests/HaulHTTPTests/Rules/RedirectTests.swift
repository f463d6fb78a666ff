import HaulHTTP
import Testing

@Suite struct RedirectTests {
  private func decide(
    _ status: Int, _ location: String?, from: String = "https://h/a/b?c",
    allowsDowngrade: Bool = false
  ) throws -> Redirect.Decision? {
    Redirect.decide(
      status: status, location: location, from: try HTTPURL(parsing: from),
      allowsDowngrade: allowsDowngrade)
  }

  @Test func concernsFiveStatusesOnly() throws {
    for status in -1...999 {
      let decision = try decide(status, "/x")
      #expect((decision != nil) == [301, 302, 303, 307, 308].contains(status), "\(status)")
    }
  }

  @Test(
    arguments: [
      ("https://other/x", "https://other/x"), ("/x", "https://h/x"), ("x y", "https://h/a/x%20y"),
      ("é", "https://h/a/%C3%A9"), ("?d", "https://h/a/b?d"), ("//o/x", "https://o/x"),
      (" /x ", "https://h/x"), ("HTTPS://O/x#y", "https://o/x"),
    ])
  func followsEveryFormOfLocation(location: String, expected: String) throws {
    guard case .follow(let url) = try decide(302, location) else {
      Issue.record("\(location) was refused")
      return
    }
    #expect(url.requestText == expected)
  }

  @Test(
    arguments: [
      (nil, .noLocation), ("", .noLocation), ("  ", .noLocation),
      ("file:///etc/passwd", .scheme("file")),
      ("FTP://h/x", .scheme("ftp")), ("javascript:alert(1)", .scheme("javascript")),
      ("data:,x", .scheme("data")),
      ("localhost:8080/x", .scheme("localhost")), ("http://h/x", .downgrade),
      ("https://", .malformedLocation),
      ("https:///x", .malformedLocation), ("https:x", .malformedLocation),
      ("//h:99999/", .malformedLocation),
      ("/x\r\ny: z", .malformedLocation), ("https://a\\@b/", .malformedLocation),
    ] as [(String?, Redirect.RefusalReason)])
  func refusesWhatIsUnsafe(location: String?, reason: Redirect.RefusalReason) throws {
    #expect(try decide(301, location) == .refused(reason))
  }

  @Test func allowsADowngradeOnlyWhenAsked() throws {
    let target = try HTTPURL(parsing: "http://h/x")
    #expect(try decide(308, "http://h/x", allowsDowngrade: true) == .follow(target))
    #expect(try decide(308, "/x", from: "http://h/") == .follow(target))
    #expect(
      try decide(308, "ftp://h/x", allowsDowngrade: true) == .refused(.scheme("ftp")))
  }

  @Test(arguments: SplitMix64.seeds)
  func neverLeavesHTTP(seed: UInt64) throws {
    let from = try HTTPURL(parsing: "https://h/a")
    let examples = ["https://o/x", "file:///x", "//o:80/x", "/x y", "http://h/"]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      let decision = Redirect.decide(
        status: 302, location: text, from: from, allowsDowngrade: false)
      if case .follow(let url) = decision, url.scheme != "https" || url.host.isEmpty {
        Issue.record("\(text.debugDescription) leads to \(url)")
      }
    }
  }
}
