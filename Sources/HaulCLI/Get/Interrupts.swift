import Dispatch
import Glibc
import Synchronization

/// Ctrl-C, `SIGTERM` and `SIGHUP`: the first one stops in good order, the second one at once.
final class Interrupts: Sendable {
  private let count = Atomic<Int>(0)
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  init(_ stop: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        if count.wrappingAdd(1, ordering: .relaxed).newValue > 1 {
          _exit(ExitStatus.interrupted.rawValue)
        }
        stop()
      }
      source.resume()
      sources.withLock { $0.append(source) }
    }
  }
}
