import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCurl

@Suite struct HeadParserTests {
  /// Shows the parser lines as libcurl does; returns the heads that came of it.
  private func heads(
    _ lines: [[UInt8]], _ parser: inout HeadParser
  ) -> [ResponseHead] {
    lines.compactMap { line in
      // The array lives through the call.
      unsafe line.withUnsafeBytes { unsafe parser.take($0.bytes) }
    }
  }

  private func heads(_ text: String) -> [ResponseHead] {
    var parser = HeadParser(mayBeHTTP2: true)
    return heads(lines(text), &parser)
  }

  /// Lines with their ends; LF stands for CR LF.
  private func lines(_ text: String) -> [[UInt8]] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      Array($0.utf8) + [13, 10]
    }
  }

  private func fields(_ head: ResponseHead) -> [String] {
    head.fields.fields.map { "\($0.name)=\($0.value)" }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK", HTTPVersion.http11, 200), ("HTTP/1.0 206 Partial", .http10, 206),
      ("HTTP/2 404 ", .http2, 404), ("HTTP/2.0 404", .http2, 404), ("HTTP/3 503 ", .http3, 503),
      ("HTTP/1.1 200", .http11, 200), ("HTTP/1.1  416  Not  so", .http11, 416),
      ("HTTP/1.1 999 ?", .http11, 999), ("HTTP/7 200 OK", .http11, 200),
    ])
  func readsTheStatusLine(_ line: String, _ version: HTTPVersion, _ status: Int) throws {
    let heads = heads(line + "\nA: b\n\n")
    let head = try #require(heads.first)
    #expect(heads.count == 1)
    #expect(head.version == version && head.status == status)
    #expect(fields(head) == ["A=b"])
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/1.1 OK", "HTTP/1.1 -5 x", "HTTP/1.1 99999999999999999999 x"])
  func aStatusThatIsNoneMakesNoHead(_ line: String) {
    #expect(heads(line + "\nA: b\n\n") == [])
  }

  @Test func interimAnswersLeaveNothingBehind() {
    let heads = heads(
      "HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early\nETag: \"early\"\n\nHTTP/1.1 200 OK\nA: b\n\n")
    #expect(heads.map(\.status) == [200])
    #expect(heads.map(fields) == [["A=b"]])
  }

  @Test func trailersAreIgnored() {
    let heads = heads("HTTP/1.1 200 OK\nA: b\n\nETag: \"late\"\n\nHTTP/1.1 500 x\n\n")
    #expect(heads.map(\.status) == [200])
    #expect(heads.map(fields) == [["A=b"]])
  }

  /// A field whose name begins like a status line threw away the status and all fields before
  /// it; the answer was then judged as another one than libcurl read the body of.
  @Test func aFieldThatLooksLikeAStatusLineIsAField() {
    let heads = heads("HTTP/1.1 200 OK\nA: b\nHTTP/1.1 206 no: status\nC: d\n\n")
    #expect(heads.map(\.status) == [200])
    #expect(heads.map(fields) == [["A=b", "HTTP/1.1 206 no=status", "C=d"]])
  }

  @Test(
    arguments: [
      ("A:b", ["A=b"]), ("A:  b \t", ["A=b"]), ("A:", ["A="]), ("A: b: c", ["A=b: c"]),
      ("no colon", []), ("A: b\n c\n\td", ["A=b c d"]), (" lost\nA: b", ["A=b"]),
      ("A: 1\na: 2\nA: 3", ["A=1", "a=2", "A=3"]), ("A: é 漢", ["A=é 漢"]), (": x", ["=x"]),
      // A mark that Unicode would join with the sign before it.
      ("A:\u{301}b", ["A=\u{301}b"]), ("A: b\u{301}", ["A=b\u{301}"]),
    ])
  func readsFields(_ text: String, _ expected: [String]) throws {
    let head = try #require(heads("HTTP/1.1 200 OK\n\(text)\n\n").first)
    let found = fields(head)
    #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func bytesThatAreNotUTF8AreLatin1() throws {
    var parser = HeadParser(mayBeHTTP2: true)
    var lines = lines("HTTP/1.1 200 OK\n")
    lines.append(Array("A: ".utf8) + [0xE9, 0xFF] + [13, 10])
    lines.append([13, 10])
    let head = try #require(heads(lines, &parser).first)
    #expect(head.fields.first("A") == "\u{E9}\u{FF}")
  }

  @Test func bareLineEndsAreAccepted() throws {
    var parser = HeadParser(mayBeHTTP2: true)
    let lines = ["HTTP/1.1 200 OK\n", "A: b\n", "\n"].map { Array($0.utf8) }
    let head = try #require(heads(lines, &parser).first)
    #expect(fields(head) == ["A=b"])
  }

  @Test(arguments: [("A: ", 300), ("", 300), (" ", 300)])
  func aHeadWithoutEndIsRefused(_ start: String, _ count: Int) {
    var parser = HeadParser(mayBeHTTP2: true)
    var lines = lines("HTTP/1.1 200 OK\nA: b\n")
    for _ in 0..<count { lines.append(Array(start.utf8) + [UInt8](repeating: 0x78, count: 1000)) }
    #expect(heads(lines, &parser) == [])
    #expect(parser.failure != nil)
    #expect(heads([[13, 10]], &parser) == [])
  }

  @Test func randomBytesNeverTrap() {
    let pieces = [
      "HTTP/1.1 ", "HTTP/", "200", " ", "\r", "\n", "\r\n", ":", "A", "\t", "\u{301}", "é", "\0",
    ].map { Array($0.utf8) }
    var completed = 0
    for seed in 0..<4000 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      func below(_ bound: UInt64) -> Int { Int(random.next() % bound) }
      var parser = HeadParser(mayBeHTTP2: true)
      var lines = below(2) == 0 ? self.lines("HTTP/1.1 200 OK\n") : []
      for _ in 0..<below(12) {
        var line: [UInt8] = []
        for _ in 0..<below(8) {
          line += below(4) == 0 ? [UInt8(below(256))] : pieces[below(UInt64(pieces.count))]
        }
        lines.append(line)
      }
      let heads = heads(lines, &parser)
      if heads.count > 1 || heads.contains(where: { $0.status < 200 }) {
        Issue.record("seed \(seed): \(heads)")
      }
      completed += heads.count
    }
    #expect(completed > 100)
  }
}
