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

  /// Connections that bring so many bytes in each of so many seconds.
  func brought(_ rates: [UInt64: Int64], for seconds: Int = 20, in segmenter: inout Segmenter) {
    for id in rates.keys { segmenter.begin(ConnectionID(id), at: start) }
    for second in 1...seconds {
      for (id, rate) in rates {
        segmenter.note(ConnectionID(id), total: Int64(second) * rate, at: after(Double(second)))
      }
    }
  }

  @Test func whatNobodyHasComesFirst() {
    var segmenter = fixed(4)
    let share = segmenter.share(gap: 5..<6, holders: [holder(1, 10, 1 << 30)], at: start)
    #expect(share == Segmenter.Share(range: 5..<6, holder: nil))
  }

  /// One that has just begun is taken to be as fast as others will be.
  @Test func withoutAnyKnowledgeItIsHalved() {
    var segmenter = fixed(4)
    segmenter.begin(ConnectionID(1), at: start)
    let share = segmenter.share(gap: nil, holders: [holder(1, 0, 8 << 20)], at: start)
    #expect(share == Segmenter.Share(range: 4 << 20..<8 << 20, holder: ConnectionID(1)))
    let small = segmenter.share(gap: nil, holders: [holder(1, 0, 1 << 20)], at: start)
    #expect(small == nil)
  }

  /// Two that are equally fast share what is left; to one that is three times slower a quarter is left.
  @Test(arguments: [(100, 100, 50), (30, 90, 75), (300, 100, 50)])
  func bothEndTogether(_ own: Int64, _ other: Int64, _ percent: Int64) throws {
    var segmenter = fixed(4)
    brought([1: own << 20, 2: other << 20], in: &segmenter)
    let left: Int64 = 10_000 << 20
    let holders = [holder(1, 0, left), holder(2, 0, 1)]
    let taken = segmenter.share(gap: nil, holders: holders, at: after(20))
    let share = try #require(taken)
    let size = share.range.upperBound - share.range.lowerBound
    #expect(share.holder == ConnectionID(1))
    #expect(share.range.upperBound == left)
    #expect(abs(size - left * percent / 100) <= left / 50, "\(size)")
  }

  @Test func whoTakesLongestGivesNotWhoHasMost() {
    var segmenter = fixed(4)
    brought([1: 100 << 20, 2: 1 << 20], in: &segmenter)
    let holders = [holder(1, 0, 100 << 20), holder(2, 0, 50 << 20)]
    let share = segmenter.share(gap: nil, holders: holders, at: after(20))
    #expect(share?.holder == ConnectionID(2))
  }

  /// A connection that stands still loses everything, also when it is less than is usually worth it,
  /// and also when all others are done.
  @Test(arguments: [true, false], [200_000, 2_000] as [Int64])
  func oneThatStandsStillIsTakenOver(_ hasOthers: Bool, _ left: Int64) {
    var segmenter = fixed(4)
    brought([1: 4 << 20, 2: 4 << 20], for: 2, in: &segmenter)
    let holders = [holder(1, 0, left)]
    let early = segmenter.share(gap: nil, holders: holders, at: after(2))
    #expect(early == nil)
    if hasOthers {
      for second in 3...60 {
        let total = Int64(second) * 4 << 20
        segmenter.note(ConnectionID(2), total: total, at: after(Double(second)))
      }
    } else {
      segmenter.end(ConnectionID(2), at: after(2))
    }
    let share = segmenter.share(gap: nil, holders: holders, at: after(hasOthers ? 60 : 60_000))
    #expect(share?.holder == ConnectionID(1))
    #expect(share?.range == 0..<left)
  }

  /// Where all connections stand still, new ones are opened ever less often.
  @Test func whatDoesNotHelpIsNotRepeatedQuickly() {
    var segmenter = fixed(4)
    brought([1: 4 << 20, 2: 4 << 20], for: 2, in: &segmenter)
    segmenter.end(ConnectionID(2), at: after(2))
    var tries = 0
    var holder = self.holder(1, 0, 50 << 20)
    for step in 1...6000 {
      let now = after(2 + Double(step) / 10)
      if let share = segmenter.share(gap: nil, holders: [holder], at: now) {
        tries += 1
        segmenter.end(holder.id, at: now)
        holder = self.holder(holder.id.value + 10, share.range.lowerBound, 50 << 20)
        segmenter.begin(holder.id, at: now)
      }
    }
    #expect((5...20).contains(tries), "\(tries)")
  }

  /// With all places taken, one that is far behind goes, if it would take long.
  @Test func oneThatIsFarBehindIsGivenUp() {
    var segmenter = fixed(4)
    brought([1: 4 << 20, 2: 4 << 20, 3: 4 << 20, 4: 200 << 10], in: &segmenter)
    let others = [holder(1, 0, 400 << 20), holder(2, 0, 400 << 20), holder(3, 0, 400 << 20)]
    let quick = segmenter.laggard(others + [holder(4, 0, 400 << 10)], at: after(20))
    #expect(quick == nil)
    let laggard = segmenter.laggard(others + [holder(4, 0, 400 << 20)], at: after(20))
    #expect(laggard == ConnectionID(4))
    let again = segmenter.laggard(others + [holder(4, 0, 400 << 20)], at: after(20.5))
    #expect(again == nil, "not at once")
    let alike = segmenter.laggard(others, at: after(30))
    #expect(alike == nil)
  }

  @Test func littleIsNotWorthAConnection() {
    var segmenter = fixed(4)
    brought([1: 4 << 20], for: 2, in: &segmenter)
    let little = segmenter.share(gap: nil, holders: [holder(1, 0, 1 << 20)], at: after(2))
    #expect(little == nil)
    let nothing = segmenter.share(gap: nil, holders: [], at: after(2))
    #expect(nothing == nil)
  }

  /// A slow connection with little left is worth another one when that saves a second.
  @Test func aLongTailIsShared() {
    var segmenter = fixed(4)
    brought([1: 100_000, 2: 100_000], in: &segmenter)
    let long = segmenter.share(gap: nil, holders: [holder(1, 0, 400_000)], at: after(20))
    #expect(long?.range == 200_000..<400_000)
    let short = segmenter.share(gap: nil, holders: [holder(1, 0, 150_000)], at: after(20))
    #expect(short == nil)
  }

  // MARK: How many

  /// Lets a transfer run in steps of a tenth of a second; `speed` is that of so many connections.
  func run(
    _ segmenter: inout Segmenter, for seconds: Double, from begin: Double = 0,
    size: Int64 = 1 << 40, _ speed: (Int) -> Double
  ) -> [Int] {
    var numbers: [Int] = []
    var left = size
    // It goes on from an earlier run, in which nothing was faster.
    var total = Int64(begin * 1e12)
    for step in 0..<Int(seconds * 10) {
      let now = after(begin + Double(step) / 10)
      segmenter.adapt(running: segmenter.wanted, left: left, at: now)
      let count = Int64(speed(segmenter.wanted) / 10)
      total += count
      segmenter.note(ConnectionID(1), total: total, at: now)
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

  @Test func refusalsThatComeTogetherCountAsOne() {
    var segmenter = fixed(8)
    segmenter.noteNoRoom(others: 4, at: after(0.5))
    for others in [7, 6, 5, 2] { segmenter.noteRefusal(others: others, pause: 0, at: after(1)) }
    #expect(run(&segmenter, for: 4.9, from: 1) { _ in 1 } == [2])
    #expect(run(&segmenter, for: 1, from: 6) { _ in 1 } == [8])
    segmenter.noteRefusal(others: 2, pause: 0, at: after(7))
    #expect(run(&segmenter, for: 9.9, from: 7) { _ in 1 } == [2])
  }

  /// Other files have the places: that says nothing of the server, and is asked again soon.
  @Test func withoutAPlaceItGoesOnWithWhatItHas() {
    var segmenter = fixed(8)
    segmenter.noteNoRoom(others: 0, at: after(1))
    #expect(run(&segmenter, for: 0.2, from: 1) { _ in 1 } == [1])
    #expect(run(&segmenter, for: 1, from: 2) { _ in 1 } == [8])
  }

  // MARK: The time that is left

  /// The speed of the whole file said 0 s while one slow connection held the last bytes.
  @Test func theLastBytesTakeAsLongAsTheirHolderDoes() throws {
    var segmenter = fixed(4)
    brought([1: 10 << 20, 2: 1000], in: &segmenter)
    let alone = try #require(segmenter.timeLeft([holder(2, 0, 30_000)], at: after(20)))
    #expect(abs(alone - 30) < 1, "\(alone)")
    // What is too small to be shared stays with it, however fast another one is.
    let beside = segmenter.timeLeft([holder(1, 0, 1 << 20), holder(2, 0, 30_000)], at: after(20))
    #expect(try abs(#require(beside) - 30) < 1)
    // What is large goes to whoever is free.
    let large = segmenter.timeLeft([holder(1, 0, 10 << 20), holder(2, 0, 10 << 20)], at: after(20))
    #expect(try abs(#require(large) - 2) < 0.2)
  }

  @Test func oneThatStandsStillTakesForEver() {
    var segmenter = fixed(4)
    segmenter.begin(ConnectionID(1), at: start)
    #expect(segmenter.timeLeft([holder(1, 0, 1000)], at: start) == nil)
    #expect(segmenter.timeLeft([holder(1, 0, 1000)], at: after(5)) == .infinity)
    #expect(segmenter.timeLeft([holder(1, 1000, 1000)], at: after(5)) == nil)
    #expect(segmenter.timeLeft([], at: after(5)) == nil)
  }
}
