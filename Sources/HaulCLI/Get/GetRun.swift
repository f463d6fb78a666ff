import Dispatch
import Glibc
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
  func run(_ jobs: sending JobList, _ report: inout some Report) -> ExitStatus {
    startFeeder(jobs)
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

  private func startFeeder(_ jobs: sending JobList) {
    // A thread of its own: reading a list and waiting for a slot both block.
    let box = Mutex<JobList?>(jobs)
    let thread = FeederBox(box)
    DispatchQueue(label: "haul.feeder").async { [self] in
      guard let jobs = thread.take() else { return }
      feed(jobs)
      state.withLock { $0.isFed = true }
      bell.signal()
    }
  }

  private func feed(_ jobs: JobList) {
    var number = 0
    var repeats = RepeatFilter()
    while !state.withLock({ $0.isStopping }) {
      do {
        guard let job = try jobs.next() else {
          state.withLock { $0.isFedToEnd = true }
          return
        }
        number += 1
        let request = try job.request(options)
        guard !repeats.isRepeated(job) else {
          tell(FileNews(file: number, url: request.url.redacted, kind: .repeated))
          continue
        }
        slots.wait()
        start(request, number)
      } catch {
        tell(FileNews(file: number, url: nil, kind: .refused(error)))
      }
    }
  }

  private func tell(_ news: FileNews) {
    state.withLock { $0.news.append(news) }
    bell.signal()
  }

  private func start(_ request: TransferRequest, _ number: Int) {
    let url = request.url.redacted
    let transfer = Transfer(request, in: environment) { [self] event in
      let isEnd = if case .ended = event { true } else { false }
      state.withLock { state in
        state.news.append(FileNews(file: number, url: url, kind: .event(event)))
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

/// Carries the list to the feeder's thread.
private final class FeederBox: Sendable {
  private let jobs: Mutex<JobList?>

  init(_ jobs: consuming sending Mutex<JobList?>) { self.jobs = jobs }

  func take() -> sending JobList? {
    jobs.withLock { jobs in
      let taken = jobs
      jobs = nil
      return taken
    }
  }
}
