/// Something that the test kit itself could not do.
public struct KitError: Error, Sendable, CustomStringConvertible {
  /// What failed, as a sentence.
  public var description: String

  /// Makes an error.
  public init(_ description: String) {
    self.description = description
  }
}

extension KitError {
  /// A system call that failed with an error number.
  static func call(_ name: String, _ code: Int32) -> KitError {
    KitError("\(name) failed with errno \(code).")
  }
}
