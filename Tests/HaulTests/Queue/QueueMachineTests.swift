import HaulRecords
import HaulTestKit
import Testing

@testable import Haul

/// The queue against one that looks at everybody each time.
@Suite struct QueueMachineTests {
  static func id(_ number: Int) -> DownloadID {
    DownloadID(rawValue: UInt64(number + 1)) ?? .random()
  }

  static func origin(_ number: Int) -> OriginKey { OriginKey(rawValue: UInt64(number)) }

  /// 60 seeds of 600 steps each.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func itChoosesWhoeverIsFirstAmongThoseThatMayRun(_ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let origins = [1, 2, 5, 40][draw(4)]
    var queue = QueueMachine()
    var naive = NaiveQueue()
    var ids = 0
    func rank(_ id: DownloadID) -> QueueRank {
      QueueRank(priority: Int16(draw(3)) - 1, position: Int64(draw(9)), id: id)
    }
    func add(_ id: DownloadID, at origin: OriginKey) {
      let rank = rank(id)
      queue.add(rank, origin: origin)
      naive.add(rank, origin)
    }
    for step in 0..<600 {
      let place = "seed \(seed), step \(step)"
      switch draw(17) {
      case 0..<4:
        // Several at once now and then, so that there are far more than places.
        for _ in 0..<(draw(8) == 0 ? 30 : 1) {
          add(Self.id(ids), at: Self.origin(draw(origins)))
          ids += 1
        }
      case 4..<6:
        if let member = naive.waiting.randomElement(by: random) {
          add(member.rank.id, at: member.origin)
        }
      case 6:
        if let member = naive.waiting.randomElement(by: random) {
          let origin = Self.origin(draw(origins))
          // To another server with the same rank, as a new address does it.
          queue.remove(member.rank.id)
          queue.add(member.rank, origin: origin)
          naive.add(member.rank, origin)
        }
      case 7..<9:
        if let member = naive.waiting.randomElement(by: random) {
          queue.remove(member.rank.id)
          naive.remove(member.rank.id)
        }
      case 9..<13:
        for _ in 0..<(1 + draw(4)) {
          guard let member = naive.running.randomElement(by: random) else { break }
          queue.giveBack(member.rank.id)
          naive.giveBack(member.rank.id)
        }
      case 13:
        if let place = naive.running.indices.randomElement(by: random) {
          naive.running[place].rank = rank(naive.running[place].rank.id)
          queue.rerank(naive.running[place].rank)
        }
      case 14: naive.limits.parallel = [0, 1, 2, 3, 8, 20][draw(6)]
      case 15: naive.limits.perHost = [nil, 0, 1, 2, 3, 7][draw(6)]
      default:
        naive.limits.isOpen = draw(4) > 0
        naive.limits.isOnline = draw(4) > 0
      }
      queue.limits = naive.limits
      let stopping = Set(naive.running.map(\.rank.id).filter { $0.rawValue % 3 == 0 })
      #expect(
        queue.excess { stopping.contains($0) } == naive.excess { stopping.contains($0) }, "\(place)"
      )
      // Not each change is followed by turns.
      for _ in 0..<[0, 0, 1, 1000][draw(4)] {
        let expected = naive.next()
        guard queue.next() == expected else {
          Issue.record("another turn than \(String(describing: expected)), \(place)")
          return
        }
        if expected == nil { break }
        #expect(naive.running.count <= naive.limits.parallel, "\(place)")
      }
      #expect(queue.waitingCount == naive.waiting.count, "\(place)")
      #expect(queue.runningCount == naive.running.count, "\(place)")
      for member in naive.waiting.prefix(5) {
        #expect(queue.reason(member.rank.id) == naive.reason(member.rank.id), "\(place)")
      }
    }
  }
}

// MARK: - By name

extension QueueMachineTests {
  private func rank(_ number: Int, priority: Int16 = 0) -> QueueRank {
    QueueRank(priority: priority, position: Int64(number), id: Self.id(number))
  }

  private func queue(perHost: Int?, parallel: Int = 100) -> QueueMachine {
    var queue = QueueMachine()
    queue.limits.perHost = perHost
    queue.limits.parallel = parallel
    return queue
  }

