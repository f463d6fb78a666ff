import Dispatch
import Glibc
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// The threads that all parts share. The clock stands still, so that no hanging job is noticed but
/// where a test says so.
@Suite struct WorkersTests {
  private let clock = VirtualClock()

  /// Jobs that are wanted, done, and how many of them ran at once.
  private final class Tally: Sendable {
    private struct State {
      var counts: [Int: Int] = [:]
      var running = 0
      var most = 0
    }
    private let state = Mutex(State())
    private let group = DispatchGroup()

    func job(_ number: Int, isSlow: Bool = false, _ body: @escaping @Sendable () -> Void = {})
      -> Workers.Job
    {
      group.enter()
      return Workers.Job(isSlow: isSlow) { [self] in
        state.withLock { state in
          state.counts[number, default: 0] += 1
          state.running += 1
          state.most = max(state.most, state.running)
        }
        body()
        state.withLock { $0.running -= 1 }
        group.leave()
      }
    }

    /// Whether all that was wanted is done; the time limit is for a job that was lost.
    func isDone() -> Bool { group.wait(timeout: .now() + 20) == .success }
    var counts: [Int: Int] { state.withLock { $0.counts } }
    var most: Int { state.withLock { $0.most } }
  }

  @Test(arguments: [1, 2, 5])
  func quickJobsRunAsManyAtOnceAsTheWidth(_ width: Int) {
    let workers = Workers(width: width, clock: clock)
    let tally = Tally()
    for number in 0..<400 {
      workers.enqueue(tally.job(number) { for _ in 0..<(number % 7) { sched_yield() } })
    }
    #expect(tally.isDone())
    #expect(tally.most <= width)
    #expect(tally.counts == Dictionary(uniqueKeysWithValues: (0..<400).map { ($0, 1) }))
  }

