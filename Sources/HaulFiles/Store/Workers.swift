import Dispatch
import HaulSystem
import HaulTransfer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that run the jobs of all parts.
///
/// Quick jobs run a few at a time, since more threads than processors only take turns. Slow ones,
/// which wait for a device, run all at once, so that the device can serve them together. When the
/// quick jobs that run hang, as on a disk that is gone, others go ahead after a moment.
///
/// A job that a job submits runs on the same thread right after it, so that the next step of a file
/// wakes nobody.
final class Workers: Sendable {
  struct Job: Sendable {
    var isSlow: Bool
    var run: @Sendable () -> Void
  }

  fileprivate struct State {
    var quick = Fifo<Job>()
    var slow = Fifo<Job>()
    /// Permits that are given out; whoever runs a quick job has one.
    var permits = 0
    /// Permits for threads that were woken and do not run yet.
    var offered = 0
    /// Permits beyond the usual ones, because those who have them hang.
    var extra = 0
    /// Quick jobs that have ended.
    var ended: UInt64 = 0
    var isWatched = false
    var threads = 0
    /// Threads that wait, but for those that were woken.
    var idle = 0
  }

  fileprivate enum Wake { case none, signal, spawn }

  /// Seconds without the end of a job after which another one may run.
  private static let patience = 0.05
  static let maximumThreads = 128

  private let width: Int
  private let clock: any Clock
  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  private let idleTime: DispatchTimeInterval

  /// Makes workers that run so many quick jobs at once; a thread ends when it had no job for
  /// `idleTime`.
  init(
    width: Int = Workers.usualWidth, clock: any Clock,
    idleTime: DispatchTimeInterval = .seconds(10)
  ) {
    self.width = width
    self.clock = clock
    self.idleTime = idleTime
  }

  /// How many threads there are, those that end at this moment not counted.
  var threadCount: Int { state.withLock { $0.threads } }

  /// As many as there are processors, and at least two.
  static var usualWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs a job soon, never inside this call.
  func submit(_ job: Job) {
    if let seat = Seat.current, seat.workers === self, seat.next == nil {
      seat.next = job
    } else {
      enqueue(job)
    }
  }

  /// Runs a job after those that wait.
  func enqueue(_ job: Job) {
    let (wake, watched) = state.withLock { state in
      if job.isSlow {
        state.slow.append(job)
        return (state.wake(), nil) as (Wake, UInt64?)
      }
      state.quick.append(job)
      if let wake = offer(&state) { return (wake, nil) }
      guard !state.isWatched else { return (.none, nil) }
      state.isWatched = true
      return (.none, state.ended)
    }
    carryOut(wake)
    if let watched { watch(watched) }
  }

  /// Offers a permit to a thread, if there is one left.
  private func offer(_ state: inout State) -> Wake? {
    guard state.permits < width + state.extra else { return nil }
    state.permits += 1
    state.offered += 1
    return state.wake()
  }

  private func carryOut(_ wake: Wake) {
    switch wake {
    case .none: break
    case .signal: bell.signal()
    case .spawn:
      // Where there are no more threads, one of the pool has to do.
      if !SystemThread.start({ self.work() }) { DispatchQueue.global().async { self.work() } }
    }
  }

  /// Looks after a while whether any job has ended.
  private func watch(_ ended: UInt64) {
    clock.schedule(at: clock.now.advanced(seconds: Self.patience)) { [self] in
      let (wake, seen) = state.withLock { state in
        guard !state.quick.isEmpty else {
          state.isWatched = false
          state.extra = 0
          return (.none, nil) as (Wake, UInt64?)
        }
        if state.ended == ended { state.extra += 1 }
        return (offer(&state) ?? .none, state.ended)
      }
      carryOut(wake)
      if let seen { watch(seen) }
    }
  }

  /// The life of a thread.
  private func work() {
    let seat = Seat(self)
    Seat.current = seat
    defer { Seat.current = nil }
    var hasPermit = false
    while true {
      if let job = takeNext(seat, &hasPermit) ?? takeWaiting(&hasPermit) {
        job.run()
      } else if bell.wait(timeout: .now() + idleTime) == .timedOut {
        if mayEnd() { return }
        // The bell that rang just too late is this thread's. Left for later it would wake a thread
        // that counts as idle once more, and another job would be lost on one that is not there.
        bell.wait()
      }
    }
  }

  /// The job that the last one submitted.
  private func takeNext(_ seat: Seat, _ hasPermit: inout Bool) -> Job? {
    guard let job = seat.next else { return nil }
    seat.next = nil
    if job.isSlow {
      if hasPermit { giveUpPermit(&hasPermit) }
      return job
    }
    guard !hasPermit else { return job }
    hasPermit = state.withLock { state in
      guard state.permits < width + state.extra else { return false }
      state.permits += 1
      return true
    }
    if hasPermit { return job }
    enqueue(job)
    return nil
  }

  private func giveUpPermit(_ hasPermit: inout Bool) {
    hasPermit = false
    let wake = state.withLock { state in
      state.permits -= 1
      state.ended += 1
      return state.quick.isEmpty ? .none : offer(&state) ?? .none
    }
    carryOut(wake)
  }

  /// A job that waits; without one the thread counts as idle.
  private func takeWaiting(_ hasPermit: inout Bool) -> Job? {
    let held = hasPermit
    let (job, keeps, wake) = state.withLock { state in
      var held = held
      if held {
        state.ended += 1
      } else if state.offered > 0 {
        state.offered -= 1
        held = true
      } else if !state.quick.isEmpty, state.permits < width + state.extra {
        state.permits += 1
        held = true
      }
      if held, let job = state.quick.popFirst() { return (job, true, .none) as (Job?, Bool, Wake) }
      if held { state.permits -= 1 }
      if let job = state.slow.popFirst() { return (job, false, .none) }
      state.idle += 1
      return (nil, false, .none)
    }
    hasPermit = keeps
    carryOut(wake)
    return job
  }

  private func mayEnd() -> Bool {
    state.withLock { state in
      // One that was woken at this moment does not count as idle any more.
      guard state.idle > 0 else { return false }
      state.idle -= 1
      state.threads -= 1
      return true
    }
  }
}

extension Workers.State {
  /// How to get a thread for what was queued.
  fileprivate mutating func wake() -> Workers.Wake {
    if idle > 0 {
      idle -= 1
      return .signal
    }
    guard threads < Workers.maximumThreads else { return .none }
    threads += 1
    return .spawn
  }
}

/// What a thread of the workers knows of itself.
private final class Seat {
  let workers: Workers
  /// What the job that runs has submitted.
  var next: Workers.Job?

  init(_ workers: Workers) {
    self.workers = workers
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // The key is written by the call alone; the process has keys to spare.
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the system gives no more keys")
    return key
  }()

  /// The seat of the calling thread; whoever sets it keeps it alive until it sets nil.
  static var current: Seat? {
    get {
      let pointer = unsafe pthread_getspecific(key)
      // It was set below to an object that its thread keeps alive.
      return unsafe pointer.map { unsafe Unmanaged<Seat>.fromOpaque($0).takeUnretainedValue() }
    }
    set {
      let pointer = unsafe newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
      unsafe pthread_setspecific(key, pointer)
    }
  }
}
