import HaulHTTP
import Testing

@Suite struct ContentCodingTests {
  @Test(
    arguments: [
      ([:], .identity), (["Content-Encoding": ""], .identity),
      (["Content-Encoding": "identity"], .identity), (["Content-Encoding": "gzip"], .gzip),
      (["content-encoding": " X-GZIP "], .gzip), (["Content-Encoding": "Deflate"], .deflate),
      (["Content-Encoding": "identity, gzip"], .gzip),
      (["Content-Encoding": "BR"], .unsupported("br")),
      (["Content-Encoding": "gzip, gzip"], .unsupported("gzip, gzip")),
      (["Content-Encoding": "gzip", "Content-Encoding": "br"], .unsupported("gzip, br")),
      (["Content-Encoding": "a\u{1B}b"], .unsupported("a\u{FFFD}b")),
    ] as [(Fields, ContentCoding)])
  func readsCodings(fields: Fields, expected: ContentCoding) {
    #expect(ContentCoding.parse(fields.header) == expected)
  }

  @Test(arguments: SplitMix64.seeds)
  func showsNothingHarmful(seed: UInt64) {
    for text in Hostile.texts(like: ["gzip, br", "identity"], count: 500, seed: seed) {
      let coding = ContentCoding.parse(header(["Content-Encoding": text]))
      guard case .unsupported(let name) = coding else { continue }
      if name.unicodeScalars.count > 80 || name.utf8.contains(where: { $0 < 0x20 }) {
        Issue.record("\(text.debugDescription) gave \(name.debugDescription)")
      }
    }
  }
}
