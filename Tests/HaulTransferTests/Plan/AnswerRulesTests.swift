import HaulHTTP
import Testing

@testable import HaulTransfer

func head(
  _ status: Int, _ fields: [(String, String)] = [], version: HTTPVersion = .http11
) -> ResponseHead {
  ResponseHead(
    version: version, status: status,
    fields: HeaderFields(fields.map { HeaderField(name: $0.0, value: $0.1) }))
}

@Suite struct AnswerRulesTests {
  static let now: Int64 = 1_700_000_000
  static let tag = ("ETag", "\"a\"")
  static let date = ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
  static let byTag = FileVersion(total: 1000, validator: .entityTag("\"a\""))
  static let byDate = FileVersion(total: 1000, validator: .lastModified(date.1))
  static let bare = FileVersion(total: 1000)
  static let sha = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
  static let otherSHA = "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:"

  static func rules(
    digest: Bool = false, strict: Bool = false, overlap: Bool = false
  ) -> AnswerRules {
    AnswerRules(hasDigest: digest, isStrict: strict, trustsOverlap: overlap)
  }

  // MARK: A 206 and what it is worth

  enum Expected: Sendable { case part(Range<Int64>, skipped: Int64), changed, bad, whole }

  struct Part: Sendable, CustomTestStringConvertible {
    var what: String
    var fields: [(String, String)]
    var stored = AnswerRulesTests.byTag
    var rules = AnswerRulesTests.rules()
    var asked = Asked(start: 400, end: nil)
    var expected: Expected
    /// Whether later answers may still rely on the validator.
    var keepsValidator = true
    var testDescription: String { what }
  }

  static func range(_ value: String) -> (String, String) { ("Content-Range", value) }

