import Foundation
import HaulCurl
import HaulFiles
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// Draws zero for ever, so that no test waits between two tries.
struct NoJitter: RandomSource {
  func next() -> UInt64 { 0 }
}

/// The engine as the program runs it: libcurl, real files.
enum Engine {
  static let transport = CurlTransport()

  static func environment(store: any PartialFileStore) -> TransferEnvironment {
    TransferEnvironment(
      transport: transport, store: store, clock: SystemClock(), random: NoJitter(),
      decoders: ContentDecoders())
  }
}

/// `./test` runs all cases once more with eight connections for each file.
enum Connections {
  /// `HAUL_TEST_CONNECTIONS`, or one after the other.
  static let count =
    ProcessInfo.processInfo.environment["HAUL_TEST_CONNECTIONS"].flatMap(Int.init) ?? 1

  /// All of them are opened as soon as the server is known to serve ranges, however small the file.
  static var policy: SegmentPolicy {
    var policy = SegmentPolicy(maximumConnections: count, isAdaptive: false)
    policy.minimumByteCount = 16 << 10
    return policy
  }

  /// Applies the change of a case to the usual request.
  ///
  /// What may try only once is most often cut in order to leave a part: others would fetch its rest.
  static func prepare(_ request: inout TransferRequest, _ change: (inout TransferRequest) -> Void) {
    request.retries.tries = 3
    change(&request)
    if request.retries.tries > 1, request.segments == SegmentPolicy() { request.segments = policy }
  }
}

/// Hears the events of one transfer.
final class Ear: Sendable {
  private let heard = Mutex<[TransferEvent]>([])

  var events: [TransferEvent] { heard.withLock { $0 } }

  func hear(_ event: TransferEvent) { heard.withLock { $0.append(event) } }

  /// Why it started again, each time.
  var restarts: [RestartReason] {
    events.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
  }

  /// The failures of the tries that were followed by another.
  var retries: [TransferFailure.Code] {
    events.compactMap { if case .retrying(let failure, _) = $0 { failure.code } else { nil } }
  }

  var endCount: Int {
    events.count { if case .ended = $0 { true } else { false } }
  }
}

/// One attempt to fetch a file into a folder of its own.
struct Fetch {
  let transfer: Transfer
  let ear: Ear

  init(
    _ url: String, into folder: String, named name: String? = "file",
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws {
    var request = TransferRequest(
      url: try HTTPURL(parsing: url), destination: Destination(folder: folder, name: name))
    Connections.prepare(&request, change)
    let ear = Ear()
    self.ear = ear
    transfer = Transfer(request, in: Engine.environment(store: FileStore())) { ear.hear($0) }
  }

  /// Runs it to its end, and checks what holds for every transfer.
  func run() async -> TransferResult {
    transfer.start()
    let result = await transfer.result()
    #expect(ear.endCount == 1)
    #expect(ear.events.last == .ended(result))
    return result
  }
}

extension TransferResult {
  var failure: TransferFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  var finished: FinishedTransfer? {
    if case .finished(let file) = self { file } else { nil }
  }

  /// The length that was received when it was stopped.
  var stoppedAt: Int64? {
    if case .stopped(let received, _) = self { received } else { nil }
  }
}
