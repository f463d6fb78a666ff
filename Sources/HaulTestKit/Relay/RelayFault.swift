/// What a relay does to one connection, counted in bytes from the server to the client.
public enum RelayFault: Sendable {
  /// Nothing.
  case none
  /// Ends both sides in order (FIN) after so many bytes. In front of a TLS server this is an end
  /// without `close_notify`.
  case cut(after: Int64)
  /// Resets the client's side (RST) after so many bytes.
  case reset(after: Int64)
  /// Passes nothing more after so many bytes, until the gate opens.
  case freeze(after: Int64, Gate)
  /// Ends the client's connection without asking the server.
  case refuse

  /// How many bytes pass before the fault.
  var limit: Int64 {
    switch self {
    case .none: .max
    case .refuse: 0
    case .cut(let count), .reset(let count), .freeze(let count, _): count
    }
  }
}
