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
    var screenRequests: [ScreenRequest] = []
    /// The files that were read so far.
    var count = 0
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
    // What is over in no time is not shown as running.
    var lastShown = now
    while true {
      let (news, requests, isOver) = state.withLock { state in
        defer { (state.news, state.screenRequests) = ([], []) }
        return (
          // A feeder that waits for a line of a list is not waited for.
          state.news, state.screenRequests,
          (state.isFed || state.isStopping) && state.running.isEmpty
        )
      }
      for item in news { report.take(item) }
      // All news of what is over came with the same look.
      if isOver { break }
      for request in requests { carryOut(request, &report) }
      if !requests.isEmpty || now - lastShown >= 0.1 {
        lastShown = now
        report.show(standing, now: lastShown)
      }
      _ = bell.wait(timeout: .now() + .milliseconds(100))
    }
    let isCutShort = state.withLock { $0.isStopping && !$0.isFedToEnd }
    return report.finish(standing, isCutShort: isCutShort)
  }

  private var now: Double { environment.clock.now.seconds(since: Instant(nanoseconds: 0)) }

  private var standing: RunStanding {
    let (running, count, isFedToEnd, isStopping) = state.withLock {
      ($0.running, $0.count, $0.isFedToEnd, $0.isStopping)
    }
    let files = running.sorted { $0.key < $1.key }.map { number, entry in
      RunningFile(file: number, url: entry.url, progress: entry.transfer.progress)
    }
    return RunStanding(
      running: files, known: max(count, options.urls.count),
      isListOpen: options.inputFile != nil && !isFedToEnd, isStopping: isStopping)
  }

  /// Asks for something that concerns the terminal; the main thread does it soon.
  func ask(_ request: ScreenRequest) {
    state.withLock { $0.screenRequests.append(request) }
    bell.signal()
  }

  private func carryOut(_ request: ScreenRequest, _ report: inout some Report) {
    switch request {
    case .resized: break
    case .suspend(let suspension): suspension.carryOut { report.hide() }
    case .quit:
      report.hide()
      _exit(ExitStatus.interrupted.rawValue)
    }
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
        number += 1
        guard let job = try jobs.next() else {
          state.withLock { $0.isFedToEnd = true }
          return
        }
        state.withLock { $0.count = number }
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
        // A file that was stopped made room; that is no reason to begin another one.
        if state.withLock({ $0.isStopping }) {
          // A semaphore that goes away with less than it began with takes the program with it.
          slots.signal()
          return
        }
        start(request, number, digestSource: source)
      } catch {
        state.withLock { $0.count = number }
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
