import HaulHTTP
import Testing

@Suite struct ValidatorsTests {
  private let now: Int64 = 1_800_000_000
  private let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func validators(_ fields: Fields) -> Validators { Validators(fields.header, now: now) }

  @Test func readsAllFields() {
    let read = validators([
      "etag": "\"a\"", "LAST-MODIFIED": modified, "Date": "Sun, 06 Nov 1994 09:00:00 GMT",
    ])
    #expect(read.entityTag?.opaque == "a")
    #expect(read.lastModified == 784_111_777)
    #expect(read.lastModifiedText == modified)
    #expect(read.date == 784_112_400)
    #expect(read.strong == .entityTag("\"a\""))
  }

  @Test func keepsTheTextOfADateItCannotRead() {
    let read = validators(["Last-Modified": "yesterday"])
    #expect(read.lastModified == nil)
    #expect(read.lastModifiedText == "yesterday")
    #expect(read.strong == nil)
  }

  @Test func aDateIsStrongOnlyAMinuteLater() {
    for (date, isStrong) in [
      ("Sun, 06 Nov 1994 08:50:37 GMT", true), ("Sun, 06 Nov 1994 08:50:36 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:00:00 GMT", false),
      ("nonsense", false),
    ] {
      let read = validators(["Last-Modified": modified, "Date": date])
      #expect(read.strong == (isStrong ? .lastModified(modified) : nil), "\(date)")
    }
    #expect(validators(["Last-Modified": modified]).strong == nil)
  }

  /// RFC 9110 §13.1.5: a date may stand in `If-Range` only where there is no entity tag.
  @Test(arguments: ["W/\"a\"", "a", "\"a\"b\"", ""])
  func anyOtherTagKeepsTheDateFromBeingStrong(tag: String) {
    let read = validators([
      "ETag": tag, "Last-Modified": modified, "Date": "Mon, 07 Nov 1994 08:49:37 GMT",
    ])
    #expect(read.strong == nil)
  }

  @Test func contradictingFieldsCountForNothing() {
    let tags = validators([
      "ETag": "\"a\"", "ETag": "\"b\"", "Last-Modified": modified,
      "Date": "Mon, 07 Nov 1994 08:49:37 GMT",
    ])
    #expect(tags.entityTag == nil)
    #expect(tags.strong == nil)
    #expect(validators(["ETag": "\"a\"", "ETag": "\"a\""]).strong == .entityTag("\"a\""))
    let dates = validators(["Last-Modified": modified, "Last-Modified": "never"])
    #expect(dates.lastModifiedText == nil)
  }

  @Test func nothingOverflows() {
    var read = validators(["Last-Modified": modified])
    read.lastModified = .min
    read.date = .max
    #expect(read.strong == nil)
  }

  /// The file changed, its size did not (R2).
  @Test(
    arguments: [
      (["ETag": "\"a\""], ["ETag": "\"a\""], true),
      (["ETag": "\"a\""], ["ETag": "\"b\""], false),
      (["ETag": "W/\"a\""], ["ETag": "W/\"b\""], false),
      (["ETag": "W/\"a\""], ["ETag": "\"a\""], true),
      (["ETag": "\"a\"", "Last-Modified": "x"], ["ETag": "\"a\"", "Last-Modified": "y"], true),
      (["ETag": "\"a\"", "Last-Modified": "x"], ["ETag": "\"b\"", "Last-Modified": "x"], false),
      (["ETag": "\"a\"", "Last-Modified": "x"], ["Last-Modified": "x"], true),
      (["ETag": "\"a\"", "Last-Modified": "x"], ["Last-Modified": "y"], false),
      (
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT"], true
      ),
      (
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], false
      ),
      (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], ["Last-Modified": "never"], false),
      (["ETag": "\"a\""], ["Last-Modified": "x"], nil),
      (["ETag": "\"a\""], [:], nil),
      ([:], [:], nil),
    ] as [(Fields, Fields, Bool?)])
  func comparesWhatBothCarry(one: Fields, other: Fields, expected: Bool?) {
    #expect(validators(one).agrees(with: validators(other)) == expected)
    #expect(validators(other).agrees(with: validators(one)) == expected)
  }

  @Test(arguments: SplitMix64.seeds)
  func agreesWithItselfWhateverItHolds(seed: UInt64) {
    let examples = ["\"abc\"", "W/\"abc\"", modified, "Sunday, 06-Nov-94 08:49:37 GMT"]
    for text in Hostile.texts(like: examples, count: 500, seed: seed) {
      let read = validators(["ETag": text, "Last-Modified": text, "Date": text])
      if read.agrees(with: read) != true { Issue.record("\(text.debugDescription)") }
      if case .lastModified? = read.strong { Issue.record("\(text.debugDescription) is strong") }
    }
  }
}
