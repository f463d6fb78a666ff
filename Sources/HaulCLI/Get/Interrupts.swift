import Dispatch
import Glibc
import Synchronization

/// Ctrl-C, `SIGTERM` and `SIGHUP`: the first one stops in good order, the second one at once.
final class Interrupts {
  private let sources: [any DispatchSourceSignal]

  init(_ stop: @escaping @Sendable () -> Void) {
    let isStopping = Flag()
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if isStopping.raise() { _exit(ExitStatus.interrupted.rawValue) }
        stop()
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

/// Something that happens once.
private final class Flag: Sendable {
  private let isRaised = Atomic<Bool>(false)

  /// Raises the flag; whether it was up before.
  func raise() -> Bool {
    isRaised.exchange(true, ordering: .relaxed)
  }
}
