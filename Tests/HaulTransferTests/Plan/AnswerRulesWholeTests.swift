import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

@Suite struct AnswerRulesWholeTests {
  private let rules = AnswerRulesTests.rules()
  private let now = AnswerRulesTests.now

  private func landing(_ head: ResponseHead) throws -> (FileVersion, Landing)? {
    guard case .whole(let version, let landing) = try rules.judgeWhole(head, now: now) else {
      return nil
    }
    return (version, landing)
  }

  @Test(
    arguments: [
      ([("Content-Length", "10")], HTTPVersion.http11, Int64(10)),
      ([("Content-Length", "9223372036854775807")], .http2, .max),
      ([("Content-Length", "0")], .http10, 0),
      ([("Content-Length", "10"), ("Transfer-Encoding", "chunked")], .http11, nil),
      ([], .http11, nil), ([], .http2, nil), ([], .http10, nil),
    ] as [([(String, String)], HTTPVersion, Int64?)])
  func theTotalIsTheLengthOrUnknown(
    _ fields: [(String, String)], _ version: HTTPVersion, _ total: Int64?
  ) throws {
    let (file, landing) = try #require(try landing(head(200, fields, version: version)))
    #expect(file.total == total)
    #expect(landing == Landing(start: 0, end: total))
  }

  @Test(arguments: ["-1", "x", "1, 2", "99999999999999999999", "0x10", "1.5", "", " "])
  func aMalformedLengthIsThrown(_ value: String) {
    #expect(throws: MalformedField.self) {
      try rules.judgeWhole(head(200, [("Content-Length", value)]), now: now)
    }
  }

  /// Of a decoded file neither the length nor any position is known; and the digests that came
  /// with it, which were once forgotten here, are of its coded form.
  @Test func aCodedAnswerHasNoLengthAndNoValidator() throws {
    let (file, landing) = try #require(
      try landing(
        head(
          200,
          [
            ("Content-Length", "10"), ("Content-Encoding", "gzip"), AnswerRulesTests.tag,
            ("Repr-Digest", AnswerRulesTests.sha),
          ])))
    #expect(file.total == nil && file.validator == nil && file.digests.count == 1)
    #expect(landing == Landing(start: 0, coding: .gzip))
  }

  @Test func anUnknownCodingIsAFailure() throws {
    let verdict = try rules.judgeWhole(head(200, [("Content-Encoding", "br")]), now: now)
    guard case .failed(.badCoding, _) = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  @Test(
    arguments: [
      ("Repr-Digest", 200, 1), ("Content-Digest", 200, 1), ("Repr-Digest", 206, 1),
      // The body of this partial answer is the whole file.
      ("Content-Digest", 206, 1),
    ])
  func digestsOfTheWholeAreNoted(_ name: String, _ status: Int, _ count: Int) throws {
    let fields = [(name, AnswerRulesTests.sha), ("Content-Range", "bytes 0-9/10")]
    let verdict =
      status == 200
      ? try rules.judgeWhole(head(status, fields), now: now)
      : rules.judgePart(head(status, fields), asked: .whole, stored: FileVersion(), now: now)
    guard case .whole(let version, _) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(version.digests.count == count)
  }

  @Test func combiningTakesTheStrongestGround() throws {
    let digest = OriginContent(size: 1).digest()
    let tagged = AnswerRulesTests.byTag
    let bare = AnswerRulesTests.bare
    #expect(AnswerRulesTests.rules(strict: true).combining(tagged) == .byValidator)
    #expect(AnswerRulesTests.rules(digest: true, overlap: true).combining(bare) == .byDigest)
    #expect(AnswerRulesTests.rules().combining(FileVersion(digests: [digest])) == .byDigest)
    #expect(AnswerRulesTests.rules(overlap: true).combining(bare) == .byOverlap)
    #expect(AnswerRulesTests.rules().combining(bare) == .never)
    #expect(AnswerRulesTests.rules(digest: true, strict: true).combining(bare) == .never)
    #expect(AnswerRulesTests.rules(strict: true, overlap: true).combining(bare) == .never)
  }

  /// I4 for heads of any kind: nothing is combined without a ground, and nothing traps.
  @Test func randomHeadsAreNeverCombinedWithoutAGround() {
    let values = [
      "", "bytes 0-9/10", "bytes 5-9/10", "bytes 5-9/*", "bytes 5-7/10", "bytes */10", "\"a\"",
      "\"b\"", "W/\"a\"", "gzip", "identity", "9223372036854775807", "-1", "chunked",
      "bytes 5-9223372036854775806/9223372036854775807", "bytes 5-9223372036854775807/*",
      "multipart/byteranges", AnswerRulesTests.date.1, "Mon, 07 Nov 1994 08:49:37 GMT",
      AnswerRulesTests.sha, AnswerRulesTests.otherSHA, "\u{FFFD}\u{0}",
      "bytes 5-9/10, bytes 5-9/10",
    ]
    let names = [
      "Content-Range", "Content-Range", "ETag", "Last-Modified", "Date", "Content-Length",
      "Content-Encoding", "Transfer-Encoding", "Content-Type", "Repr-Digest", "Content-MD5",
    ]
    var parts = 0
    for seed in 0..<20_000 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      var fields = (0..<random.below(8)).map { _ in (random.pick(names), random.pick(values)) }
      if random.happens(0.7) { fields.append(("Content-Range", random.pick(Array(values[1...4])))) }
      let stored = FileVersion(
        total: random.pick([nil, 10, 10, 11]),
        validator: random.pick(
          [nil, .entityTag("\"a\""), .lastModified(AnswerRulesTests.date.1)]))
      let rules = AnswerRulesTests.rules(
        digest: random.happens(0.3), strict: random.happens(0.3), overlap: random.happens(0.3))
      let overlap = Int64(random.pick([0, 0, 2]))
      let asked =
        random.happens(0.1)
        ? .whole : Asked(start: 5, end: random.pick([nil, 8, 10]), overlap: overlap)
      let head = head(random.pick([200, 206, 416]), fields)
      _ = try? rules.judgeWhole(head, now: now)
      _ = rules.judgeUnsatisfied(head, asked: asked, stored: stored, now: now)
      guard
        case .part(let version, let landing) = rules.judgePart(
          head, asked: asked, stored: stored, now: now)
      else { continue }
      parts += 1
      let isSameTag =
        stored.validator.map {
          $0.fieldValue == head.fields.first("ETag")
            || $0.fieldValue == head.fields.first("Last-Modified")
        }
        ?? false
      let isJoined = version.isJoinedByOverlap && rules.trustsOverlap && !rules.isStrict
      let hasGround = isSameTag || (rules.hasDigest && !rules.isStrict) || isJoined
      let isInside =
        landing.start == 5 + asked.overlap && (landing.end ?? .max) > landing.start
        && (landing.end ?? .max) <= min(asked.end ?? .max, version.total ?? .max)
        && landing.skipped >= 0
      let isSameLength = stored.total == nil || stored.total == version.total
      let isOverlapped = !isJoined || asked.overlap > 0 || isSameTag || rules.hasDigest
      if !hasGround || !isInside || !isSameLength || !isOverlapped {
        Issue.record("seed \(seed): \(landing), \(version) for \(head.fields) on \(stored)")
      }
    }
    #expect(parts > 200)
  }
}