  @Test func slowJobsRunAllAtOnceAndQuickOnesBesideThem() {
    let workers = Workers(width: 2, clock: clock)
    let tally = Tally()
    let all = Barrier(count: 40)
    for number in 0..<40 { workers.enqueue(tally.job(number, isSlow: true) { all.meet() }) }
    #expect(tally.isDone())
    let gate = DispatchSemaphore(value: 0)
    for number in 40..<60 {
      workers.enqueue(tally.job(number, isSlow: true) { gate.wait() })
    }
    let quick = DispatchSemaphore(value: 0)
    for number in 60..<80 { workers.enqueue(tally.job(number) { quick.signal() }) }
    for _ in 60..<80 { #expect(quick.wait(timeout: .now() + 20) == .success) }
    for _ in 40..<60 { gate.signal() }
    #expect(tally.isDone())
  }

  @Test func moreSlowJobsThanThreadsAreDoneInTurn() {
    let workers = Workers(width: 2, clock: clock)
    let tally = Tally()
    for number in 0..<2000 { workers.enqueue(tally.job(number, isSlow: number % 5 != 0)) }
    #expect(tally.isDone())
    #expect(tally.counts.count == 2000 && tally.counts.values.allSatisfy { $0 == 1 })
    #expect(workers.threadCount <= 128)
  }

  @Test func whenQuickJobsHangOthersGoAheadAfterAMoment() {
    let workers = Workers(width: 2, clock: clock)
    let tally = Tally()
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let passed = DispatchSemaphore(value: 0)
    for number in 0..<3 {
      workers.enqueue(
        tally.job(number) {
          started.signal()
          gate.wait()
        })
    }
    workers.enqueue(tally.job(3) { passed.signal() })
    for _ in 0..<2 { started.wait() }
    #expect(tally.counts.count == 2)
    // The third one hangs as well, and the fourth goes ahead after the next look.
    clock.advance(seconds: 0.06)
    started.wait()
    clock.advance(seconds: 0.06)
    #expect(passed.wait(timeout: .now() + 20) == .success)
    for _ in 0..<3 { gate.signal() }
    #expect(tally.isDone())
    clock.advance(seconds: 1)
    #expect(clock.pendingJobs == 0)
    // They did not hang for ever: the width is what it was.
    let after = Tally()
    for number in 0..<200 { workers.enqueue(after.job(number) { sched_yield() }) }
    #expect(after.isDone())
    #expect(after.most <= 2)
  }

  @Test func whatAJobSubmitsRunsAfterItOnItsThread() {
    let workers = Workers(width: 2, clock: clock)
    let tally = Tally()
    let isInside = Mutex(false)
    let wasInside = Atomic(false)
    let threads = Mutex<[UInt]>([])
    @Sendable func noteThread() { threads.withLock { $0.append(UInt(pthread_self())) } }
    workers.enqueue(
      tally.job(0) {
        isInside.withLock { $0 = true }
        noteThread()
        workers.submit(
          tally.job(1) {
            if isInside.withLock({ $0 }) { wasInside.store(true, ordering: .relaxed) }
            noteThread()
          })
        isInside.withLock { $0 = false }
      })
    #expect(tally.isDone())
    let ranInside = wasInside.load(ordering: .relaxed)
    #expect(!ranInside)
    #expect(threads.withLock { $0.count == 2 && $0[0] == $0[1] })
  }

  /// Jobs of all kinds from many threads, with threads that end all the time.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func aStormLosesNoJobAndRunsNoneTwice(_ seed: UInt64) {
    let idle = DispatchTimeInterval.microseconds(seed % 2 == 0 ? 0 : 200)
    let workers = Workers(width: 1 + Int(seed % 3), clock: clock, idleTime: idle)
    let tally = Tally()
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      let random = SeededRandom(seed: seed &* 100 &+ UInt64(thread))
      for number in 0..<250 {
        let id = (thread * 250 + number) * 10
        let isSlow = random.next() % 3 == 0
        let more = Int(random.next() % 3)
        let isNextSlow = random.next() % 2 == 0
        let job = tally.job(id, isSlow: isSlow) {
          for next in 0..<more { workers.submit(tally.job(id + 1 + next, isSlow: isNextSlow)) }
        }
        if random.next() % 2 == 0 { workers.submit(job) } else { workers.enqueue(job) }
        for _ in 0..<random.next() % 60 { sched_yield() }
      }
    }
    #expect(tally.isDone(), "a job was lost: seed \(seed)")
    #expect(tally.counts.values.allSatisfy { $0 == 1 }, "seed \(seed)")
  }

  /// A thread whose wait ran out while a bell was rung for it left the bell behind, and counted as
  /// idle twice when that woke it. Of two slow jobs one was then left to a thread that was not there,
  /// and a sync that others waited for never came.
  @Test func aThreadThatIsWokenWhileItEndsCountsOnce() {
    let workers = Workers(width: 2, clock: clock, idleTime: .microseconds(20))
    let random = SeededRandom(seed: 1)
    for round in 0..<4000 {
      let tally = Tally()
      let both = Barrier(count: 2)
      // Each waits for the other, so that both need a thread.
      workers.enqueue(tally.job(0, isSlow: true) { both.meet() })
      workers.enqueue(tally.job(1, isSlow: true) { both.meet() })
      guard tally.isDone() else {
        Issue.record("hangs in round \(round)")
        return
      }
      for _ in 0..<random.next() % 30 { sched_yield() }
    }
  }

  @Test func threadsEndWhenTheyHaveNothingToDo() {
    let workers = Workers(width: 2, clock: clock, idleTime: .milliseconds(1))
    for _ in 0..<3 {
      let tally = Tally()
      let all = Barrier(count: 10)
      for number in 0..<10 { workers.enqueue(tally.job(number, isSlow: true) { all.meet() }) }
      #expect(tally.isDone())
      while workers.threadCount > 0 { sched_yield() }
    }
  }
}

/// Where so many meet before any of them goes on.
final class Barrier: Sendable {
  private let missing: Mutex<Int>
  private let count: Int
  private let gate = DispatchSemaphore(value: 0)

  init(count: Int) {
    self.count = count
    missing = Mutex(count)
  }

  func meet() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { for _ in 0..<count { gate.signal() } }
    gate.wait()
  }
}
