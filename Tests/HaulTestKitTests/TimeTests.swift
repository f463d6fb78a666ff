import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@Suite struct TimeTests {
  final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test func `jobs run in the order of time, then of scheduling`() {
    let clock = VirtualClock()
    let journal = Journal()
    let start = clock.now
    for (delay, name) in [(2.0, "c"), (1.0, "a"), (1.0, "b"), (9.0, "z"), (-1.0, "past")] {
      clock.schedule(at: start.advanced(seconds: delay)) {
        journal.add("\(name)\(clock.now.seconds(since: start))")
      }
    }
    clock.schedule(at: start.advanced(seconds: 1)) {
      clock.schedule(at: clock.now.advanced(seconds: 0.5)) { journal.add("inner") }
    }
    #expect(journal.all.isEmpty)
    clock.advance(seconds: 0)
    #expect(journal.all == ["past0.0"])
    clock.advance(seconds: 3)
    #expect(journal.all == ["past0.0", "a1.0", "b1.0", "inner", "c2.0"])
    #expect(clock.now.seconds(since: start) == 3)
    #expect(clock.pendingJobs == 1)
    #expect(clock.advanceToNextJob())
    #expect(!clock.advanceToNextJob())
    #expect(clock.now.seconds(since: start) == 9)
  }

  @Test func `the wall clock advances and jumps`() {
    let clock = VirtualClock(unixTime: 1_000)
    clock.advance(seconds: 5)
    #expect(clock.unixTime == 1_005)
    clock.unixTime = 77
    clock.advance(seconds: 1.5)
    #expect(clock.unixTime == 78)
  }

  @Test func `a seed gives the published numbers`() {
    let random = SeededRandom(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect((0..<100).allSatisfy { _ in (0..<1).contains(random.unit()) })
  }
}
