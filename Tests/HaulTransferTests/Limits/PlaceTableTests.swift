import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// How many connections to a server may be open, and who waits for one.
@Suite struct PlaceTableTests {
  private let clock = VirtualClock()
  private let one = Origin(scheme: "https", host: "one.test", port: 443)
  private let two = Origin(scheme: "https", host: "two.test", port: 443)

  private func id(_ number: UInt64) -> ConnectionID { ConnectionID(number) }

  private final class Told: Sendable {
    private let state = Mutex<[UInt64]>([])
    var numbers: [UInt64] { state.withLock { $0 } }
    func tell(_ number: UInt64) { state.withLock { $0.append(number) } }
  }

  private func enter(
    _ gate: HostGate, _ number: UInt64, _ origin: Origin, mayShare: Bool = false,
    mayWait: Bool = true, _ told: Told = Told()
  ) -> PlaceTable.Entry {
    gate.enter(id(number), origin, mayShare: mayShare, mayWait: mayWait, clock: clock) {
      told.tell(number)
    }
  }

  @Test func thoseWhoWaitAreServedInOrder() {
    let gate = HostGate(maximumConnections: 2)
    let told = Told()
    #expect(enter(gate, 1, one) == .entered)
    #expect(enter(gate, 2, one) == .entered)
    #expect(enter(gate, 1, one) == .entered)
    #expect(enter(gate, 3, one, told) == .waiting(look: nil))
    #expect(enter(gate, 4, one, told) == .waiting(look: nil))
    #expect(enter(gate, 5, two) == .entered)
    #expect(gate.counts == (taken: 3, waiting: 2))
    gate.leave(id(1), clock: clock)
    #expect(told.numbers == [3])
    #expect(enter(gate, 3, one) == .entered)
    gate.leave(id(9), clock: clock)
    #expect(told.numbers == [3])
    for number in 1...5 as ClosedRange<UInt64> { gate.leave(id(number), clock: clock) }
    #expect(told.numbers == [3, 4])
    #expect(gate.counts == (taken: 0, waiting: 0))
  }

  /// A further connection of a file that has some takes no place from a file that has none.
  @Test func furtherConnectionsNeverWaitNorOvertake() {
    let gate = HostGate(maximumConnections: 2)
    let told = Told()
    #expect(enter(gate, 1, one) == .entered)
    #expect(enter(gate, 2, one, mayWait: false) == .entered)
    #expect(enter(gate, 3, one, mayWait: false) == .full)
    #expect(enter(gate, 4, one, told) == .waiting(look: nil))
    gate.leave(id(2), clock: clock)
    #expect(told.numbers == [4])
    #expect(enter(gate, 5, one, mayWait: false) == .full)
  }

  @Test func whoWaitsForNothingAnyMoreIsPassedOver() {
    let gate = HostGate(maximumConnections: 1)
    let told = Told()
    #expect(enter(gate, 1, one) == .entered)
    for number in 2...4 as ClosedRange<UInt64> { _ = enter(gate, number, one, told) }
    gate.leave(id(2), clock: clock)
    gate.leave(id(1), clock: clock)
    #expect(told.numbers == [3])
  }

