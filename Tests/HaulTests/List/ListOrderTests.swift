import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// The order of a list against that of an array.
@Suite struct ListOrderTests {
  static let moment = ListMoment(now: Instant(nanoseconds: 0), time: 0, jitter: 0)

  static func id(_ number: Int) -> DownloadID {
    DownloadID(rawValue: UInt64(number + 1)) ?? .random()
  }

  static func list(_ positions: [Int64]) -> ListMachine {
    ListMachine(
      positions.enumerated().map { number, position in
        DownloadSummary(
          id: id(number), position: position, received: 0, origin: OriginKey(rawValue: 1), key: 1,
          total: nil, state: .paused, priority: 0, attempt: 0)
      }, limits: QueueLimits())
  }

  /// Positions as they may be stored: apart, next to each other, equal, and at both ends of the numbers.
  static let starts: [[Int64]] = [
    (1...9).map { $0 << 32 }, [0, 1, 2, 3, 4, 5, 6, 7], [5, 5, 5, 5, 5, 5],
    [.max, .max, .max - 1, .max - 2, 0], [.min, .min, .min + 1, .min + 2, 0],
    [.min, .max], [.max], [.min], [-1, 0, 1, .max, .min], [],
  ]

  @Test(arguments: starts.indices, 0..<8 as Range<UInt64>)
  func movesGiveTheOrderThatAnArrayWouldHave(_ start: Int, _ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var list = Self.list(Self.starts[start])
    var stored = Dictionary(uniqueKeysWithValues: list.entries.map { ($0.id, $0.position) })
    var order = list.ordered()
    var added = 100
    for step in 0..<60 {
      var actions: [ListAction] = []
      if draw(6) == 0 || order.isEmpty {
        let (positions, renumbered) = list.endPositions(2, Self.moment)
        actions = renumbered
        #expect(positions.count == 2)
        for position in positions {
          let id = Self.id(added)
          let summary = DownloadSummary(
            id: id, position: position, received: 0, origin: OriginKey(rawValue: 1), key: 1,
            total: nil, state: .paused, priority: 0, attempt: 0)
          actions += list.insert([summary], Self.moment)
          stored[id] = position
          order.append(id)
          added += 1
        }
      } else {
        let ids = (0..<(1 + draw(3))).map { _ in order[draw(order.count)] }
        let other = order[draw(order.count)]
        let place: ListPlace = [.top, .bottom, .before(other), .after(other)][draw(4)]
        order = ListOrder.moved(ids + [Self.id(99)], to: place, in: order)
        actions = list.move(ids + [Self.id(99)], to: place, Self.moment)
      }
      for case .store(.position(let id, let position)) in actions { stored[id] = position }
      #expect(list.ordered() == order, "seed \(seed), step \(step)")
      // And so it is after the program was started again.
      let sorted = stored.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
      #expect(sorted == order, "seed \(seed), step \(step)")
    }
  }

  @Test func aGapThatIsUsedUpIsMadeAnew() {
    var list = Self.list([0, 1 << 32])
    var order = list.ordered()
    // Halved each time, a gap of 2^32 numbers is used up after 32 moves.
    for _ in 0..<200 {
      let last = order[order.count - 1]
      _ = list.move([last], to: .after(order[0]), Self.moment)
      order = ListOrder.moved([last], to: .after(order[0]), in: order)
      let (positions, _) = list.endPositions(1, Self.moment)
      _ = list.insert(
        [
          DownloadSummary(
            id: Self.id(order.count), position: positions[0], received: 0,
            origin: OriginKey(rawValue: 1), key: 1, total: nil, state: .paused, priority: 0,
            attempt: 0)
        ], Self.moment)
      order.append(Self.id(order.count))
    }
    #expect(list.ordered() == order)
    #expect(Set(list.entries.map(\.position)).count == order.count)
  }

  @Test func nothingIsMovedNextToOneThatIsNotThereOrMovesItself() {
    var list = Self.list([1, 2, 3])
    let order = list.ordered()
    #expect(list.move([Self.id(0)], to: .after(Self.id(9)), Self.moment) == [])
    #expect(list.move([Self.id(0), Self.id(1)], to: .before(Self.id(1)), Self.moment) == [])
    #expect(list.move([Self.id(9)], to: .top, Self.moment) == [])
    #expect(list.move([], to: .top, Self.moment) == [])
    #expect(list.ordered() == order)
  }

  @Test func stepsAreBetweenTheirNeighbours() {
    let ends: [Int64?] = [nil, .min, .min + 1, -1, 0, 1, 3, 1 << 33, .max - 1, .max]
    for lower in ends {
      for upper in ends {
        if let lower, let upper, lower > upper { continue }
        for count in [1, 2, 5, 1000] {
          guard let steps = ListMachine.steps(count, after: lower, before: upper) else { continue }
          #expect(steps.count == count)
          let all = [lower].compactMap { $0 } + steps + [upper].compactMap { $0 }
          #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 }, "\(all.prefix(9))")
        }
      }
    }
    #expect(ListMachine.steps(0, after: nil, before: nil) == [])
    #expect(ListMachine.steps(.max, after: 0, before: nil) == nil)
    #expect(ListMachine.steps(.max, after: nil, before: 0) == nil)
  }
}
