/// Where header fields that the caller gave may go.
public enum HeaderScope {
  /// Whether `Authorization`, `Cookie` and fields marked secret may be sent to an address.
  /// - Parameters:
  ///   - to: The address about to be asked.
  ///   - given: The address that the caller gave the fields for.
  /// - Returns: Whether both have the same origin: scheme, host and port. So a redirect to another
  ///   host, to another port of it, or to plain `http` gets none of them (RFC 9110 §15.4).
  public static func mayCarrySecrets(to: HTTPURL, given: HTTPURL) -> Bool {
    to.origin == given.origin
  }
}
