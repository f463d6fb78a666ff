import HaulHTTP
import Testing

@Suite struct FileNameSuggestionTests {
  private func suggested(
    _ disposition: String?, _ first: String, _ final: String? = nil, _ type: String? = nil
  ) throws -> String {
    FileName.suggested(
      disposition: disposition, firstURL: try HTTPURL(parsing: first),
      finalURL: try HTTPURL(parsing: final ?? first),
      mediaType: type.flatMap { MediaType(parsing: $0) })
  }

  @Test(
    arguments: [
      ("attachment; filename=a.txt", "https://h/b.zip", nil, nil, "a.txt"),
      ("attachment; filename=a", "https://h/b.zip", nil, "text/html", "a"),
      ("attachment; filename=\"../../.x\"", "https://h/b.zip", nil, nil, "_x"),
      ("attachment; filename=\"..\"", "https://h/b.zip", nil, nil, "b.zip"),
      ("attachment", "https://h/b.zip", nil, nil, "b.zip"),
      (nil, "https://h/b.zip", "https://cdn/c.zip", nil, "b.zip"),
      (nil, "https://h/latest", "https://cdn/c.zip", "text/html", "c.zip"),
      (nil, "https://h/latest", "https://cdn/c", "application/zip", "latest.zip"),
      (nil, "https://h/", "https://cdn/c", "application/zip", "c.zip"),
      (nil, "https://h/dir/", "https://cdn/", "text/html", "h.html"),
      (nil, "https://example.com/", nil, "text/html", "example.com.html"),
      (nil, "https://example.com", nil, nil, "example.com"),
      (nil, "https://example.com:8443/?file=x.zip", nil, nil, "example.com"),
      (nil, "https://[2001:db8::1]/", nil, nil, "[2001_db8__1]"),
      (nil, "https://-/", nil, "application/pdf", "download.pdf"),
      (nil, "https://h/a%20b%C3%A9.txt", nil, nil, "a bé.txt"),
      (nil, "https://h/%E9.txt", nil, nil, "%E9.txt"),
      (nil, "https://h/..%2F..%2Fetc%2Fpasswd.x", nil, nil, "passwd.x"),
      (nil, "https://h/%2e%2e", nil, nil, "h"),
      (nil, "https://h/x.zip?token=secret#top", nil, nil, "x.zip"),
      (nil, "https://h/linux-6.12", nil, "application/x-xz", "linux-6.12.xz"),
      (nil, "https://h/file", nil, "application/octet-stream", "file"),
      (nil, "https://h/x.haul-journal", nil, nil, "x.haul-journal_"),
    ] as [(String?, String, String?, String?, String)])
  func takesTheBestNameThereIs(
    disposition: String?, first: String, final: String?, type: String?, expected: String
  ) throws {
    #expect(try suggested(disposition, first, final, type) == expected)
  }

  @Test func leavesRoomForOurSuffixes() throws {
    let long = String(repeating: "長", count: 200)
    let name = try suggested(nil, "https://h/\(long).tar.gz")
    #expect(name.hasSuffix("長.tar.gz"))
    #expect((240...242).contains(name.utf8.count))
    #expect(name.utf8.count + ".haul-journal".utf8.count <= 255)
    let typed = try suggested(nil, "https://h/\(long)", nil, "video/mp4")
    #expect(typed.hasSuffix("長.mp4"))
    let query = try suggested(nil, "https://h/get?" + String(repeating: "x", count: 600))
    #expect(query == "get")
  }

  @Test(arguments: SplitMix64.seeds)
  func isAlwaysSafe(seed: UInt64) {
    let urls = [
      "https://h/a%20b.txt", "https://example.com/x/..%2Fy", "https://h/CON.txt", "http://h",
    ]
    let fields = ["attachment; filename=\"a.txt\"", "attachment; filename*=UTF-8''%2e%2e"]
    let texts = Hostile.texts(like: urls, count: 800, seed: seed)
    for (text, field) in zip(texts, Hostile.texts(like: fields, count: 800, seed: ~seed)) {
      guard let url = try? HTTPURL(parsing: text) else { continue }
      let name = FileName.suggested(
        disposition: field, firstURL: url, finalURL: url, mediaType: MediaType(parsing: "a/b"))
      if name.utf8.count > FileName.maximumByteCount { Issue.record("\(text) is too long") }
      FileNameRules.check(name, madeFrom: "\(field) and \(text)")
    }
  }
}
