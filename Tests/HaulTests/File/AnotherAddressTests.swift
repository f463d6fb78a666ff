import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// A file that has another address by now: what was received under the first one is gone on from.
@Suite struct AnotherAddressTests {
  @Test(arguments: [
    ("https://example.org/new.mp4?sig=2", true), ("https://other.example/film.mp4", false),
  ]) func bytesAreKeptOnTheSameServer(_ address: String, _ isKept: Bool) throws {
    let bench = FileBench()
    let first = try bench.download()
    first.start()
    bench.clock.advance(seconds: 2.05)
    first.pause()
    bench.settle()
    #expect(first.snapshot.received > 200_000)
    var request = TransferRequest(
      url: try HTTPURL(parsing: address), destination: first.request.destination)
    request.keptUnder = first.request.url
    let second = FileDownload(request, engine: bench.engine, clock: bench.clock)
    second.start()
    bench.settle()
    #expect(second.snapshot.state == .finished)
    let last = try #require(bench.transport.requests.last)
    #expect((last.range != nil) == isKept)
    #expect(Array(bench.store.files.keys) == ["/films/film.mp4"])
  }
}
