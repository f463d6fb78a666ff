import HaulHTTP
import Testing

@Suite struct ContentLengthTests {
  @Test(
    arguments: [
      ([:], nil), (["Content-Length": "0"], 0), (["content-length": "5"], 5),
      (["Content-Length": "5, 5"], 5), (["Content-Length": "5", "Content-Length": "5"], 5),
      (["Content-Length": "5,\t005"], 5), (["Content-Length": "2147483648"], 2_147_483_648),
      (["Content-Length": "4294967297"], 4_294_967_297),
      (["Content-Length": "9007199254740993"], 9_007_199_254_740_993),
      (["Content-Length": "9223372036854775807"], .max),
    ] as [(Fields, Int64?)])
  func readsLengths(fields: Fields, expected: Int64?) throws {
    #expect(try ContentLength.parse(fields.header) == expected)
  }

  @Test(
    arguments: [
      "", " ", "-1", "+5", "5, 6", "5,", ",5", "5 5", "0x10", "5.0", "1e3", "abc", "5;", "٥",
      "9223372036854775808", "99999999999999999999999999999999", "5\u{0}", "５",
    ])
  func refusesMalformedLengths(value: String) {
    #expect(throws: MalformedField(name: "Content-Length", value: value)) {
      try ContentLength.parse(header(["Content-Length": value]))
    }
  }

  @Test func refusesDifferentLines() {
    #expect(throws: MalformedField(name: "Content-Length", value: "5, 6")) {
      try ContentLength.parse(header(["Content-Length": "5", "Content-Length": "6"]))
    }
  }

  @Test(arguments: SplitMix64.seeds)
  func neverGivesANegativeLength(seed: UInt64) {
    for text in Hostile.texts(like: ["12", "5, 5", "42"], count: 800, seed: seed) {
      let length = try? ContentLength.parse(header(["Content-Length": text]))
      if let length, length < 0 { Issue.record("\(text.debugDescription) gave \(length)") }
    }
  }
}
