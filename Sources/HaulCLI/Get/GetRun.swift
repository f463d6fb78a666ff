import Dispatch
import HaulFiles
import HaulHTTP
import HaulTransfer
import Synchronization

/// Runs the files of one `haul get`: a feeder thread reads what is to be fetched, the end of one
/// file starts the next, and the main thread shows them.
final class GetRun: Sendable {
  private struct Running {
    let transfer: Transfer
    let url: String
    var target: String?
  }

  private struct State {
    /// What was read ahead, and waits until fewer files run.
    var ready = StartQueue()
    var running: [Int: Running] = [:]
    /// Whether a thread starts what may be started.
    var isStarting = false
    var isFeederWaiting = false
    var news: [FileNews] = []
    var screenRequests: [ScreenRequest] = []
    /// The files that were read so far.
    var count = 0
    /// The bytes of the files that have not begun; nil where a length is not known.
    var waitingBytes: Int64?
    var isFed = false
    /// Whether every file was read: an interrupt leaves the rest out.
    var isFedToEnd = false
    var isStopping = false

    /// A feeder that waits for a line of a list is not waited for.
    var isOver: Bool { running.isEmpty && (isStopping || isFed && ready.isEmpty) }

    /// Whether another file may begin. The list of checksums has the number 0, and a place of its
    /// own; whoever reads the news may be slow.
    func mayStart(_ parallel: Int) -> Bool {
      let isThere = running[0] != nil
      return !isStopping && ready.hasNext && running.count < parallel + (isThere ? 1 : 0)
        && news.count < GetRun.maximumNews
    }

    /// Whether the feeder has read enough for now.
    mutating func makesFeederWait() -> Bool {
      isFeederWaiting =
        !isStopping
        && (ready.count >= GetRun.maximumReady || news.count >= GetRun.maximumNews)
      return isFeederWaiting
    }

    /// Whether a feeder that waits is to go on.
    mutating func wakesFeeder() -> Bool {
      guard isFeederWaiting, ready.count <= GetRun.maximumReady / 2,
        news.count < GetRun.maximumNews
      else { return false }
      isFeederWaiting = false
      return true
    }

    /// A file begins, or is left out.
    mutating func begin(_ bytes: Int64?) {
      waitingBytes = waitingBytes.flatMap { waiting in bytes.map { max(0, waiting - $0) } }
    }
  }

