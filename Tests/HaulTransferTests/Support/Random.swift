import HaulTestKit
import HaulTransfer

extension SeededRandom {
  /// A number from 0 up to, and without, the bound.
  func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
  func happens(_ chance: Double) -> Bool { unit() < chance }
  func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
