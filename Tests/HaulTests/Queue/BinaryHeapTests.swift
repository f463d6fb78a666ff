import HaulTestKit
import Testing

@testable import Haul

/// A heap against a sorted array.
@Suite struct BinaryHeapTests {
  /// A number that counts how often it is compared.
  struct Counted: Comparable, Sendable {
    @TaskLocal static var count: Counter?
    var value: UInt64

    static func < (one: Counted, other: Counted) -> Bool {
      count?.value += 1
      return one.value < other.value
    }
  }

  final class Counter: @unchecked Sendable {
    // One task only has it, in `withValue`.
    var value = 0
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func itGivesTheSmallestFirst(_ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    var sorted = (0..<random.next() % 40).map { _ in random.next() % 30 }.sorted()
    var heap = BinaryHeap(sorted.shuffled())
    for _ in 0..<400 {
      if random.next() % 5 < 2 {
        #expect(heap.popFirst() == (sorted.isEmpty ? nil : sorted.removeFirst()), "seed \(seed)")
      } else {
        let value = random.next() % 30
        heap.insert(value)
        sorted.insert(value, at: sorted.firstIndex { $0 >= value } ?? sorted.count)
      }
      #expect(heap.first == sorted.first, "seed \(seed)")
      #expect(heap.count == sorted.count, "seed \(seed)")
    }
    #expect(heap.elements.sorted() == sorted, "seed \(seed)")
  }

  @Test func anEmptyOneHasNothing() {
    var heap = BinaryHeap<Int>()
    #expect(heap.first == nil)
    #expect(heap.popFirst() == nil)
    heap.insert(1)
    #expect(heap.popFirst() == 1)
    #expect(heap.popFirst() == nil)
  }

  @Test func makingItIsLinearAndUsingItLogarithmic() {
    let counter = Counter()
    Counted.$count.withValue(counter) {
      let random = SeededRandom(seed: 1)
      let count = 1 << 14
      var heap = BinaryHeap((0..<count).map { _ in Counted(value: random.next()) })
      #expect(counter.value <= 2 * count)
      counter.value = 0
      for _ in 0..<1000 { heap.insert(Counted(value: random.next())) }
      #expect(counter.value <= 1000 * 15)
      counter.value = 0
      for _ in 0..<1000 { heap.popFirst() }
      #expect(counter.value <= 1000 * 2 * 15)
    }
  }
}