  /// Files that are read ahead of those that run.
  private static let maximumReady = 32
  /// News that wait to be told while more files begin.
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
    state.withLock { $0.waitingBytes = options.describedBytes }
  }

  /// Fetches everything; returns when all is over.
  ///
  /// With `checksums` each file gets its digest from there, unless its list gives one.
  func run(
    _ jobs: sending JobList, _ checksums: sending ChecksumSource?, _ report: inout some Report
  ) -> ExitStatus {
    startFeeder(jobs, checksums)
    // What is over in no time is not shown as running.
    var (lastShown, lastTold) = (now, 0.0)
    while true {
      let (news, requests, isOver, wakesFeeder) = state.withLock { state in
        let (news, requests) = (state.news, state.screenRequests)
        (state.news, state.screenRequests) = ([], [])
        return (news, requests, state.isOver, state.wakesFeeder())
      }
      if wakesFeeder { room.signal() }
      if news.count >= Self.maximumNews { startReady() }
      for item in news { report.take(item) }
      // All news of what is over came with the same look.
      if isOver { break }
      for request in requests { carryOut(request, &report) }
      if !requests.isEmpty || now - lastShown >= 0.1 {
        lastShown = now
        report.show(standing, now: lastShown)
      }
      _ = bell.wait(timeout: .now() + .milliseconds(100))
      // Small files end by the thousands in a second: they are told a few at a time.
      if now - lastTold < 0.02 { _ = end.wait(timeout: .now() + .milliseconds(5)) }
      lastTold = now
    }
    if !options.isQuiet, let list = options.inputFile,
      state.withLock({ $0.isFedToEnd && $0.count == 0 })
    {
      let name = list == "-" ? "on standard input" : "“\(list)”"
      Output.message("the list \(name) has no URL, so nothing was fetched")
    }
    let isCutShort = state.withLock { $0.isStopping && !($0.isFedToEnd && $0.ready.isEmpty) }
    return report.finish(standing, isCutShort: isCutShort)
  }

  private var now: Double { environment.clock.now.seconds(since: Instant(nanoseconds: 0)) }

  private var standing: RunStanding {
    let (running, count, waitingBytes, isFedToEnd, isStopping) = state.withLock {
      ($0.running, $0.count, $0.waitingBytes, $0.isFedToEnd, $0.isStopping)
    }
    let files = running.sorted { $0.key < $1.key }.map { number, entry in
      RunningFile(
        file: number, url: entry.url, target: entry.target, progress: entry.transfer.progress)
    }
    return RunStanding(
      running: files, known: max(count, options.knownFileCount),
      isListOpen: options.inputFile != nil && !isFedToEnd, waitingBytes: waitingBytes,
      isStopping: isStopping)
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
      Interrupts.end()
    }
  }

  /// Ends every transfer and keeps what is there.
  func stop() {
    let running = state.withLock { state in
      state.isStopping = true
      return state.running.values.map(\.transfer)
    }
    for transfer in running { transfer.stop() }
    for semaphore in [room, bell, end] { semaphore.signal() }
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
      end.signal()
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
        if let failure = job.foreignScheme {
          let event = TransferEvent.ended(.failed(failure))
          tell(FileNews(file: number, url: nil, kind: .event(event)))
          if state.withLock({ $0.makesFeederWait() }) { room.wait() }
          continue
        }
        var request = try job.request(options)
        guard !repeats.isRepeated(job) else {
          state.withLock { $0.begin(request.expectedByteCount) }
          tell(FileNews(file: number, url: request.url.redacted, kind: .repeated))
          if state.withLock({ $0.makesFeederWait() }) { room.wait() }
          continue
        }
        var source: String?
        if request.digest == nil, let checksums {
          guard findDigest(&request, in: checksums, number) else {
            state.withLock { $0.begin(request.expectedByteCount) }
            continue
          }
          source = checksums.location.name
        }
        let ready = Ready(request, number: number, digestSource: source)
        state.withLock { $0.ready.add(ready) }
        startReady()
      } catch {
        state.withLock { $0.count = number }
        tell(FileNews(file: number, url: nil, kind: .refused(error)))
      }
      if state.withLock({ $0.makesFeederWait() }) { room.wait() }
    }
  }

  /// Gives a request its digest; false when it is not to be started.
  private func findDigest(
    _ request: inout TransferRequest, in checksums: ChecksumSource, _ number: Int
  ) -> Bool {
    do {
      let digest = try checksums.digest(for: request, isOnlyFile: options.isOnlyFile) {
        request, store in
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
      state.running[0] = Running(transfer: transfer, url: url)
      return state.isStopping
    }
    transfer.start()
    if isStopping { transfer.stop() }
    return ending.wait()
  }

  private func tell(_ news: FileNews) {
    let isFirst = state.withLock { state in
      state.news.append(news)
      return state.news.count == 1
    }
    if isFirst { bell.signal() }
  }

  /// Starts what waits, as far as it may run; on one thread at a time, so that files that end at
  /// once do not start each other ever deeper.
  private func startReady() {
    let isBusy = state.withLock { state in
      defer { state.isStarting = true }
      return state.isStarting
    }
    guard !isBusy else { return }
    while let transfer = nextToStart() {
      transfer.start()
      if state.withLock({ $0.isStopping }) { transfer.stop() }
    }
  }

  private func nextToStart() -> Transfer? {
    let (next, wakesFeeder) = state.withLock { state in
      guard state.mayStart(options.parallel), let ready = state.ready.next() else {
        state.isStarting = false
        return (nil, false) as (Transfer?, Bool)
      }
      state.begin(ready.request.expectedByteCount)
      let url = ready.request.url.redacted
      let transfer = make(ready, url)
      state.running[ready.number] = Running(
        transfer: transfer, url: url, target: ready.request.destination.namedPath)
      return (transfer, state.wakesFeeder())
    }
    if wakesFeeder { room.signal() }
    return next
  }

  private func make(_ ready: Ready, _ url: String) -> Transfer {
    let request = ready.request
    return Transfer(request, in: environment) { [self] event in
      let event = Self.explained(event, url)
      let isEnd = if case .ended = event { true } else { false }
      let (isFirst, isOver) = state.withLock { state in
        state.news.append(
          FileNews(
            file: ready.number, url: url, kind: .event(event),
            target: request.destination.namedPath, digestSource: ready.digestSource,
            pieces: request.pieces, mirrorCount: request.mirrors.count))
        if isEnd {
          state.running[ready.number] = nil
          state.ready.end(ready.number)
        }
        return (state.news.count == 1, state.isOver)
      }
      if isFirst { bell.signal() }
      if isOver { end.signal() }
      if isEnd { startReady() }
    }
  }

  private static func explained(_ event: TransferEvent, _ url: String) -> TransferEvent {
    guard case .ended(.failed(let failure)) = event else { return event }
    return .ended(.failed(AddressPattern.explain(failure, url)))
  }
}
