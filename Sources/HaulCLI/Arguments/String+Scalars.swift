extension StringProtocol {
  /// The parts between separators, as the system sees them: to Swift a separator with a combining mark
  /// behind it is another character.
  func parts(between separator: Unicode.Scalar) -> [String] {
    unicodeScalars.split(separator: separator, omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
  }

  /// Whether a scalar is there, also one with a combining mark behind it.
  func hasScalar(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
