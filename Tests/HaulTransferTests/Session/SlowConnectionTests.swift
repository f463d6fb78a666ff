import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// Servers that give each connection a few bytes a second only.
@Suite struct SlowConnectionTests {
  /// Speeds were known only once 256 KiB had come: until then each connection passed for one that stands
  /// still, and was taken over once a second.
  @Test(arguments: [true, false], [20_000, 50_000, 150_000] as [Int64])
  func theyShareTheFile(_ isAdaptive: Bool, _ rate: Int64) throws {
    let content = OriginContent(size: 3_000_000, seed: 8)
    let world = World(seed: 3) { request in
      let range = request.range.map { $0.first..<min(content.size, ($0.last ?? .max - 1) + 1) }
      let span = range ?? 0..<content.size
      var fields = [("ETag", "\"a\""), ("Content-Length", "\(span.upperBound - span.lowerBound)")]
      if range != nil {
        fields.append(
          ("Content-Range", "bytes \(span.lowerBound)-\(span.upperBound - 1)/\(content.size)"))
      }
      let head = ResponseHead(
        version: .http11, status: range == nil ? 200 : 206,
        fields: HeaderFields(fields.map { HeaderField(name: $0.0, value: $0.1) }))
      let step = rate / 20
      let pieces = stride(from: span.lowerBound, to: span.upperBound, by: Int(step)).flatMap {
        [.silence(0.05), .bytes(content.bytes(in: $0..<min(span.upperBound, $0 + step)))]
          as [FakeAnswer.Step]
      }
      return FakeAnswer([.head(head)] + pieces)
    }
    let request = try World.request {
      $0.segments = SegmentPolicy(maximumConnections: 8, isAdaptive: isAdaptive)
    }
    let ear = world.run(request)
    #expect(ear.results.first?.finished?.byteCount == content.size)
    #expect(world.store.files["/d/file"] == content.bytes())
    let ideal = Double(content.size) / Double(rate * 8)
    let seconds = ear.results.first?.finished?.seconds ?? .infinity
    #expect(seconds < ideal * 1.3 + 1.5, "\(seconds) of \(ideal)")
    #expect(world.transport.requests.count <= 24)
    #expect(world.violations == [])
  }
}
