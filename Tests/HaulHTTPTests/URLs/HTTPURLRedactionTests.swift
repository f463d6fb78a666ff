import HaulHTTP
import Testing

@Suite struct HTTPURLRedactionTests {
  @Test(
    arguments: [
      ("https://h/x", "https://h/x"), ("https://h", "https://h"), ("https://h/?", "https://h/?"),
      ("https://u:p@h:81/x#frag", "https://h:81/x"),
      ("https://h/x?page=2&q=a", "https://h/x?page=2&q=a"),
      ("https://h/x?token=a", "https://h/x?token=***"),
      ("https://h/x?token=", "https://h/x?token="),
      ("https://h/x?TOKEN=a&b=c", "https://h/x?TOKEN=***&b=c"),
      ("https://h/x?access_token=a", "https://h/x?access_token=***"),
      (
        "https://h/x?sig=a&signature=b&key=c&Key-Pair-Id=d",
        "https://h/x?sig=***&signature=***&key=***&Key-Pair-Id=***"
      ),
      (
        "https://h/x?password=a&pwd=b&auth=c&Policy=d",
        "https://h/x?password=***&pwd=***&auth=***&Policy=***"
      ),
      (
        "https://h/x?X-Amz-Date=1&X-Goog-Expires=2", "https://h/x?X-Amz-Date=***&X-Goog-Expires=***"
      ),
      ("https://h/x?Expires=1700000000", "https://h/x?Expires=1700000000"),
      ("https://h/x?tok%65n=a", "https://h/x?tok%65n=***"),
      ("https://h/x?a=0123456789abcdef", "https://h/x?a=***"),
      ("https://h/x?a=0123456789abcde", "https://h/x?a=0123456789abcde"),
      ("https://h/x?0123456789abcdef", "https://h/x?***"),
      ("https://h/x?a=1;token=b", "https://h/x?a=***"),
      ("https://h/x?next=token%3Da", "https://h/x?next=***"),
      ("https://h/x;jsessionid=a/y", "https://h/x;jsessionid=***/y"),
      ("https://h/x;v=1/y", "https://h/x;v=1/y"),
      ("https://h/x?a=b=c", "https://h/x?a=***"), ("https://h/a b?c d", "https://h/a%20b?c%20d"),
      ("https://h/\u{202E}x\u{85}", "https://h/\\u{202E}x\\u{85}"),
      ("https://h/é?q=é", "https://h/é?q=***"),
    ])
  func hidesWhatMayBeSecret(text: String, shown: String) throws {
    let url = try HTTPURL(parsing: text)
    #expect(url.redacted == shown)
    #expect("\(url)" == shown)
  }

  @Test(arguments: SplitMix64.seeds)
  func neverShowsASecret(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("abcXYZ0189-._~%+;,:@!$'()*=/")
    let places: [(String) -> String] = [
      { "https://\($0.filter { !"/%".contains($0) })Q7Q7:x@h/" }, { "https://h/?token=Q7Q7\($0)" },
      { "https://h/?a=b&X-Amz-Signature=\($0)Q7Q7&c" }, { "https://h/#Q7Q7\($0)" },
      { "https://h/?a=Q7Q7\($0)0123456789abcdef" },
      { "https://h/?Q7Q7\($0.filter { $0 != "=" })0123456789abcdef==" },
      { "https://h/?\($0)=\($0)&password=\($0)Q7Q7" },
    ]
    for _ in 0..<300 {
      let length = Int.random(in: 0...12, using: &random)
      let secret = String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
      for place in places {
        let text = place(secret)
        let url = try HTTPURL(parsing: text)
        if url.redacted.contains("Q7Q7") { Issue.record("\(text) shows as \(url.redacted)") }
      }
    }
  }
}
