public import HaulTransfer

/// Randomness from the system's generator.
public struct SystemRandom: RandomSource {
  /// Makes the source; it has no state.
  public init() {}

  /// A number drawn evenly from all 64-bit numbers, fit for keys.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
