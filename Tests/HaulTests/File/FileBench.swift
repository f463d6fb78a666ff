import Dispatch
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization

@testable import Haul

/// A file, a server and a disk of fakes on a virtual clock.
struct FileBench {
  let clock = VirtualClock()
  let content: OriginContent
  let store: FakeStore
  let transport: FakeTransport
  let engine: DownloadEngine

  /// A server that answers in steps of a tenth of a second, `rate` bytes a second.
  init(size: Int64 = 1_000_000, rate: Int64 = 200_000, status: Int = 200) {
    let content = OriginContent(size: size, seed: 5)
    self.content = content
    store = FakeStore(clock: clock, random: SeededRandom(seed: 1))
    transport = FakeTransport(clock: clock, random: SeededRandom(seed: 2)) { request in
      guard status == 200 else { return FakeAnswer(status) }
      return Self.answer(request, content, rate)
    }
    engine = DownloadEngine(
      TransferEnvironment(
        transport: transport, store: store, clock: clock, random: SeededRandom(seed: 3),
        decoders: ContentDecoders()))
  }

  private static func answer(
    _ request: FakeTransport.Request, _ content: OriginContent, _ rate: Int64
  ) -> FakeAnswer {
    let range = request.range.map { $0.first..<min(content.size, ($0.last ?? .max - 1) + 1) }
    let span = range ?? 0..<content.size
    var fields = HeaderFields()
    fields.append(name: "ETag", value: "\"a\"")
    fields.append(name: "Content-Length", value: "\(span.upperBound - span.lowerBound)")
    if range != nil {
      fields.append(
        name: "Content-Range",
        value: "bytes \(span.lowerBound)-\(span.upperBound - 1)/\(content.size)")
    }
    let head = ResponseHead(version: .http11, status: range == nil ? 200 : 206, fields: fields)
    let step = max(1, rate / 10)
    var steps: [FakeAnswer.Step] = [.head(head)]
    for start in stride(from: span.lowerBound, to: span.upperBound, by: Int(step)) {
      steps.append(.silence(0.1))
      steps.append(.bytes(content.bytes(in: start..<min(span.upperBound, start + step))))
    }
    return FakeAnswer(steps)
  }

  func download() throws -> FileDownload {
    var request = TransferRequest(
      url: try HTTPURL(parsing: "https://example.org/film.mp4"),
      destination: Destination(folder: "/films", name: "film.mp4"))
    request.retries.tries = 2
    return FileDownload(request, engine: engine, clock: clock)
  }

  /// Lets everything happen that is due until nothing is.
  func settle() {
    while clock.advanceToNextJob() {}
  }
}

/// Writes down what an observer hears, on a queue of its own.
final class Listener: Sendable {
  let queue = DispatchQueue(label: "listener")
  private let heard = Mutex<[FileDownloadSnapshot]>([])

  /// All that was heard, once what is on its way has arrived.
  var snapshots: [FileDownloadSnapshot] {
    queue.sync {}
    return heard.withLock { $0 }
  }

  func hear(_ snapshot: FileDownloadSnapshot) { heard.withLock { $0.append(snapshot) } }
}
