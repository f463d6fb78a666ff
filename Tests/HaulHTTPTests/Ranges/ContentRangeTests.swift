import HaulHTTP
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-99/1234", .range(0..<100, total: 1234)),
      ("bytes 0-99/*", .range(0..<100, total: nil)),
      ("Bytes 0-99/100", .range(0..<100, total: 100)),
      ("BYTES 5-5/6", .range(5..<6, total: 6)),
      ("  bytes \t 0 - 99 / 100  ", .range(0..<100, total: 100)),
      ("bytes 00-0099/0100", .range(0..<100, total: 100)),
      (
        "bytes 4294967296-9007199254740993/*",
        .range(4_294_967_296..<9_007_199_254_740_994, total: nil)
      ),
      (
        "bytes 9223372036854775805-9223372036854775806/9223372036854775807",
        .range(9_223_372_036_854_775_805..<Int64.max, total: .max)
      ),
      ("bytes */1234", .unsatisfied(total: 1234)),
      ("bytes */0", .unsatisfied(total: 0)),
      ("bytes */*", .unsatisfied(total: nil)),
    ] as [(String, ContentRange)])
  func readsWellFormedValues(value: String, expected: ContentRange) {
    #expect(ContentRange.parse(value) == expected)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes0-99/100", "bytes=0-99/100", "items 0-99/100", "bytes 0-99",
    "bytes 0-99/", "bytes -99/100", "bytes 0-/100", "bytes 99-0/100", "bytes 0-100/100",
    "bytes 0-99/50", "bytes -1-99/100", "bytes 0--99/100", "bytes +0-99/100", "bytes 0-99/-1",
    "bytes 0-99/100, bytes 100-199/200", "bytes 0-99/100 x", "bytes 0.0-99/100", "bytes 0x0-99/100",
    "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*",
    "bytes 0-99/9223372036854775808", "bytes 99999999999999999999999-0/*", "bytes /", "bytes *",
    "bytes */-1", "bytes **/1", "bytes 0-99/**", "bytes ٠-٩/*", "bytes\u{A0}0-99/100",
  ])
  func refusesMalformedValues(value: String) {
    #expect(ContentRange.parse(value) == nil)
  }

  @Test(arguments: SplitMix64.seeds)
  func readsBackWhatItWasMadeFrom(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let first = Int64.random(
        in: 0..<(.max >> Int64.random(in: 0..<60, using: &random)), using: &random)
      let end = Int64.random(in: (first + 1)...(.max), using: &random)
      let total = Bool.random(using: &random) ? Int64.random(in: end...(.max), using: &random) : nil
      let text = "bytes \(first)-\(end - 1)/\(total.map(String.init) ?? "*")"
      #expect(ContentRange.parse(text) == .range(first..<end, total: total), "\(text)")
    }
  }

  @Test(arguments: SplitMix64.seeds)
  func neverGivesAContradiction(seed: UInt64) {
    let examples = ["bytes 0-99/1234", "bytes */12", "bytes 7-9223372036854775806/*"]
    for text in Hostile.texts(like: examples, count: 800, seed: seed) {
      guard case .range(let range, let total) = ContentRange.parse(text) else { continue }
      if range.isEmpty || range.lowerBound < 0 || range.upperBound > total ?? .max {
        Issue.record("\(text.debugDescription) gave \(range)")
      }
    }
  }
}
