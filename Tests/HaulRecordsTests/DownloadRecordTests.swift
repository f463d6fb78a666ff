import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulRecords

@Suite struct DownloadRecordTests {
  private func record(_ url: String) throws -> DownloadRecord {
    DownloadRecord(
      id: RecordSample(seed: 1).id(), url: try HTTPURL(parsing: url),
      folder: try RecordPath(base: "downloads"))
  }

  @Test func userAndPasswordAreLeftOut() throws {
    let record = try record("https://me:secret@example.com:8443/a?b=%2B#c")
    #expect(record.url.user == nil && record.url.password == nil)
    #expect(record.url.textWithoutUser == "https://example.com:8443/a?b=%2B#c")
    try record.check()
  }

  @Test func theNameIsTheBestThatIsKnown() throws {
    var record = try record("https://example.com/pub/a.iso")
    #expect(record.name == "a.iso")
    record.wantedName = "b.iso"
    #expect(record.name == "b.iso")
    record.file = try RecordPath(base: "downloads", relative: "pub/b (1).iso")
    #expect(record.name == "b (1).iso")
    #expect(try self.record("https://example.com/").name == "example.com")
  }

  /// The number stands in databases; another one would let the same download in twice.
  @Test func theKeyIsTheSameInEveryRun() throws {
    #expect(try record("https://Example.com:443/a?b#c").key == 0x5951_9872_614E_FA8B)
  }

  @Test func whatAsksForTheSameThingHasTheSameKey() throws {
    let first = try record("https://me:secret@example.com/a b#1")
    var same = DownloadRecord(
      id: RecordSample(seed: 2).id(), url: try HTTPURL(parsing: "HTTPS://EXAMPLE.com:443/a%20b"),
      folder: first.folder)
    same.state = .failed
    same.position = 9
    same.options.connections = 3
    same.file = try RecordPath(base: "downloads", relative: "a b")
    #expect(same.key == first.key && same.summary.key == first.key)
  }

  @Test func whatAsksForSomethingElseHasAnotherKey() throws {
    let url = try HTTPURL(parsing: "https://example.com/a")
    var keys: Set<UInt64> = []
    // Names and folders that would be one text if they were merely put together.
    let places = [("b", ""), ("b", "c"), ("bc", ""), ("b", "c/d"), ("b", "c/D")]
    for (base, relative) in places {
      for name in [nil, "", "c", "d", "c/d"] as [String?] {
        for url in [url, try HTTPURL(parsing: "http://example.com/a")] {
          var record = DownloadRecord(
            id: RecordSample(seed: 1).id(), url: url,
            folder: try RecordPath(base: base, relative: relative))
          record.wantedName = name
          keys.insert(record.key)
        }
      }
    }
    #expect(keys.count == 50)
  }

  /// A million of them are kept in memory.
  @Test func aSummaryIsSmall() {
    #expect(MemoryLayout<DownloadSummary>.stride == 56)
    #expect(_isPOD(DownloadSummary.self))
  }

  @Test func optionsThatAskForNothingTakeNoRoom() throws {
    #expect(try DownloadOptions().encoded() == nil)
    #expect(try DownloadOptions(decoding: nil) == DownloadOptions())
  }

  @Test func optionsComeBackFromTheirJSON() throws {
    let sample = RecordSample(seed: 2)
    var count = 0
    for _ in 0..<200 {
      let options = try sample.any().options
      guard let text = try options.encoded() else { continue }
      #expect(try DownloadOptions(decoding: text) == options)
      count += 1
    }
    #expect(count > 50)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", "null", "{\"version\":2}", "{\"version\":\"1\"}",
    "{\"version\":1,\"mirrors\":[\"x\"]}",
    "{\"version\":1,\"digests\":[\"md5=0\"]}", "{\"version\":1,\"exists\":\"ask\"}",
    "{\"version\":1,\"headers\":[[\"a\"]]}", "{\"version\":1,\"connections\":0}",
    "{\"version\":1,\"connections\":1e99}", "{\"version\":1,\"rateLimit\":-1}",
    "{\"version\":1,\"mirrors\":[\"https://a:b@c/\"]}", "{\"version\":1} x",
  ])
  func optionsOfAnotherFormAreRefused(_ text: String) {
    #expect(throws: RecordError.self) { try DownloadOptions(decoding: text) }
  }

  /// Each sentence is for people, who have to do something about it.
  @Test func everyFailureOfADatabaseSpeaksInSentences() {
    let failure = DatabaseFailure.isThere(RecordSample(seed: 1).id())
    #expect(failure.code == .invalid)
    #expect(failure.message.hasPrefix("The download ") && failure.message.hasSuffix("."))
  }
}
