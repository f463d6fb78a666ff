import Dispatch
import Glibc
import Synchronization

/// Ctrl-C, `SIGTERM` and `SIGHUP`: the first one stops in good order, the second one at once.
///
/// `quit` may tidy up the terminal and end the program; it is not waited for long.
final class Interrupts {
  private let sources: [any DispatchSourceSignal]
  /// The first of them that came, or 0.
  private static let received = Atomic<Int32>(0)

  init(stop: @escaping @Sendable () -> Void, quit: @escaping @Sendable () -> Void) {
    let isStopping = Flag()
    sources = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        guard isStopping.raise() else {
          Self.received.store(number, ordering: .releasing)
          return stop()
        }
        quit()
        usleep(200_000)
        Self.end()
      }
      source.resume()
      return source
    }
  }

  /// Whether the program was started with the signal ignored, as by `nohup` or by `&` in a script;
  /// then it stays so.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    // The action is a local variable, and a constant is compared with.
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the program after a signal.
  ///
  /// After a Ctrl-C it dies of that: only so the shell knows that its loop is to end, too, and its
  /// status is 130 as well. Who sent the signal otherwise gets a status of ours.
  static func end() -> Never {
    if received.load(ordering: .acquiring) == SIGINT, isInForeground {
      var signals = sigset_t()
      signal(SIGINT, SIG_DFL)
      // The set is a local variable. Whoever listens to a signal may have blocked it.
      unsafe sigaddset(&signals, SIGINT)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(SIGINT)
    }
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// Whether the keys of a terminal send their signals here.
  private static var isInForeground: Bool {
    // The path is a constant. The descriptor ends with the process, which is about to end.
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    return terminal >= 0 && tcgetpgrp(terminal) == getpgrp()
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

/// Remembers when it was raised first.
private final class Flag: Sendable {
  private let raisedAt = Mutex<ContinuousClock.Instant?>(nil)

  /// Raises the flag; whether it was up before, and not just now: `timeout` and terminals send
  /// some signals twice.
  func raise() -> Bool {
    raisedAt.withLock { raisedAt in
      guard let first = raisedAt else {
        raisedAt = .now
        return false
      }
      return ContinuousClock.now - first > .milliseconds(300)
    }
  }
}
