import HaulHTTP
import Testing

@Suite struct StatusKindTests {
  private static let kinds: [StatusKind: [Int]] = [
    .ok: [200, 203], .partial: [206], .redirect: [301, 302, 303, 307, 308],
    .rangeNotSatisfiable: [416], .proxyAuthentication: [407],
    .retryable: [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524],
  ]

  @Test func sortsEveryCode() {
    for status in [Int.min, -1] + Array(0...1_100) + [.max] {
      let expected = Self.kinds.first { $0.value.contains(status) }?.key ?? .permanent
      #expect(StatusKind(status) == expected, "\(status)")
    }
  }

  @Test func hasAPhraseForEveryCodeItSortsByName() {
    for status in Self.kinds.values.joined() {
      #expect(StatusKind.reasonPhrase(status) != nil, "\(status)")
    }
    #expect(StatusKind.reasonPhrase(404) == "Not Found")
    #expect(StatusKind.reasonPhrase(299) == nil)
    #expect(StatusKind.reasonPhrase(.min) == nil)
  }
}
