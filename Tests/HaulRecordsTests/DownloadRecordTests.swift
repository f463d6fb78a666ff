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

  /// A million of them are kept in memory.
  @Test func aSummaryIsSmall() {
    #expect(MemoryLayout<DownloadSummary>.stride == 48)
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
