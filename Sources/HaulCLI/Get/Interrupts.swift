import Glibc
import HaulSystem
import Synchronization

/// Ctrl-C, `SIGTERM` and `SIGHUP`: the first one stops in good order, the second one at once.
///
/// They are taken by a thread of their own, from the start of the work to the end of the program, and
/// blocked everywhere else: so none of them is lost, however early it comes.
enum Interrupts {
  /// What is done about them.
  private struct Handlers {
    var stop: @Sendable () -> Void
    var quit: @Sendable () -> Void
  }

  private static let handlers = Mutex<Handlers?>(nil)
  /// The first of them that came, or 0.
  private static let received = Atomic<Int32>(0)

  /// Begins to take them, and ends the program at once as long as there is nothing to stop.
  ///
  /// To be called before there are other threads, which take over what is blocked.
  static func take() {
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    // Without a thread for them, they end the program as they end any other.
    block(numbers, SIG_BLOCK)
    if !SystemThread.start({ wait(numbers) }) { block(numbers, SIG_UNBLOCK) }
  }

  /// Has them stop something from now on; `quit` may tidy up the terminal and is not waited for long.
  static func handle(
    stop: @escaping @Sendable () -> Void, quit: @escaping @Sendable () -> Void
  ) {
    handlers.withLock { $0 = Handlers(stop: stop, quit: quit) }
  }

  private static func wait(_ numbers: [Int32]) {
    var signals = set(of: numbers)
    var stoppedAt: ContinuousClock.Instant?
    while true {
      var number: Int32 = 0
      // Both are local variables.
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      guard let handlers = handlers.withLock({ $0 }) else {
        received.store(number, ordering: .releasing)
        end()
      }
      guard let first = stoppedAt else {
        stoppedAt = .now
        received.store(number, ordering: .releasing)
        handlers.stop()
        continue
      }
      // `timeout` and terminals send some signals twice.
      guard ContinuousClock.now - first > .milliseconds(300) else { continue }
      handlers.quit()
      usleep(200_000)
      end()
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
      signal(SIGINT, SIG_DFL)
      block([SIGINT], SIG_UNBLOCK)
      raise(SIGINT)
    }
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// Blocks signals for this thread, or lets them through.
  private static func block(_ numbers: [Int32], _ how: Int32) {
    var signals = set(of: numbers)
    // The set is a local variable.
    unsafe pthread_sigmask(how, &signals, nil)
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    // The set is a local variable.
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    return signals
  }

  /// Whether the keys of a terminal send their signals here.
  private static var isInForeground: Bool {
    // The path is a constant. The descriptor ends with the process, which is about to end.
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    return terminal >= 0 && tcgetpgrp(terminal) == getpgrp()
  }
}
