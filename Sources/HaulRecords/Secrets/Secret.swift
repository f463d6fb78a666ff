/// A text that no message, list or log may show.
///
/// It describes itself as `(secret)`; only `value` gives it away.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text.
  public let value: String

  /// Keeps a text.
  public init(_ value: String) {
    self.value = value
  }

  /// Says nothing of the text.
  public var description: String { "(secret)" }
  /// Says nothing of the text.
  public var debugDescription: String { description }
  /// Shows nothing of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A user with a password.
public struct SecretCredentials: Sendable, Hashable {
  /// The name of the user.
  public var user: Secret
  /// The password.
  public var password: Secret

  /// Makes a pair.
  public init(user: String, password: String) {
    self.user = Secret(user)
    self.password = Secret(password)
  }
}

/// A header field that goes only to the origin of the address.
public struct SecretField: Sendable, Hashable {
  /// The name of the field, which is not secret.
  public var name: String
  /// Its value.
  public var value: Secret

  /// Makes a field.
  public init(name: String, value: String) {
    self.name = name
    self.value = Secret(value)
  }
}

/// What one download needs and nobody may see.
public struct ItemSecrets: Sendable, Hashable {
  /// User and password of the address.
  public var credentials: SecretCredentials?
  /// User and password of the proxy.
  public var proxy: SecretCredentials?
  /// Header fields, in order.
  public var fields: [SecretField] = []

  /// Makes secrets of nothing.
  public init() {}

  /// Whether there is nothing in it.
  public var isEmpty: Bool { credentials == nil && proxy == nil && fields.isEmpty }
}
