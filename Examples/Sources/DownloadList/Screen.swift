import Dispatch
import Haul

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Everything that makes the screen another one.
private enum Input: Sendable {
  case page(DownloadPage, ListTotals)
  case keys([Key])
  case signal(Signals.Kind)
  case end
}

/// Draws the list whenever it changes, and does what the keys say, until the user quits.
func runOnTerminal(_ manager: DownloadManager) async {
  let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
  let signals = Signals { continuation.yield(.signal($0)) }
  defer { signals.cancel() }
  let keyboard = readKeys { continuation.yield($0) }
  defer { keyboard.cancel() }
  var query = RecordQuery()
  query.limit = RecordQuery.largestLimit
  let pages = manager.pages(query)
  let following = Task {
    for await (page, totals) in pages { continuation.yield(.page(page, totals)) }
  }
  defer { following.cancel() }

  let terminal = Terminal()
  var app = App(manager)
  for await input in inputs {
    switch input {
    case .page(let page, let totals): app.show(page, totals)
    case .keys(let keys): for key in keys where !app.isOver { await app.press(key) }
    case .signal(.resized): break
    case .signal(.suspend): terminal.suspend()
    case .signal(.end), .end: app.isOver = true
    }
    if app.isOver { return }
    terminal.draw(app.lines(rows: terminal.size.rows))
  }
}

private func readKeys(_ tell: @escaping @Sendable (Input) -> Void) -> any DispatchSourceRead {
  let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // The call writes no more than there is room for.
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(STDIN_FILENO, $0.baseAddress, $0.count)
    }
    tell(count > 0 ? .keys(Key.keys(bytes.prefix(count))) : .end)
  }
  source.resume()
  return source
}
