import Dispatch
import Glibc
import HaulFiles
import HaulHTTP
import HaulTransfer
import Synchronization

/// Runs the files of one `haul get`: a feeder thread starts them, the main thread shows them.
final class GetRun: Sendable {
  private struct State {
    var running: [Int: (transfer: Transfer, url: String)] = [:]
    var news: [FileNews] = []
    var isFed = false
    /// Whether every file was started: an interrupt leaves the rest out.
    var isFedToEnd = false
    var isStopping = false
  }

  private let options: GetOptions
  private let environment: TransferEnvironment
  private let state = Mutex(State())
  private let slots: DispatchSemaphore
  private let bell = DispatchSemaphore(value: 0)

  init(_ options: GetOptions, _ environment: TransferEnvironment) {
    self.options = options
    self.environment = environment
    slots = DispatchSemaphore(value: options.parallel)
  }

  /// Fetches everything; returns when all is over.
  ///
  /// With `checksums` each file gets its digest from there, unless its list gives one.
  func run(
    _ jobs: sending JobList, _ checksums: sending ChecksumSource?, _ report: inout some Report
  ) -> ExitStatus {
    startFeeder(jobs, checksums)
    var lastShown = -Double.infinity
    while true {
      let (news, running, isOver) = state.withLock { state in
        defer { state.news = [] }
        return (
          // A feeder that waits for a line of a list is not waited for.
          state.news, state.running,
          (state.isFed || state.isStopping) && state.running.isEmpty
        )
      }
      for item in news { report.take(item) }
      // All news of what is over came with the same look.
      if isOver { break }
      let now = environment.clock.now.seconds(since: Instant(nanoseconds: 0))
      if now - lastShown >= 0.1 {
        lastShown = now
        let files = running.sorted { $0.key < $1.key }.map { number, entry in
          RunningFile(file: number, url: entry.url, progress: entry.transfer.progress)
        }
        report.show(files, now: now)
      }
      _ = bell.wait(timeout: .now() + .milliseconds(100))
    }
    return report.finish(isCutShort: state.withLock { $0.isStopping && !$0.isFedToEnd })
  }

  /// Ends every transfer and keeps what is there.
  func stop() {
    let running = state.withLock { state in
      state.isStopping = true
      return state.running.values.map(\.transfer)
    }
    for transfer in running { transfer.stop() }
    bell.signal()
  }

  private func startFeeder(_ jobs: sending JobList, _ checksums: sending ChecksumSource?) {
    // A thread of its own: reading a list and waiting for a slot both block.
    let jobBox = Parcel(Mutex<JobList?>(jobs))
    let checksumBox = Parcel(Mutex<ChecksumSource?>(checksums))
    DispatchQueue(label: "haul.feeder").async { [self] in
      guard let jobs = jobBox.take() else { return }
      feed(jobs, checksumBox.take())
      state.withLock { $0.isFed = true }
      bell.signal()
    }
  }

  private func feed(_ jobs: JobList, _ checksums: ChecksumSource?) {
    var number = 0
    var repeats = RepeatFilter()
    while !state.withLock({ $0.isStopping }) {
      do {
        guard let job = try jobs.next() else {
          state.withLock { $0.isFedToEnd = true }
          return
        }
        number += 1
        var request = try job.request(options)
        guard !repeats.isRepeated(job) else {
          tell(FileNews(file: number, url: request.url.redacted, kind: .repeated))
          continue
        }
        var source: String?
        if request.digest == nil, let checksums {
          guard findDigest(&request, in: checksums, number) else { continue }
          source = checksums.location.name
        }
        slots.wait()
        start(request, number, digestSource: source)
      } catch {
        tell(FileNews(file: number, url: nil, kind: .refused(error)))
      }
    }
  }

  /// Gives a request its digest; false when it is not to be started.
  private func findDigest(
    _ request: inout TransferRequest, in checksums: ChecksumSource, _ number: Int
  ) -> Bool {
    let isOnlyFile = options.urls.count == 1 && options.inputFile == nil
    do {
      let digest = try checksums.digest(for: request, isOnlyFile: isOnlyFile) { request, store in
        fetch(request, into: store)
      }
      request.digest = digest
      return digest != nil
    } catch {
      let event = TransferEvent.ended(.failed(error))
      tell(FileNews(file: number, url: request.url.redacted, kind: .event(event)))
      return false
    }
  }

  /// Fetches the checksum file, and waits for it. It counts as a running file of the number 0.
  private func fetch(_ request: TransferRequest, into store: MemoryStore) -> TransferResult {
    var environment = environment
    environment.store = store
    let url = request.url.redacted
    let ending = Ending()
    let transfer = Transfer(request, in: environment) { [self] event in
      switch event {
      case .ended(let result):
        state.withLock { $0.running[0] = nil }
        ending.set(result)
      case .retrying, .asked, .answered:
        tell(FileNews(file: 0, url: url, kind: .event(event)))
      default: break
      }
    }
    let isStopping = state.withLock { state in
      state.running[0] = (transfer, url)
      return state.isStopping
    }
    transfer.start()
    if isStopping { transfer.stop() }
    return ending.wait()
  }

  private func tell(_ news: FileNews) {
    state.withLock { $0.news.append(news) }
    bell.signal()
  }

  private func start(_ request: TransferRequest, _ number: Int, digestSource: String?) {
    let url = request.url.redacted
    let transfer = Transfer(request, in: environment) { [self] event in
      let isEnd = if case .ended = event { true } else { false }
      state.withLock { state in
        state.news.append(
          FileNews(file: number, url: url, kind: .event(event), digestSource: digestSource))
        if isEnd { state.running[number] = nil }
      }
      if isEnd { slots.signal() }
      bell.signal()
    }
    let isStopping = state.withLock { state in
      state.running[number] = (transfer, url)
      return state.isStopping
    }
    transfer.start()
    if isStopping { transfer.stop() }
  }
}

/// The result of a transfer, for a thread that waits for it.
private final class Ending: Sendable {
  private let result = Mutex(TransferResult.stopped(received: 0))
  private let bell = DispatchSemaphore(value: 0)

  func set(_ end: TransferResult) {
    result.withLock { $0 = end }
    bell.signal()
  }

  func wait() -> TransferResult {
    bell.wait()
    return result.withLock { $0 }
  }
}

/// Carries something to the feeder's thread.
private final class Parcel<Content>: Sendable {
  private let content: Mutex<Content?>

  init(_ content: consuming sending Mutex<Content?>) { self.content = content }

  func take() -> sending Content? {
    content.withLock { content in
      let taken = content
      content = nil
      return taken
    }
  }
}
