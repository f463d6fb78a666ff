internal import HaulTransfer

extension TransferFailure {
  /// What this failure lets hope for, after the engine has made its own tries.
  var outlook: ItemMachine.Outlook {
    switch code {
    case .nameNotResolved, .connectionFailed, .connectionLost, .timeout, .stalled: return .network
    case .httpStatus:
      // RFC 9110 §15.5.9, RFC 6585 §4, RFC 9110 §15.6: a time-out, too many requests, the server's own.
      let passes = status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false
      return passes && status != 501 && status != 505 ? .soon : .none
    case .diskFull: return .room
    case .inUse, .proxy, .changing, .badResponse: return .soon
    default: return .none
    }
  }
}