  /// One that was set apart for its server and then went to another one was woken in place of those
  /// that still waited there: the free place stayed empty, and they waited although nobody ran.
  @Test func whoWentToAnotherServerTakesNoTurnOfThoseThatStayed() {
    var queue = queue(perHost: 1)
    for number in 0..<3 { queue.add(rank(number), origin: Self.origin(0)) }
    queue.add(rank(3), origin: Self.origin(1))
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == Self.id(3))
    #expect(queue.next() == nil)
    queue.remove(Self.id(1))
    queue.add(rank(1), origin: Self.origin(1))
    #expect(queue.next() == nil)
    queue.giveBack(Self.id(0))
    #expect(queue.next() == Self.id(2))
  }

  /// One whose priority went up and down again was set apart twice, and was woken twice: two places
  /// were free, and only it got one.
  @Test func whoIsSetApartTwiceTakesOneTurn() {
    var queue = queue(perHost: 2)
    for number in 0..<4 { queue.add(rank(number), origin: Self.origin(0)) }
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == Self.id(1))
    #expect(queue.next() == nil)
    queue.add(rank(2, priority: 1), origin: Self.origin(0))
    #expect(queue.next() == nil)
    queue.add(rank(2), origin: Self.origin(0))
    #expect(queue.next() == nil)
    queue.giveBack(Self.id(0))
    queue.giveBack(Self.id(1))
    #expect(queue.next() == Self.id(2))
    #expect(queue.next() == Self.id(3))
  }

  /// One that was woken for a free place and then got a lower rank left that place to somebody behind
  /// those that were set apart.
  @Test func whoFallsBackLetsTheNextOneOfItsServerGoFirst() {
    var queue = queue(perHost: 1)
    for number in 0..<3 { queue.add(rank(number), origin: Self.origin(0)) }
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == nil)
    queue.add(rank(9), origin: Self.origin(0))
    queue.giveBack(Self.id(0))
    queue.add(rank(1, priority: -1), origin: Self.origin(0))
    #expect(queue.next() == Self.id(2))
  }

  @Test func whoLeavesWhileItsPlaceIsFreeLetsTheNextOneOfItsServerGo() {
    var queue = queue(perHost: 1)
    for number in 0..<3 { queue.add(rank(number), origin: Self.origin(0)) }
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == nil)
    queue.giveBack(Self.id(0))
    queue.remove(Self.id(1))
    #expect(queue.next() == Self.id(2))
  }

  @Test func aServerThatIsWaitedForKeepsNobodyElseBack() {
    var queue = queue(perHost: 1, parallel: 2)
    for number in 0..<100 { queue.add(rank(number), origin: Self.origin(0)) }
    queue.add(rank(100), origin: Self.origin(1))
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == Self.id(100))
    #expect(queue.reason(Self.id(1)) == .queue)
    queue.giveBack(Self.id(100))
    #expect(queue.next() == nil)
    #expect(queue.reason(Self.id(1)) == .host)
  }
}

// MARK: - Cost

extension QueueMachineTests {
  /// Each step that looked at all that wait would take ten billion looks: many minutes.
  @Test(arguments: [1, 50_000])
  func aHundredThousandRunOneAfterAnother(_ origins: Int) {
    let count = 100_000
    var queue = queue(perHost: 1, parallel: 2)
    queue.fill((0..<count).map { (rank($0), Self.origin($0 % origins)) }, count: count)
    var order: [DownloadID] = []
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      var running: [DownloadID] = []
      while queue.runningCount + queue.waitingCount > 0 {
        while let id = queue.next() {
          running.append(id)
          order.append(id)
        }
        queue.giveBack(running.removeFirst())
      }
    }
    #expect(order == (0..<count).map(Self.id))
    #expect(elapsed < .seconds(20), "\(elapsed)")
  }

  /// Those that are paused and resumed again and again leave nothing behind that grows.
  @Test func comingAndGoingLeavesNothingBehind() {
    var queue = queue(perHost: 1, parallel: 1)
    for number in 0..<1000 { queue.add(rank(number), origin: Self.origin(0)) }
    #expect(queue.next() == Self.id(0))
    #expect(queue.next() == nil)
    for round in 0..<20 {
      for number in 1..<1000 {
        queue.remove(Self.id(number))
        queue.add(rank(number, priority: Int16(round % 2)), origin: Self.origin(0))
      }
      _ = queue.next()
    }
    #expect(queue.entryCount <= 4 * 1000 + 64)
  }
}

extension Collection {
  fileprivate func randomElement(by random: SeededRandom) -> Element? {
    guard !isEmpty else { return nil }
    return self[index(startIndex, offsetBy: Int(random.next() % UInt64(count)))]
  }
}
