/// A header field whose value breaks the rules in a way that must not be guessed around.
public struct MalformedField: Error, Sendable, Hashable, CustomStringConvertible {
  /// The field's name.
  public let name: String
  /// The value as it arrived, at most 80 characters of it, with control and other invisible
  /// characters replaced by U+FFFD, so that it can be shown.
  public let value: String

  /// Makes the error from the raw value, which is shortened and cleaned.
  public init(name: String, value: String) {
    self.name = name
    // Scalars, not Characters: one Character may hold any number of scalars.
    let shown = value.unicodeScalars.prefix(80).map { $0.isInvisible ? "\u{FFFD}" : $0 }
    self.value = String(String.UnicodeScalarView(shown))
  }

  /// A sentence that names the field and shows its value.
  public var description: String {
    "The server sent a malformed \(name) field: \"\(value)\""
  }
}
