import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Hears of signals in place of what they would do.
struct Signals {
  enum Kind: Sendable { case end, resized, suspend }

  private static let kinds: [(Int32, Kind)] = [
    (SIGINT, .end), (SIGTERM, .end), (SIGHUP, .end), (SIGQUIT, .end), (SIGWINCH, .resized),
    (SIGTSTP, .suspend),
  ]
  private let sources: [any DispatchSourceSignal]

  init(_ tell: @escaping @Sendable (Kind) -> Void) {
    sources = Self.kinds.map { number, kind in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { tell(kind) }
      source.resume()
      return source
    }
  }

  func cancel() {
    for source in sources { source.cancel() }
  }
}
