import HaulTransfer
import Testing

@testable import HaulCurl

/// What counts as too slow: the server's time alone.
@Suite struct StallWatchTests {
  private let start = Instant(nanoseconds: 0)

  private func after(_ seconds: Double) -> Instant { start.advanced(seconds: seconds) }

  private func watch(_ limit: Int64, window: Double = 20) -> StallWatch {
    var options = ConnectionOptions()
    options.lowSpeed = limit
    options.lowSpeedWindow = window
    return StallWatch(options, at: start)
  }

  /// Notes each half second what came in it; the second in which it counted as stalled.
  private func stall(
    _ watch: StallWatch, within seconds: Int, _ step: (inout StallWatch, Int) -> Double
  ) -> Double? {
    var watch = watch
    for half in 1...2 * seconds {
      let uncounted = step(&watch, half)
      if watch.note(uncounted: uncounted, at: after(Double(half) / 2)) { return Double(half) / 2 }
    }
    return nil
  }

  private func bring(_ bytes: Int) -> (inout StallWatch, Int) -> Double {
    { watch, _ in
      watch.take(bytes)
      return 0
    }
  }

  @Test func aWholeWindowBelowTheLimitIsAStall() {
    #expect(stall(watch(100), within: 60, bring(0)) == 20)
    #expect(stall(watch(100), within: 60, bring(49)) == 20)
    #expect(stall(watch(100), within: 600, bring(50)) == nil)
    #expect(stall(watch(100, window: 0.2), within: 60, bring(1)) == 1)
    #expect(stall(watch(.max, window: 1), within: 60, bring(1 << 30)) == 1)
  }

  @Test func aFastMomentBeginsItAnew() {
    let seconds = stall(watch(100), within: 100) { watch, half in
      if half == 39 { watch.take(1000) }
      return 0
    }
    #expect(seconds == 39.5)
  }

  @Test func withoutALimitNothingIsAStall() {
    #expect(stall(watch(0), within: 1000, bring(0)) == nil)
    #expect(stall(watch(-5), within: 1000, bring(0)) == nil)
  }

  /// A connection that a limit holds back for nine tenths of the time has brought enough in the rest.
  @Test func timeInWhichItWasHeldBackDoesNotCount() {
    let heldBack: (inout StallWatch, Int) -> Double = { watch, half in
      watch.take(10)
      watch.pause(at: after(Double(half) / 2 - 0.45))
      watch.resume(at: after(Double(half) / 2))
      return watch.waited(at: after(Double(half) / 2))
    }
    #expect(stall(watch(150), within: 1000, heldBack) == nil)
    // A server that is slower than that even so does stall, after as much time of its own.
    #expect(stall(watch(300), within: 1000, heldBack).map { abs($0 - 200) < 6 } == true)
  }

  @Test func aPauseThatLastsIsNoStall() {
    var watch = watch(100)
    watch.take(1000)
    watch.pause(at: start)
    for second in 1...1000 {
      let now = after(Double(second))
      #expect(watch.waited(at: now) == 1)
      let isStalled = watch.note(uncounted: watch.waited(at: now), at: now)
      #expect(!isStalled)
    }
    watch.resume(at: after(1000))
    var since = 1000.0
    while !watch.note(uncounted: 0, at: after(since)), since < 2000 { since += 0.5 }
    #expect(since == 1020.5 || since == 1020, "\(since)")
  }
}
