import Dispatch
import Glibc
import HaulTransfer
import Synchronization

/// Runs the files of one `haul get`: a feeder thread starts them, the main thread shows them.
final class GetRun: Sendable {
  private struct State {
    var running: [Int: Transfer] = [:]
    var news: [(job: Int, event: TransferEvent)] = []
    var isFed = false
    /// Whether every file was started: an interrupt leaves the rest out.
    var isFedToEnd = false
    var isStopping = false
    var usageErrors: [String] = []
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
  func run(_ jobs: sending JobList) -> ExitStatus {
    startFeeder(jobs)
    var report = GetReport(options)
    var line = ProgressLine()
    var lastDrawn = 0.0
    while true {
      let (news, running, errors, isOver) = state.withLock { state in
        defer {
          state.news = []
          state.usageErrors = []
        }
        return (
          // A feeder that waits for a line of a list is not waited for.
          state.news, state.running, state.usageErrors,
          (state.isFed || state.isStopping) && state.running.isEmpty
        )
      }
      if !news.isEmpty || !errors.isEmpty { erase(&line) }
      for message in errors { report.takeUsageError(message) }
      for item in news { report.take(item.event, job: item.job) }
      // All news of what is over came with the same look.
      if isOver { break }
      let now = environment.clock.now.seconds(since: Instant(nanoseconds: 0))
      if !options.isQuiet, let columns = Output.terminalColumns, !running.isEmpty,
        now - lastDrawn >= 0.1
      {
        lastDrawn = now
        let shown = running.sorted { $0.key < $1.key }.map(\.value.progress)
        let text = line.text(
          shown, finished: report.finishedCount, now: now, columns: columns - 2)
        Output.write("\r" + text + "\u{1B}[K", to: 2)
      }
      _ = bell.wait(timeout: .now() + .milliseconds(100))
    }
    erase(&line)
    let isCutShort = state.withLock { $0.isStopping && !$0.isFedToEnd }
    return report.finish(isCutShort: isCutShort)
  }

  /// Ends every transfer and keeps what is there.
  func stop() {
    let running = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    for transfer in running { transfer.stop() }
    bell.signal()
  }

  private func erase(_ line: inout ProgressLine) {
    guard line.isShown else { return }
    Output.write("\r\u{1B}[K", to: 2)
    line.clear()
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
    while !state.withLock({ $0.isStopping }) {
      do {
        guard let job = try jobs.next() else {
          state.withLock { $0.isFedToEnd = true }
          return
        }
        let request = try job.request(options)
        slots.wait()
        number += 1
        start(request, number)
      } catch {
        state.withLock { $0.usageErrors.append(error.message) }
        bell.signal()
      }
    }
  }

  private func start(_ request: TransferRequest, _ number: Int) {
    let transfer = Transfer(request, in: environment) { [self] event in
      let isEnd = if case .ended = event { true } else { false }
      state.withLock { state in
        state.news.append((number, event))
        if isEnd { state.running[number] = nil }
      }
      if isEnd { slots.signal() }
      bell.signal()
    }
    let isStopping = state.withLock { state in
      state.running[number] = transfer
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
