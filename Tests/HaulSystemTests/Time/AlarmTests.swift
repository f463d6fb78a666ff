import Dispatch
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulSystem

/// The order of alarms, as a value.
@Suite struct AlarmHeapTests {
  /// Takes what is due, and says which numbers came.
  private func take(_ heap: inout AlarmHeap, at now: Int64, _ heard: Heard) -> [Int] {
    while let job = heap.popDue(Instant(nanoseconds: now)) { job() }
    return heard.take()
  }

  @Test func anEmptyHeapHasNothingDue() {
    var heap = AlarmHeap()
    #expect(heap.first == nil)
    #expect(heap.popDue(Instant(nanoseconds: .max)) == nil)
  }

  @Test func whatIsDueNowComesAndWhatIsLaterStays() {
    let heard = Heard()
    var heap = AlarmHeap()
    for time in [30, 10, 20] { heap.insert(Instant(nanoseconds: Int64(time))) { heard.note(time) } }
    #expect(take(&heap, at: 9, heard) == [])
    #expect(take(&heap, at: 20, heard) == [10, 20])
    #expect(heap.first == Instant(nanoseconds: 30))
    #expect(take(&heap, at: 30, heard) == [30])
    #expect(heap.first == nil)
  }

  @Test func theEndsOfTheClockAreTimesLikeOthers() {
    let heard = Heard()
    var heap = AlarmHeap()
    for (number, time) in [Int64.max, .min, 0].enumerated() {
      heap.insert(Instant(nanoseconds: time)) { heard.note(number) }
    }
    #expect(take(&heap, at: .min, heard) == [1])
    #expect(take(&heap, at: .max - 1, heard) == [2])
    #expect(take(&heap, at: .max, heard) == [0])
  }

  /// Against a sorted array, with many equal times, and alarms set between the others.
  @Test func aStormComesInTheOrderOfTime() {
    for seed in 0..<60 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      let heard = Heard()
      var heap = AlarmHeap()
      var model: [(time: Int64, number: Int)] = []
      var now: Int64 = 0
      for number in 0..<400 {
        let time = now + Int64(random.next() % (seed % 2 == 0 ? 8 : 10_000)) - 2
        heap.insert(Instant(nanoseconds: time)) { heard.note(number) }
        model.append((time, number))
        #expect(heap.first?.nanoseconds == model.map(\.time).min())
        guard random.next() % 4 == 0 else { continue }
        now += Int64(random.next() % 50)
        let due = model.filter { $0.time <= now }
        model.removeAll { $0.time <= now }
        let times = Dictionary(uniqueKeysWithValues: due.map { ($0.number, $0.time) })
        let came = take(&heap, at: now, heard)
        #expect(came.compactMap { times[$0] } == due.map(\.time).sorted(), "seed \(seed)")
        #expect(Set(came) == Set(times.keys) && came.count == due.count, "seed \(seed)")
      }
    }
  }
}

/// The clock that rings, in real time: what is measured is the order, and that nothing is lost.
@Suite struct AlarmClockTests {
  private let start = SystemClock().now

  private func after(_ milliseconds: Double) -> Instant {
    start.advanced(seconds: milliseconds / 1000)
  }

  @Test func alarmsRingInTheOrderOfTimeAndNeverEarly() {
    let clock = AlarmClock()
    let heard = Heard()
    let early = Atomic(0)
    let areSet = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    // Holds the others up until all are set, however long that takes.
    clock.set(after(-1)) { areSet.wait() }
    // The latest is set first, so that each one after it is an earlier one that was set later.
    for number in (0..<20).reversed() {
      let time = after(Double(number))
      clock.set(time) {
        if SystemClock().now < time { early.add(1, ordering: .relaxed) }
        heard.note(number)
        done.signal()
      }
    }
    areSet.signal()
    for _ in 0..<20 { done.wait() }
    #expect(heard.take() == Array(0..<20))
    let earlyCount = early.load(ordering: .relaxed)
    #expect(earlyCount == 0)
  }

  @Test func oneThatIsForTheEndOfTimeHoldsNobodyUp() {
    let clock = AlarmClock()
    let heard = Heard()
    let done = DispatchSemaphore(value: 0)
    clock.set(Instant(nanoseconds: .max)) { heard.note(-1) }
    clock.set(after(1)) { done.signal() }
    done.wait()
    // Past times ring at once, also the earliest that there is.
    clock.set(Instant(nanoseconds: .min)) { done.signal() }
    done.wait()
    #expect(heard.take() == [])
  }

  @Test func anAlarmSetsTheNext() {
    let clock = AlarmClock()
    let heard = Heard()
    let done = DispatchSemaphore(value: 0)
    @Sendable func ring(_ number: Int) {
      heard.note(number)
      guard number < 200 else {
        done.signal()
        return
      }
      // Some are due at once, some in a moment, and one beside them that comes in vain.
      clock.set(SystemClock().now.advanced(seconds: number % 3 == 0 ? 0.0002 : -1)) {
        ring(number + 1)
      }
      clock.set(SystemClock().now.advanced(seconds: 3600)) { heard.note(-1) }
    }
    clock.set(after(0)) { ring(0) }
    done.wait()
    #expect(heard.take() == Array(0...200))
  }

  @Test func aStormFromManyThreadsLosesNoneAndRingsNoneTwice() {
    let clock = AlarmClock()
    let heard = Heard()
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let random = SeededRandom(seed: UInt64(thread))
      for number in 0..<500 {
        let delay = Double(random.next() % 40) / 1000
        clock.set(start.advanced(seconds: delay)) {
          heard.note(thread * 500 + number)
          done.signal()
        }
      }
    }
    for _ in 0..<4000 { done.wait() }
    #expect(heard.take().sorted() == Array(0..<4000))
  }
}

/// Numbers in the order in which they came.
final class Heard: Sendable {
  private let numbers = Mutex<[Int]>([])
  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
  func take() -> [Int] {
    numbers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
  }
}