  @Test func thereIsALimitForAllServersToo() {
    let gate = HostGate(maximumConnections: 2, maximumInAll: 3)
    let told = Told()
    for number in 1...2 as ClosedRange<UInt64> { #expect(enter(gate, number, one) == .entered) }
    #expect(enter(gate, 3, two) == .entered)
    #expect(enter(gate, 4, one, told) == .waiting(look: nil))
    #expect(enter(gate, 5, two, told) == .waiting(look: nil))
    gate.leave(id(3), clock: clock)
    // The first of them has no room at its server.
    #expect(told.numbers == [5])
  }

  @Test func theNumberMayBeChanged() {
    let gate = HostGate(maximumConnections: 1)
    let told = Told()
    #expect(enter(gate, 1, one) == .entered)
    for number in 2...4 as ClosedRange<UInt64> { _ = enter(gate, number, one, told) }
    gate.set(maximumConnections: 3, clock: clock)
    #expect(told.numbers == [2, 3])
    gate.set(maximumConnections: 0, clock: clock)
    gate.leave(id(1), clock: clock)
    gate.leave(id(2), clock: clock)
    #expect(told.numbers == [2, 3])
    gate.leave(id(3), clock: clock)
    #expect(told.numbers == [2, 3, 4])
  }

  /// Sixty-four files over one HTTP/2 connection are one connection.
  @Test func requestsThatShareAConnectionAreNotCounted() {
    let gate = HostGate(maximumConnections: 1)
    let told = Told()
    #expect(enter(gate, 1, one, mayShare: true) == .entered)
    #expect(enter(gate, 2, one, mayShare: true, told) == .waiting(look: nil))
    gate.noteAnswer(id(1), one, isShared: true, clock: clock)
    #expect(told.numbers == [2])
    for number in 3...20 as ClosedRange<UInt64> {
      #expect(enter(gate, number, one, mayShare: true) == .entered)
    }
    // The parts of one file have connections of their own.
    #expect(enter(gate, 30, one, mayWait: false) == .full)
    for number in 1...19 as ClosedRange<UInt64> { gate.leave(id(number), clock: clock) }
    #expect(enter(gate, 30, one, mayWait: false) == .full)
    gate.leave(id(20), clock: clock)
    #expect(enter(gate, 30, one, mayWait: false) == .entered)
    // It is another connection than the one that they would share.
    #expect(enter(gate, 31, one, mayShare: true, told) == .waiting(look: nil))
  }

  // MARK: What a refusal teaches

  @Test func aRefusalLowersTheNumberForAWhile() {
    let gate = HostGate(maximumConnections: 8)
    let told = Told()
    for number in 1...8 as ClosedRange<UInt64> { _ = enter(gate, number, one) }
    // They come all at once, and count as one.
    for number in 3...8 as ClosedRange<UInt64> { gate.noteRefusal(id(number), one, clock: clock) }
    // A body that says so may still come on each of these connections.
    #expect(gate.counts.taken == 8)
    #expect(enter(gate, 9, one, mayWait: false) == .full)
    for number in 3...8 as ClosedRange<UInt64> { gate.leave(id(number), clock: clock) }
    #expect(gate.counts.taken == 2)
    #expect(enter(gate, 9, one, mayWait: false) == .full)
    #expect(enter(gate, 9, two, mayWait: false) == .entered)
    #expect(
      enter(gate, 10, one, told) == .waiting(look: clock.now.advanced(seconds: 5)))
    clock.advance(seconds: 4.9)
    #expect(told.numbers == [])
    // One more is tried; it is refused as well, and the next pause is longer.
    clock.advance(seconds: 0.2)
    #expect(told.numbers == [10])
    gate.noteRefusal(id(10), one, clock: clock)
    gate.leave(id(10), clock: clock)
    #expect(enter(gate, 11, one, told) != .entered)
    clock.advance(seconds: 9.8)
    #expect(told.numbers == [10])
    clock.advance(seconds: 0.2)
    #expect(told.numbers == [10, 11])
    // That one stays, and so does the lesson for whoever comes next.
    #expect(enter(gate, 12, one, mayWait: false) == .full)
    clock.advance(seconds: 10)
    #expect(enter(gate, 12, one, mayWait: false) == .entered)
    clock.advance(seconds: 100)
    #expect((13...16).allSatisfy { enter(gate, $0, one, mayWait: false) == .entered })
    #expect(enter(gate, 17, one, mayWait: false) == .full)
  }

  @Test func aRefusalOfTheOnlyOneTeachesNothing() {
    let gate = HostGate(maximumConnections: 8)
    #expect(enter(gate, 1, one) == .entered)
    gate.noteRefusal(id(1), one, clock: clock)
    gate.leave(id(1), clock: clock)
    #expect(gate.counts.taken == 0)
    #expect((2...9).allSatisfy { enter(gate, $0, one) == .entered })
  }

  @Test func aCapRisesByOneAndItsPauseEndsAtMinutes() {
    let start = Instant(nanoseconds: 0)
    func after(_ seconds: Double) -> Instant { start.advanced(seconds: seconds) }
    var cap = LearnedCap(others: 3, at: start)
    #expect(
      [0, 4.9, 5, 9.9, 10, 1e12].map { cap.cap(at: after($0)) } == [3, 3, 4, 4, 5, 1_000_003])
    #expect(cap.nextRise(after: after(7)) == after(10))
    var moment = 0.0
    for pause in [10, 20, 40, 80, 160, 320, 320, 320] as [Double] {
      moment += 1000
      cap.note(others: 3, at: after(moment))
      #expect(cap.cap(at: after(moment + pause - 0.1)) == 3)
      #expect(cap.cap(at: after(moment + pause)) == 4)
    }
    cap.note(others: 0, at: after(moment + 1))
    #expect(cap.cap(at: after(moment + 1)) == 1)
  }
}
