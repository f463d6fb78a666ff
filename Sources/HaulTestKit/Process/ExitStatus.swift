/// How a process ended.
public enum ExitStatus: Sendable, Hashable {
  /// It ended by itself, with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signalled(signal)
  }
}
