public import HaulTransfer
internal import Synchronization

/// Random numbers that are the same in every run: SplitMix64 (Steele, Lea, Flood 2014).
public final class SeededRandom: RandomSource {
  private let state: Mutex<UInt64>

  /// Makes a source; the same seed gives the same numbers.
  public init(seed: UInt64) {
    state = Mutex(seed)
  }

  /// The next number.
  public func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
