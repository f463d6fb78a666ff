import Dispatch
import Glibc
import Synchronization

/// What the world asks of whatever is drawn on the terminal.
enum ScreenRequest: Sendable {
  /// The size is another one.
  case resized
  /// The user wants the shell back (Ctrl-Z).
  case suspend(Suspension)
  /// The user has no patience left (a second Ctrl-C).
  case quit
}

/// One wish to stop; it is carried out once, by whoever comes first.
final class Suspension: Sendable {
  private let isTaken = Atomic(false)

  /// Cleans up and stops this process until the shell lets it go on.
  ///
  /// Does nothing where it was done before.
  func carryOut(after cleanUp: () -> Void = {}) {
    guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return }
    cleanUp()
    TerminalSignals.stop()
  }
}

/// Listens to the terminal: new size, Ctrl-Z, and the way back.
final class TerminalSignals {
  private let sources: [any DispatchSourceSignal]
  private static let isBack = Atomic(false)

  init(_ tell: @escaping @Sendable (ScreenRequest) -> Void) {
    let handlers: [(Int32, @Sendable () -> Void)] = [
      (SIGWINCH, { tell(.resized) }),
      (
        SIGTSTP,
        {
          let suspension = Suspension()
          tell(.suspend(suspension))
          // A program that hangs on its terminal can be stopped all the same.
          DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3)) {
            suspension.carryOut()
          }
        }
      ),
    ]
    sources = handlers.filter { !Interrupts.isIgnored($0.0) }.map { number, handler in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: handler)
      source.resume()
      return source
    }
    Self.listenForReturn()
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Whether the program was stopped, by whomever, and goes on since this was asked last.
  static func takeReturn() -> Bool {
    isBack.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// A source would tell of it too late: the main thread might draw before. The system runs the
  /// handler before anything else of that thread, which does not block the signal.
  private static func listenForReturn() {
    _ = takeReturn()
    var action = sigaction()
    // A store into an atomic that exists already is safe in a handler; the action is a local variable.
    unsafe action.__sigaction_handler.sa_handler = { _ in
      TerminalSignals.isBack.store(true, ordering: .releasing)
    }
    action.sa_flags = SA_RESTART
    unsafe sigaction(SIGCONT, &action, nil)
  }

  /// Stops as the signal does by itself; returns when the program goes on. Where nobody could let
  /// it go on, it does not stop.
  fileprivate static func stop() {
    var (usual, ours) = (sigaction(), sigaction())
    var (signals, blocked) = (sigset_t(), sigset_t())
    // Actions and sets are local variables; what was set before is put back as it was.
    unsafe usual.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaddset(&signals, SIGTSTP)
    unsafe sigaction(SIGTSTP, &usual, &ours)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    unsafe sigaction(SIGTSTP, &ours, nil)
  }
}
