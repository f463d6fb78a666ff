import HaulTestKit
import Testing

@testable import HaulTransfer

@Suite struct IntervalSetTests {
  struct Change: Sendable, CustomTestStringConvertible {
    var before: [Range<Int64>]
    var change: Range<Int64>
    var inserted: [Range<Int64>]
    var removed: [Range<Int64>]
    var testDescription: String { "\(before) and \(change)" }
  }

  static let changes = [
    Change(before: [], change: 3..<5, inserted: [3..<5], removed: []),
    Change(before: [3..<5], change: 4..<4, inserted: [3..<5], removed: [3..<5]),
    Change(before: [3..<5], change: 5..<7, inserted: [3..<7], removed: [3..<5]),
    Change(before: [3..<5], change: 1..<3, inserted: [1..<5], removed: [3..<5]),
    Change(before: [3..<5], change: 0..<9, inserted: [0..<9], removed: []),
    Change(before: [0..<9], change: 3..<5, inserted: [0..<9], removed: [0..<3, 5..<9]),
    Change(before: [0..<2, 4..<6], change: 2..<4, inserted: [0..<6], removed: [0..<2, 4..<6]),
    Change(before: [0..<2, 4..<6], change: 1..<5, inserted: [0..<6], removed: [0..<1, 5..<6]),
    Change(
      before: [0..<2, 8..<9], change: 4..<6, inserted: [0..<2, 4..<6, 8..<9],
      removed: [0..<2, 8..<9]),
    Change(
      before: [0..<2, 4..<6, 8..<9], change: 2..<8, inserted: [0..<9],
      removed: [0..<2, 8..<9]),
    Change(before: [5..<(.max)], change: 0..<5, inserted: [0..<(.max)], removed: [5..<(.max)]),
    Change(
      before: [0..<(.max)], change: 7..<8, inserted: [0..<(.max)],
      removed: [0..<7, 8..<(.max)]),
  ]

  @Test(arguments: changes)
  func insertsAndRemoves(_ change: Change) {
    var inserted = IntervalSet(change.before)
    inserted.insert(change.change)
    #expect(inserted.intervals == change.inserted)
    var removed = IntervalSet(change.before)
    removed.remove(change.change)
    #expect(removed.intervals == change.removed)
  }

  @Test func anyOrderMakesTheSameSet() {
    let pieces: [Range<Int64>] = [6..<8, 0..<2, 2..<4, 3..<5, 9..<9, 10..<11]
    for rotation in 0..<pieces.count {
      let rotated = pieces[rotation...] + pieces[..<rotation]
      #expect(IntervalSet(rotated).intervals == [0..<5, 6..<8, 10..<11])
    }
  }

  @Test func missingIsEmptyForNoLength() {
    #expect(IntervalSet().missing(upTo: 0).isEmpty)
    #expect(IntervalSet().missing(upTo: -5).isEmpty)
    #expect(IntervalSet([2..<4]).missing(upTo: .max).intervals == [0..<2, 4..<(.max)])
  }

  /// A set of positions in the simplest form that can be right.
  struct NaiveSet {
    var bits = [Bool](repeating: false, count: 64)

    mutating func set(_ range: Range<Int64>, _ value: Bool) {
      for index in range { bits[Int(index)] = value }
    }
    var intervals: [Range<Int64>] {
      var result: [Range<Int64>] = []
      var start: Int?
      for index in 0...bits.count {
        let isIn = index < bits.count && bits[index]
        if isIn, start == nil { start = index }
        if !isIn, let first = start {
          result.append(Int64(first)..<Int64(index))
          start = nil
        }
      }
      return result
    }
  }

  @Test func agreesWithANaiveSet() {
    for seed in 0..<2000 as Range<UInt64> {
      let random = SeededRandom(seed: seed)
      var set = IntervalSet()
      var naive = NaiveSet()
      for step in 0..<40 {
        let low = Int64(random.below(64))
        let range = low..<low + Int64(random.below(65 - Int(low)))
        switch random.below(3) {
        case 0:
          set.insert(range)
          naive.set(range, true)
        case 1:
          set.remove(range)
          naive.set(range, false)
        default:
          let other = low..<min(64, low + 3)
          set.subtract(IntervalSet([range, other]))
          naive.set(range, false)
          naive.set(other, false)
        }
        let expected = naive.intervals
        var same = set.intervals == expected
        same = same && set.byteCount == Int64(naive.bits.count { $0 })
        same = same && set.isEmpty == expected.isEmpty
        same = same && set.prefixEnd == Int64(naive.bits.firstIndex(of: false) ?? 64)
        same = same && set.contains(range) == range.allSatisfy { naive.bits[Int($0)] }
        var missing = naive
        missing.bits = naive.bits.enumerated().map { $0.offset < range.upperBound && !$0.element }
        same = same && set.missing(upTo: range.upperBound).intervals == missing.intervals
        if !same {
          Issue.record("seed \(seed), step \(step): \(set.intervals) is not \(expected)")
          return
        }
      }
    }
  }
}
