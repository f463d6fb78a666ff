import Dispatch
import HaulTestKit
import Synchronization
import Testing

@testable import HaulFiles

/// What every kind of lanes promises.
@Suite struct LanesTests {
  static func makeLanes(_ isShared: Bool) -> any Lanes {
    isShared ? WorkerLanes(Workers(width: 3, clock: VirtualClock())) : DispatchLanes()
  }

  @Test(arguments: [true, false])
  func jobsOfOneLaneComeInTheirOrderOneAtATime(_ isShared: Bool) {
    let lanes = Self.makeLanes(isShared)
    let heard = Mutex<[Lane: [Int]]>([:])
    let running = Mutex<[Lane: Int]>([:])
    let overlaps = Atomic(0)
    let group = DispatchGroup()
    DispatchQueue.concurrentPerform(iterations: Lane.allCases.count) { index in
      let lane = Lane.allCases[index]
      for number in 0..<500 {
        group.enter()
        lanes.run(lane) {
          running.withLock { running in
            running[lane, default: 0] += 1
            if running[lane] != 1 { overlaps.add(1, ordering: .relaxed) }
          }
          heard.withLock { $0[lane, default: []].append(number) }
          running.withLock { $0[lane, default: 0] -= 1 }
          group.leave()
        }
      }
    }
    #expect(group.wait(timeout: .now() + 20) == .success)
    for lane in Lane.allCases { #expect(heard.withLock { $0[lane] } == Array(0..<500)) }
    let overlapCount = overlaps.load(ordering: .relaxed)
    #expect(overlapCount == 0)
  }

  @Test(arguments: [true, false])
  func lanesRunAtTheSameTime(_ isShared: Bool) {
    let lanes = Self.makeLanes(isShared)
    let all = Barrier(count: Lane.allCases.count)
    let group = DispatchGroup()
    for lane in Lane.allCases {
      group.enter()
      lanes.run(lane) {
        all.meet()
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 20) == .success)
  }

  @Test(arguments: [true, false])
  func aJobThatAJobAddsRunsAfterIt(_ isShared: Bool) {
    let lanes = Self.makeLanes(isShared)
    let heard = Mutex<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    lanes.run(.writer) {
      lanes.run(.writer) { heard.withLock { $0.append(1) } }
      lanes.run(.hash) { lanes.run(.checkpoint) { lanes.run(.writer) { done.signal() } } }
      heard.withLock { $0.append(0) }
    }
    #expect(done.wait(timeout: .now() + 20) == .success)
    #expect(heard.withLock { $0 } == [0, 1])
  }

  /// One part with thousands of writes must not keep another from its first.
  @Test func aLongQueueLetsOthersTakeTheirTurn() {
    let workers = Workers(width: 1, clock: VirtualClock())
    let (one, other) = (WorkerLanes(workers), WorkerLanes(workers))
    let gate = DispatchSemaphore(value: 0)
    let heard = Mutex<[String]>([])
    let group = DispatchGroup()
    one.run(.writer) { gate.wait() }
    for lanes in [one, other] {
      for number in 0..<(lanes === one ? 100 : 1) {
        group.enter()
        lanes.run(.writer) {
          heard.withLock { $0.append(lanes === one ? "\(number)" : "other") }
          group.leave()
        }
      }
    }
    gate.signal()
    #expect(group.wait(timeout: .now() + 20) == .success)
    // The job that waited was the first of eight.
    #expect(heard.withLock { $0.firstIndex(of: "other") } == 7)
    #expect(heard.withLock { $0.filter { $0 != "other" } } == (0..<100).map { "\($0)" })
  }
}

@Suite struct FifoTests {
  @Test func whatGoesInComesOutInItsOrder() {
    for seed in 0..<40 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      var queue = Fifo<Int>()
      var model: [Int] = []
      for number in 0..<2000 {
        // Grows for a while, then shrinks, so that its front is cut off with some behind it.
        let isGrowing = number / 300 % 2 == 0
        if random.next() % 10 < (isGrowing ? 7 : 3) {
          queue.append(number)
          model.append(number)
        } else {
          let expected = model.isEmpty ? nil : model.removeFirst()
          #expect(queue.popFirst() == expected, "seed \(seed)")
        }
        #expect(queue.isEmpty == model.isEmpty)
      }
      while let item = queue.popFirst() { #expect(item == model.removeFirst()) }
      #expect(model.isEmpty)
    }
  }

  @Test func whatWasTakenIsLetGo() {
    final class Thing {}
    var queue = Fifo<Thing>()
    weak var first: Thing?
    do {
      let thing = Thing()
      first = thing
      queue.append(thing)
      queue.append(Thing())
    }
    #expect(first != nil)
    _ = queue.popFirst()
    #expect(first == nil && !queue.isEmpty)
  }
}
