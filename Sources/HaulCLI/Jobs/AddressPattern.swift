import HaulTransfer

/// Patterns that curl reads in addresses, and aria2 where it is told to: `[0-3]` and `{a,b}`. Here an
/// address means itself.
enum AddressPattern {
  /// The failure with a word on the pattern, where the address has one and the server knows no such
  /// file.
  static func explain(_ failure: TransferFailure, _ url: String) -> TransferFailure {
    guard let status = failure.status, 400..<500 ~= status, isPattern(url) else { return failure }
    var failure = failure
    failure.message +=
      ". Patterns in addresses are not read: without quotes the shell makes several of {0..3} and "
      + "{a,b}, and -i FILE takes a list"
    return failure
  }

  /// Whether it holds `[…-…]` or `{…,…}`.
  static func isPattern(_ url: String) -> Bool {
    let path = url.split(separator: "://", maxSplits: 1).last ?? ""
    return holds(path.drop { $0 != "/" }, "[", "]", "-")
      || holds(path.drop { $0 != "/" }, "{", "}", ",")
  }

  private static func holds(
    _ text: Substring, _ open: Character, _ close: Character, _ separator: Character
  ) -> Bool {
    text.split(separator: open).dropFirst().contains { piece in
      guard let end = piece.firstIndex(of: close) else { return false }
      return piece[..<end].dropFirst().dropLast().contains(separator)
    }
  }
}
