import HaulTestKit
import Testing

@testable import HaulTransfer

@Suite struct PlanTests {
  private let one = ConnectionID(1)
  private let two = ConnectionID(2)

  @Test func whatLiesBeyondTheTotalIsForgotten() {
    var plan = Plan()
    plan.begin(with: IntervalSet([0..<5, 8..<20]), total: 10)
    #expect(plan.done.intervals == [0..<5, 8..<10])
    plan.begin(with: IntervalSet([0..<5, 8..<20]), total: nil)
    #expect(plan.done.byteCount == 17)
    plan.begin(with: IntervalSet([0..<5]), total: .max)
    #expect(plan.done.intervals == [0..<5])
  }

  @Test func aGapIsNeitherStoredNorOwned() {
    var plan = Plan()
    plan.begin(with: IntervalSet([0..<10, 20..<30]), total: 40)
    #expect(plan.nextGap(total: 40) == 10..<20)
    plan.claim(one, from: 10, to: 20)
    #expect(plan.nextGap(total: 40) == 30..<40)
    plan.claim(two, from: 30, to: nil)
    #expect(plan.nextGap(total: 40) == nil)
    #expect(plan.nextGap(total: nil) == nil)
    plan.land(one, 4)
    #expect(plan.release(one) == Plan.Claim(position: 14, end: 20))
    #expect(plan.nextGap(total: 40) == 14..<20)
    #expect(plan.release(one) == nil)
  }

  @Test func anUnknownTotalLeavesTheEndOpen() {
    var plan = Plan()
    #expect(plan.nextGap(total: nil) == 0..<(.max))
    plan.begin(with: IntervalSet([0..<10]), total: nil)
    #expect(plan.nextGap(total: nil) == 10..<(.max))
  }

  @Test func anEmptyFileIsCompleteAtOnce() {
    #expect(Plan().isComplete(total: 0))
    #expect(!Plan().isComplete(total: 1))
    #expect(Plan().nextGap(total: 0) == nil)
  }

  @Test func bytesOfAForgottenConnectionDoNotCount() {
    var plan = Plan()
    plan.land(one, 100)
    #expect(plan.done.isEmpty)
    plan.claim(one, from: 0, to: 10)
    plan.land(one, 0)
    plan.land(one, -3)
    #expect(plan.done.isEmpty)
  }

  @Test func continuousBytesEndExactlyAtAPosition() {
    var plan = Plan()
    plan.begin(with: IntervalSet([0..<10, 20..<30]), total: nil)
    #expect(plan.continuous(before: 30, limit: 100) == 10)
    #expect(plan.continuous(before: 30, limit: 4) == 4)
    #expect(plan.continuous(before: 25, limit: 4) == 0)
    #expect(plan.continuous(before: 0, limit: 4) == 0)
  }

  @Test func randomLivesKeepTheBooks() {
    for seed in 0..<1000 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      let total = Int64(1 + random.below(60))
      var plan = Plan()
      var bits = [Bool](repeating: false, count: Int(total))
      var next: UInt64 = 0
      var owned: [ConnectionID: Plan.Claim] = [:]
      for step in 0..<60 {
        switch random.below(4) {
        case 0:
          guard let gap = plan.nextGap(total: total) else { continue }
          // A gap is free of stored and of owned bytes.
          let isFree = gap.allSatisfy { position in
            !bits[Int(position)]
              && !owned.values.contains { ($0.position..<($0.end ?? total)).contains(position) }
          }
          if !isFree { Issue.record("seed \(seed), step \(step): \(gap) is not free") }
          next += 1
          let end = gap.lowerBound + 1 + Int64(random.below(gap.count))
          plan.claim(ConnectionID(next), from: gap.lowerBound, to: end)
          owned[ConnectionID(next)] = Plan.Claim(position: gap.lowerBound, end: end)
        case 1:
          guard let id = owned.keys.min(by: { $0.value < $1.value }), var claim = owned[id],
            let end = claim.end
          else { continue }
          let count = Int64(random.below(Int(end - claim.position) + 1))
          plan.land(id, count)
          for position in claim.position..<claim.position + count { bits[Int(position)] = true }
          claim.position += count
          owned[id] = claim
        case 2:
          guard let id = owned.keys.max(by: { $0.value < $1.value }) else { continue }
          if plan.release(id) != owned.removeValue(forKey: id) {
            Issue.record("seed \(seed), step \(step): another claim came back")
          }
        default:
          let low = Int64(random.below(Int(total)))
          plan.lose(IntervalSet([low..<min(total, low + 2)]))
          for position in low..<min(total, low + 2) { bits[Int(position)] = false }
        }
        let same =
          plan.done.byteCount == Int64(bits.count { $0 })
          && plan.isComplete(total: total) == bits.allSatisfy { $0 }
        if !same {
          Issue.record("seed \(seed), step \(step): \(plan.done.intervals)")
          return
        }
      }
    }
  }
}
