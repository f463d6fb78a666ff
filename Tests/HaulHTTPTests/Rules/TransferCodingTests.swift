import HaulHTTP
import Testing

@Suite struct TransferCodingTests {
  func head(_ values: [String], _ version: HTTPVersion = .http11) -> ResponseHead {
    let fields = values.map { HeaderField(name: "transfer-encoding", value: $0) }
    return ResponseHead(version: version, status: 200, fields: HeaderFields(fields))
  }

  @Test(arguments: [[], ["chunked"], ["Chunked"], ["identity"], ["identity, chunked"], ["", ","]])
  func chunkedIsKnown(values: [String]) {
    #expect(TransferCoding.unknown(in: head(values)) == nil)
  }

  @Test(arguments: [
    ["gzip"], ["gzip, chunked"], ["gzip", "chunked"], ["chunked, gzip"], ["chunked, chunked"],
    ["xchunked"], ["chunked;q=1"], ["chunked\u{1}"],
  ])
  func everyOtherIsNot(values: [String]) {
    #expect(TransferCoding.unknown(in: head(values)) != nil)
    #expect(TransferCoding.unknown(in: head(values, .http10)) != nil)
    #expect(TransferCoding.unknown(in: head(values, .http2)) == nil)
  }

  @Test func whatIsShownHoldsNoControlCharacter() {
    #expect(TransferCoding.unknown(in: head(["\u{1B}[2J"])) == "\u{FFFD}[2J")
  }
}
