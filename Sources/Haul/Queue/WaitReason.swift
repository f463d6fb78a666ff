/// Why a download waits; none waits without one.
public enum WaitReason: String, Sendable, Hashable, CaseIterable {
  /// Others run, and its turn comes after them.
  case queue
  /// As many as may run from its server.
  case host
  /// The network failed, or there is none; it goes on by itself.
  case network
  /// Its server, or another program, failed it; it is tried again at a time that is told.
  case retry
  /// The disk is full; it goes on when there is room.
  case disk
  /// Downloads run at other hours.
  case schedule
  /// Its mission waits for its turn.
  case mission
}
