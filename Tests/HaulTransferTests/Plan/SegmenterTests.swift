import Testing

@testable import HaulTransfer

/// How many connections a file gets, and which bytes each of them asks for.
@Suite struct SegmenterTests {
  let start = Instant(nanoseconds: 0)

  func after(_ seconds: Double) -> Instant { start.advanced(seconds: seconds) }

  func fixed(_ count: Int, least: Int64 = 1 << 20) -> Segmenter {
    var policy = SegmentPolicy(maximumConnections: count, isAdaptive: false)
    policy.minimumByteCount = least
    return Segmenter(policy)
  }

  func holder(_ id: UInt64, _ position: Int64, _ end: Int64) -> Segmenter.Holder {
    Segmenter.Holder(id: ConnectionID(id), position: position, end: end)
  }

  @Test func whatNobodyHasComesFirst() {
    let segmenter = fixed(4)
    let share = segmenter.share(gap: 5..<6, holders: [holder(1, 10, 1 << 30)], at: start)
    #expect(share == Segmenter.Share(range: 5..<6, holder: nil))
  }

  @Test func withoutAnyKnowledgeABodyIsTakenOver() {
    let segmenter = fixed(4)
    let share = segmenter.share(gap: nil, holders: [holder(1, 0, 8 << 20)], at: start)
    #expect(share == Segmenter.Share(range: 0..<8 << 20, holder: ConnectionID(1)))
  }

  /// Two that are equally fast share what is left; to one that is nine times slower a tenth is left.
  @Test(arguments: [(100, 100, 50), (10, 90, 90), (300, 100, 50)])
  func bothEndTogether(_ own: Int64, _ other: Int64, _ percent: Int64) throws {
    var segmenter = fixed(4)
    let (slow, fast) = (ConnectionID(1), ConnectionID(2))
    segmenter.begin(slow, at: start)
    segmenter.begin(fast, at: start)
    for second in 1...20 {
      segmenter.note(slow, own << 20, at: after(Double(second)))
      segmenter.note(fast, other << 20, at: after(Double(second)))
    }
    let left: Int64 = 10_000 << 20
    let share = try #require(
      segmenter.share(gap: nil, holders: [holder(1, 0, left), holder(2, 0, 1)], at: after(20)))
    let size = share.range.upperBound - share.range.lowerBound
    #expect(share.holder == slow)
    #expect(share.range.upperBound == left)
    #expect(abs(size - left * percent / 100) <= left / 50, "\(size)")
  }

  @Test func whoTakesLongestGivesNotWhoHasMost() throws {
    var segmenter = fixed(4)
    for id in [1, 2] as [UInt64] { segmenter.begin(ConnectionID(id), at: start) }
    segmenter.note(ConnectionID(1), 100 << 20, at: after(1))
    segmenter.note(ConnectionID(2), 1 << 20, at: after(1))
    let holders = [holder(1, 0, 100 << 20), holder(2, 0, 50 << 20)]
    #expect(segmenter.share(gap: nil, holders: holders, at: after(1))?.holder == ConnectionID(2))
  }

  /// A connection that stands still loses everything, also when it is less than is usually worth it.
  @Test func oneThatStandsStillIsTakenOver() throws {
    var segmenter = fixed(4)
    for id in [1, 2] as [UInt64] {
      segmenter.begin(ConnectionID(id), at: start)
      segmenter.note(ConnectionID(id), 4 << 20, at: after(1))
    }
    let holders = [holder(1, 0, 200_000)]
    #expect(segmenter.share(gap: nil, holders: holders, at: after(1)) == nil)
    for second in 2...30 { segmenter.note(ConnectionID(2), 4 << 20, at: after(Double(second))) }
    let share = try #require(segmenter.share(gap: nil, holders: holders, at: after(30)))
    #expect(share.holder == ConnectionID(1))
    #expect(share.range.lowerBound < 20_000)
  }

  @Test func littleIsNotWorthAConnection() {
    var segmenter = fixed(4)
    segmenter.begin(ConnectionID(1), at: start)
    segmenter.note(ConnectionID(1), 4 << 20, at: after(1))
    #expect(segmenter.share(gap: nil, holders: [holder(1, 0, 1 << 20)], at: after(1)) == nil)
    #expect(segmenter.share(gap: nil, holders: [], at: after(1)) == nil)
  }

  // MARK: How many

  /// Lets a transfer run in steps of a tenth of a second; `speed` is that of so many connections.
  func run(
    _ segmenter: inout Segmenter, for seconds: Double, from begin: Double = 0,
    size: Int64 = 1 << 40, _ speed: (Int) -> Double
  ) -> [Int] {
    var numbers: [Int] = []
    var left = size
    for step in 0..<Int(seconds * 10) {
      let now = after(begin + Double(step) / 10)
      segmenter.adapt(running: segmenter.wanted, left: left, at: now)
      let count = Int64(speed(segmenter.wanted) / 10)
      segmenter.note(ConnectionID(1), count, at: now)
      left = max(0, left - count)
      if numbers.last != segmenter.wanted { numbers.append(segmenter.wanted) }
    }
    return numbers
  }

  @Test func theyAreAddedWithinASecond() {
    var segmenter = Segmenter(.adaptive)
    #expect(run(&segmenter, for: 1) { Double($0) * 4e6 } == [1, 2, 4, 8])
    var small = Segmenter(.adaptive)
    #expect(run(&small, for: 1, size: 3_000_000) { Double($0) * 4e6 } == [1])
    var all = fixed(5)
    #expect(run(&all, for: 1) { _ in 1 } == [5])
  }

  @Test func thoseThatDoNotHelpAreGivenBackInALongTransfer() {
    var helped = Segmenter(.adaptive)
    #expect(run(&helped, for: 60) { Double($0) * 4e6 }.suffix(3) == [8, 4, 8])
    var limited = Segmenter(.adaptive)
    #expect(run(&limited, for: 120) { _ in 4e6 }.suffix(4) == [8, 4, 2, 1])
  }

  @Test func aRefusalIsACapThatIsRemembered() {
    var segmenter = Segmenter(.adaptive)
    _ = run(&segmenter, for: 1) { Double($0) * 4e6 }
    segmenter.noteRefusal(others: 3, pause: 0, at: after(1))
    #expect(run(&segmenter, for: 4.9, from: 1) { Double($0) * 4e6 } == [3])
    #expect(run(&segmenter, for: 1, from: 6) { Double($0) * 4e6 } == [3, 6, 8])
    segmenter.noteRefusal(others: 3, pause: 0, at: after(7))
    #expect(run(&segmenter, for: 9.9, from: 7) { Double($0) * 4e6 } == [3])
    segmenter.noteRefusal(others: 0, pause: 600, at: after(20))
    #expect(run(&segmenter, for: 599, from: 20) { Double($0) * 4e6 } == [1])
  }
}
