import Dispatch
import Glibc
import HaulTransfer
import Synchronization

/// Runs the files of one `haul get`: a feeder thread reads what is to be fetched, the end of one
/// file starts the next, and the main thread shows them.
final class GetRun: Sendable {
  private struct State {
    /// Requests that were read ahead, and wait until fewer files run.
    var ready: [TransferRequest] = []
    var running: [Int: Transfer] = [:]
    var count = 0
    /// Whether a thread starts what may be started.
    var isStarting = false
    var isFeederWaiting = false
    var news: [(job: Int, event: TransferEvent)] = []
    var isFed = false
    /// Whether every file was read: an interrupt leaves the rest out.
    var isFedToEnd = false
    var isStopping = false
    var usageErrors: [String] = []

    /// A feeder that waits for a line of a list is not waited for.
    var isOver: Bool {
      running.isEmpty && (isStopping || isFed && ready.isEmpty)
    }

    /// Whether the feeder has read enough for now.
    mutating func makesFeederWait() -> Bool {
      isFeederWaiting = max(ready.count, usageErrors.count) >= GetRun.maximumReady
      return isFeederWaiting
    }

    /// Whether a feeder that waits is to go on.
    mutating func wakesFeeder() -> Bool {
      guard isFeederWaiting, max(ready.count, usageErrors.count) <= GetRun.maximumReady / 2 else {
        return false
      }
      isFeederWaiting = false
      return true
    }
  }

  /// Requests that are read ahead of those that run, and errors in the list that wait to be told.
  private static let maximumReady = 32
  /// News that wait to be told while more files are started: whoever reads them may be slow.
  private static let maximumNews = 1024

  private let options: GetOptions
  private let environment: TransferEnvironment
  private let state = Mutex(State())
  /// Rung when the feeder may go on.
  private let room = DispatchSemaphore(value: 0)
  /// Rung when there is something to tell, once until it is heard.
  private let bell = DispatchSemaphore(value: 0)
  /// Rung when all is over.
  private let end = DispatchSemaphore(value: 0)

  init(_ options: GetOptions, _ environment: TransferEnvironment) {
    self.options = options
    self.environment = environment
  }

  /// Fetches everything; returns when all is over.
  func run(_ jobs: sending JobList) -> ExitStatus {
    startFeeder(jobs)
    var report = GetReport(options)
    var line = ProgressLine()
    var lastDrawn = 0.0
    var lastTold = Instant(nanoseconds: 0)
    while true {
      let (news, errors, isOver, wakesFeeder) = state.withLock { state in
        let (news, errors) = (state.news, state.usageErrors)
        state.news = []
        state.usageErrors = []
        return (news, errors, state.isOver, state.wakesFeeder())
      }
      if wakesFeeder { room.signal() }
      if news.count >= Self.maximumNews { startReady() }
      if !news.isEmpty || !errors.isEmpty { erase(&line) }
      for message in errors { report.takeUsageError(message) }
      for item in news { report.take(item.event, job: item.job) }
      // All news of what is over came with the same look.
      if isOver { break }
      let now = environment.clock.now.seconds(since: Instant(nanoseconds: 0))
      if !options.isQuiet, now - lastDrawn >= 0.1, let columns = Output.terminalColumns {
        let running = state.withLock { $0.running }
        lastDrawn = now
        if !running.isEmpty {
          let shown = running.sorted { $0.key < $1.key }.map(\.value.progress)
          let text = line.text(
            shown, finished: report.finishedCount, now: now, columns: columns - 2)
          Output.write("\r" + text + "\u{1B}[K", to: 2)
        }
      }
      _ = bell.wait(timeout: .now() + .milliseconds(100))
      // Small files end by the thousands in a second: they are told a few at a time.
      let isSwift = environment.clock.now.seconds(since: lastTold) < 0.02
      if isSwift { _ = end.wait(timeout: .now() + .milliseconds(5)) }
      lastTold = environment.clock.now
    }
    erase(&line)
    let isCutShort = state.withLock { $0.isStopping && !($0.isFedToEnd && $0.ready.isEmpty) }
    return report.finish(isCutShort: isCutShort)
  }

  /// Ends every transfer and keeps what is there.
  func stop() {
    let running = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    for transfer in running { transfer.stop() }
    room.signal()
    bell.signal()
    end.signal()
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
      end.signal()
    }
  }

  private func feed(_ jobs: JobList) {
    while !state.withLock({ $0.isStopping }) {
      do {
        guard let job = try jobs.next() else {
          state.withLock { $0.isFedToEnd = true }
          return
        }
        let request = try job.request(options)
        state.withLock { $0.ready.append(request) }
        startReady()
      } catch {
        state.withLock { $0.usageErrors.append(error.message) }
        bell.signal()
      }
      if state.withLock({ $0.makesFeederWait() }) { room.wait() }
    }
  }

  /// Starts what waits, as far as it may run; on one thread at a time, so that files that end at
  /// once do not start each other ever deeper.
  private func startReady() {
    let mayStart = state.withLock { state in
      defer { state.isStarting = true }
      return !state.isStarting
    }
    guard mayStart else { return }
    while let transfer = nextToStart() {
      transfer.start()
      if state.withLock({ $0.isStopping }) { transfer.stop() }
    }
  }

  private func nextToStart() -> Transfer? {
    let (next, wakesFeeder) = state.withLock { state in
      guard !state.isStopping, state.running.count < options.parallel,
        state.news.count < Self.maximumNews, !state.ready.isEmpty
      else {
        state.isStarting = false
        return (nil, false) as (Transfer?, Bool)
      }
      state.count += 1
      let transfer = make(state.ready.removeFirst(), state.count)
      state.running[state.count] = transfer
      return (transfer, state.wakesFeeder())
    }
    if wakesFeeder { room.signal() }
    return next
  }

  private func make(_ request: TransferRequest, _ number: Int) -> Transfer {
    Transfer(request, in: environment) { [self] event in
      let isEnd = if case .ended = event { true } else { false }
      let (isFirst, isOver) = state.withLock { state in
        state.news.append((number, event))
        if isEnd { state.running[number] = nil }
        return (state.news.count == 1, state.isOver)
      }
      if isFirst { bell.signal() }
      if isOver { end.signal() }
      if isEnd { startReady() }
    }
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