  static let parts: [Part] = [
    Part(
      what: "what was asked for", fields: [range("bytes 400-999/1000"), tag],
      expected: .part(400..<1000, skipped: 0)),
    Part(
      what: "less than asked", fields: [range("bytes 400-499/1000"), tag],
      expected: .part(400..<500, skipped: 0)),
    Part(
      what: "more than asked", fields: [range("bytes 400-999/1000"), tag],
      asked: Asked(start: 400, end: 600), expected: .part(400..<600, skipped: 0)),
    Part(
      what: "unknown total", fields: [range("Bytes 400-999/*"), tag],
      expected: .part(400..<1000, skipped: 0)),
    Part(
      what: "beyond the known total, by an answer that does not know it",
      fields: [range("bytes 400-4999/*"), tag], expected: .changed),
    Part(
      what: "the whole file", fields: [range("bytes 0-999/1000"), tag],
      expected: .part(400..<1000, skipped: 400)),
    Part(what: "starts earlier", fields: [range("bytes 399-999/1000"), tag], expected: .bad),
    Part(what: "starts later", fields: [range("bytes 401-999/1000"), tag], expected: .bad),
    Part(
      what: "a beginning that is not all", fields: [range("bytes 0-998/1000"), tag],
      expected: .bad),
    Part(what: "no Content-Range", fields: [tag], expected: .bad),
    Part(
      what: "two of them", fields: [range("bytes 400-999/1000"), range("bytes 400-999/1000"), tag],
      expected: .bad),
    Part(what: "another unit", fields: [range("items 400-999/1000"), tag], expected: .bad),
    Part(what: "unsatisfied", fields: [range("bytes */1000"), tag], expected: .bad),
    Part(
      what: "overflowing", fields: [range("bytes 400-99999999999999999999/*"), tag],
      expected: .bad),
    Part(what: "backwards", fields: [range("bytes 400-399/1000"), tag], expected: .bad),
    Part(
      what: "several ranges",
      fields: [
        range("bytes 400-999/1000"), tag, ("Content-Type", "MultiPart/ByteRanges; boundary=x"),
      ],
      expected: .bad),
    Part(
      what: "coded", fields: [range("bytes 400-999/1000"), tag, ("Content-Encoding", "gzip")],
      expected: .bad),
    Part(what: "another total", fields: [range("bytes 400-1000/1001"), tag], expected: .changed),
    Part(
      what: "another tag", fields: [range("bytes 400-999/1000"), ("ETag", "\"b\"")],
      expected: .changed),
    Part(
      what: "the same tag, weak", fields: [range("bytes 400-999/1000"), ("ETag", "W/\"a\"")],
      expected: .changed),
    Part(what: "no tag", fields: [range("bytes 400-999/1000")], expected: .bad),
    Part(
      what: "two tags", fields: [range("bytes 400-999/1000"), tag, ("ETag", "\"b\"")],
      expected: .bad),
    Part(
      what: "the same date", fields: [range("bytes 400-999/1000"), date], stored: byDate,
      expected: .part(400..<1000, skipped: 0)),
    Part(
      what: "another date",
      fields: [range("bytes 400-999/1000"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT")],
      stored: byDate, expected: .changed),
    Part(
      what: "a tag in place of the date", fields: [range("bytes 400-999/1000"), tag],
      stored: byDate, expected: .bad),
    Part(
      what: "nothing to compare", fields: [range("bytes 400-999/1000")], stored: bare,
      expected: .bad),
    Part(
      what: "a tag where none was known", fields: [range("bytes 400-999/1000"), tag],
      stored: bare, expected: .bad),
    Part(
      what: "nothing to compare but a digest to come", fields: [range("bytes 400-999/1000")],
      stored: bare, rules: rules(digest: true), expected: .part(400..<1000, skipped: 0)),
    Part(
      what: "a digest, but strict", fields: [range("bytes 400-999/1000")], stored: bare,
      rules: rules(digest: true, strict: true), expected: .bad),
    Part(
      what: "another tag of the same bytes (R5)",
      fields: [range("bytes 400-999/1000"), ("ETag", "\"b\"")], rules: rules(digest: true),
      expected: .part(400..<1000, skipped: 0), keepsValidator: false),
    Part(
      what: "another tag, strict", fields: [range("bytes 400-999/1000"), ("ETag", "\"b\"")],
      rules: rules(digest: true, strict: true), expected: .changed),
    Part(
      what: "another total, although a digest comes",
      fields: [range("bytes 400-1000/1001"), tag], rules: rules(digest: true), expected: .changed),
    Part(
      what: "trusted overlap", fields: [range("bytes 400-999/1000")], stored: bare,
      rules: rules(overlap: true), asked: Asked(start: 400, end: nil, overlap: 100),
      expected: .part(500..<1000, skipped: 0)),
    Part(
      what: "trusted overlap in the whole file", fields: [range("bytes 0-999/1000")],
      stored: bare, rules: rules(overlap: true), asked: Asked(start: 400, end: nil, overlap: 100),
      expected: .part(500..<1000, skipped: 400)),
    Part(
      what: "trusted overlap without a total", fields: [range("bytes 400-999/*")], stored: bare,
      rules: rules(overlap: true), asked: Asked(start: 400, end: nil, overlap: 100),
      expected: .bad),
    Part(
      what: "nothing but the overlap", fields: [range("bytes 400-499/1000")], stored: bare,
      rules: rules(overlap: true), asked: Asked(start: 400, end: nil, overlap: 100),
      expected: .bad),
    Part(
      what: "the digest of another file",
      fields: [range("bytes 400-999/1000"), tag, ("Repr-Digest", otherSHA)],
      stored: FileVersion(
        total: 1000, validator: .entityTag("\"a\""),
        digests: [
          Digest(
            parsing: "sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        ].compactMap(\.self)),
      expected: .changed),
    Part(
      what: "the digest of the part alone",
      fields: [range("bytes 400-999/1000"), tag, ("Content-Digest", otherSHA)],
      stored: FileVersion(
        total: 1000, validator: .entityTag("\"a\""),
        digests: [
          Digest(
            parsing: "sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        ].compactMap(\.self)),
      expected: .part(400..<1000, skipped: 0)),
    Part(
      what: "the whole was asked for and came as a part", fields: [range("bytes 0-999/1000"), tag],
      asked: .whole, expected: .whole),
    Part(
      what: "the whole was asked for and a part came", fields: [range("bytes 0-499/1000"), tag],
      asked: .whole, expected: .bad),
    Part(
      what: "the whole was asked for, perhaps it came", fields: [range("bytes 0-999/*"), tag],
      asked: .whole, expected: .bad),
  ]

  @Test(arguments: parts)
  func judgesPartialAnswers(_ part: Part) {
    let verdict = part.rules.judgePart(
      head(206, part.fields), asked: part.asked, stored: part.stored, now: Self.now)
    switch (part.expected, verdict) {
    case (.part(let range, let skipped), .part(let version, let landing)):
      #expect(landing.start == range.lowerBound)
      #expect(landing.end == range.upperBound)
      #expect(landing.skipped == skipped)
      #expect(landing.overlap == part.asked.overlap)
      #expect(version.isCombined)
      #expect(version.isJoinedByOverlap == (part.asked.overlap > 0))
      #expect(version.validator == (part.keepsValidator ? part.stored.validator : nil))
    case (.changed, .changed), (.bad, .badRange): break
    case (.whole, .whole(let version, let landing)):
      #expect(landing == Landing(start: 0, end: 1000))
      #expect(version.validator == .entityTag("\"a\"") && !version.isCombined)
    default: Issue.record("\(verdict)")
    }
  }

  // MARK: A 416

  struct Refusal: Sendable, CustomTestStringConvertible {
    var what: String
    var fields: [(String, String)]
    var stored = FileVersion(validator: .entityTag("\"a\""))
    var rules = AnswerRulesTests.rules()
    var asked = Asked(start: 1000, end: nil)
    var expected: AnswerVerdict
    var testDescription: String { what }
  }

  static let refusals: [Refusal] = [
    Refusal(
      what: "all is there", fields: [range("bytes */1000")], expected: .complete(total: 1000)),
    Refusal(
      what: "all is there, with the tag", fields: [range("bytes */1000"), tag],
      expected: .complete(total: 1000)),
    Refusal(
      what: "of another version", fields: [range("bytes */1000"), ("ETag", "\"b\"")],
      expected: .changed),
    // A file of unknown length that was replaced by one as long as what had arrived: the 416
    // counted as a confirmation, and the beginning of the old file as the new one.
    Refusal(
      what: "of another date",
      fields: [range("bytes */1000"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT")],
      stored: FileVersion(validator: .lastModified(date.1)), expected: .changed),
    Refusal(
      what: "of the same date", fields: [range("bytes */1000"), date],
      stored: FileVersion(validator: .lastModified(date.1)), expected: .complete(total: 1000)),
    Refusal(what: "shorter", fields: [range("bytes */999")], expected: .rangeRefused),
    Refusal(what: "longer", fields: [range("bytes */1001")], expected: .rangeRefused),
    Refusal(what: "no total", fields: [range("bytes */*")], expected: .rangeRefused),
    Refusal(what: "no field", fields: [], expected: .rangeRefused),
    Refusal(what: "a range", fields: [range("bytes 0-999/1000")], expected: .rangeRefused),
    Refusal(
      what: "another total was known", fields: [range("bytes */1000")],
      stored: FileVersion(total: 2000, validator: .entityTag("\"a\"")), expected: .rangeRefused),
    Refusal(
      what: "nothing connects it", fields: [range("bytes */1000")], stored: FileVersion(),
      expected: .rangeRefused),
    Refusal(
      what: "a digest will tell", fields: [range("bytes */1000")], stored: FileVersion(),
      rules: rules(digest: true), expected: .complete(total: 1000)),
    Refusal(
      what: "an overlap was asked for", fields: [range("bytes */1000")],
      asked: Asked(start: 1000, end: nil, overlap: 10), expected: .rangeRefused),
    Refusal(
      what: "the whole was asked for", fields: [range("bytes */0")], asked: .whole,
      expected: .rangeRefused),
  ]

  @Test(arguments: refusals)
  func judgesUnsatisfiedRanges(_ refusal: Refusal) {
    let verdict = refusal.rules.judgeUnsatisfied(
      head(416, refusal.fields), asked: refusal.asked, stored: refusal.stored, now: Self.now)
    #expect(verdict == refusal.expected)
  }
}
