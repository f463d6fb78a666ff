/// Why a text is no address that can be fetched.
public struct AddressError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that says what is wrong and shows the right form. It repeats nothing of the
  /// address, which may hold secrets.
  public let message: String

  /// Makes an error from its sentence.
  init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }

  static let missingScheme = AddressError(
    "The address has no scheme; write it in full, such as https://example.com/file")
  static let missingHost = AddressError(
    "The address has no host; write it in full, such as https://example.com/file")
  static let controlCharacter = AddressError(
    "The address holds a control character, such as a line break or a tab; "
      + "write it percent-encoded, such as %0A")
  static let tooLong = AddressError("The address is longer than 64 KiB")
  static let malformedHost = AddressError(
    "The host of the address is malformed; it has the form example.com, 192.0.2.1 or [2001:db8::1]")
  static let malformedPort = AddressError(
    "The port of the address is no number from 1 to 65535; write it as https://example.com:8443/")
}
