internal import Glibc

/// A moment of the monotonic clock of the machine.
struct MonotonicTime {
  var nanoseconds: Int64

  static var now: MonotonicTime {
    var time = Glibc.timespec()
    // `time` is a local variable.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func adding(milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
  }

  /// Whole milliseconds from now to this moment; zero when it is over.
  var millisecondsLeft: Int {
    max(0, Int((nanoseconds - Self.now.nanoseconds + 999_999) / 1_000_000))
  }

  var timespec: Glibc.timespec {
    Glibc.timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
