/// How one attempt to fetch a file ended; each attempt has exactly one end.
public enum AttemptEnd: Sendable, Hashable {
  /// The file is there, whole and checked.
  case finished
  /// It failed, and is tried again by itself or not.
  case failed(isTriedAgain: Bool)
  /// It was paused; what was received is kept.
  case paused
  /// It had to give way, and waits for its turn again; what was received is kept.
  case interrupted
  /// It was cancelled; what was received is given up.
  case cancelled
  /// It was removed from the list.
  case removed
}
