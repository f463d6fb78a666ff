import HaulHTTP
import Testing

@Suite struct MediaTypeTests {
  @Test(
    arguments: [
      ("text/html", "text/html", nil), ("Text/HTML", "text/html", nil),
      (" text/html ; charset=UTF-8", "text/html", "utf-8"),
      ("text/html;charset=\"utf-8\"", "text/html", "utf-8"),
      ("text/html; level=1; Charset=ISO-8859-1", "text/html", "iso-8859-1"),
      ("text/html; charset=", "text/html", nil), ("text/html;;;", "text/html", nil),
      ("text/html, text/plain", "text/html", nil), ("image/svg+xml", "image/svg+xml", nil),
      ("a/b; x=\"charset=no\"; charset=yes", "a/b", "yes"),
    ] as [(String, String, String?)])
  func readsTypes(value: String, essence: String, charset: String?) throws {
    let type = try #require(MediaType(parsing: value))
    #expect(type.essence == essence)
    #expect(type.charset == charset)
  }

  @Test(arguments: [
    "", "/", "text", "text/", "/html", "text/ht ml", "te xt/html", "a/b/c", "é/é", ";",
  ])
  func refusesWhatIsNoType(value: String) {
    #expect(MediaType(parsing: value) == nil)
  }

  @Test(
    arguments: [
      ("text/html; charset=utf-8", "html"), ("application/pdf", "pdf"), ("application/zip", "zip"),
      ("application/gzip", "gz"), ("video/mp4", "mp4"), ("video/x-matroska", "mkv"),
      ("audio/mpeg", "mp3"), ("audio/flac", "flac"), ("application/x-iso9660-image", "iso"),
      ("application/vnd.debian.binary-package", "deb"), ("application/json", "json"),
      ("IMAGE/JPEG", "jpg"), ("image/webp", "webp"), ("application/epub+zip", "epub"),
      ("application/zstd", "zst"), ("application/x-7z-compressed", "7z"),
      ("application/octet-stream", nil), ("binary/octet-stream", nil), ("text/plain", nil),
      ("a/b", nil),
    ] as [(String, String?)])
  func knowsExtensions(value: String, expected: String?) throws {
    #expect(try #require(MediaType(parsing: value)).preferredExtension == expected)
  }

  @Test(
    arguments: [
      ("video/mp4", true), ("VIDEO/MP4", true), ("video/*", true), ("*/*", true),
      ("video/mp4; codecs=x", true), ("video/webm", false), ("image/*", false), ("video", false),
      ("", false), ("*", false), ("*/mp4", false),
    ])
  func matchesWhatIsExpected(expected: String, result: Bool) throws {
    #expect(try #require(MediaType(parsing: "Video/mp4")).matches(expected) == result)
  }

  @Test(arguments: SplitMix64.seeds)
  func matchesItself(seed: UInt64) {
    for text in Hostile.texts(like: ["text/html; charset=\"utf-8\""], count: 800, seed: seed) {
      guard let type = MediaType(parsing: text) else { continue }
      if !type.matches(type.essence) || !type.matches("\(type.type)/*") {
        Issue.record("\(text.debugDescription) gave \(type)")
      }
    }
  }
}
