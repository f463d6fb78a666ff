internal import Synchronization

/// Passes bytes between two connections, in both directions, with a fault in one of them.
final class Pump: Sendable {
  private let client: Socket
  private let upstream: Socket
  private let server: LoopbackServer
  private let passed: @Sendable (Int) -> Void

  /// Makes a pump; `passed` hears how many bytes went to the client.
  init(
    client: Socket, upstream: Socket, server: LoopbackServer,
    passed: @escaping @Sendable (Int) -> Void
  ) {
    self.client = client
    self.upstream = upstream
    self.server = server
    self.passed = passed
  }

  /// Blocks until both directions are over.
  func run(_ fault: RelayFault) {
    let done = Monitor(false)
    server.start { [self] in
      sendUp()
      done.change { $0 = true }
    }
    server.stopSignal.during {
      sendDown(fault)
    } onStop: { [self] in
      endBoth()
    }
    // The other thread uses both descriptors: they are closed after it, not before.
    done.block { $0 }
    if case .reset = fault { client.resetOnClose() }
    client.close()
    upstream.close()
  }

  private func endBoth() {
    client.shutDown(.both)
    upstream.shutDown(.both)
  }

  private func sendUp() {
    while let bytes = client.receive() {
      guard upstream.send(bytes) else { break }
    }
    upstream.shutDown(.writing)
  }

  private func sendDown(_ fault: RelayFault) {
    var left = fault.limit
    while left > 0, let bytes = upstream.receive(atMost: Int(min(left, 65_536))) {
      guard client.send(bytes) else { break }
      left -= Int64(bytes.count)
      passed(bytes.count)
    }
    switch left > 0 ? .none : fault {
    case .none, .refuse:
      client.shutDown(.writing)
      return
    case .freeze(_, let gate):
      if gate.pass(server.stopSignal) { return sendDown(.none) }
    case .cut:
      client.shutDown(.writing)
    case .reset:
      for _ in 0..<2_000 where client.unacknowledged > 0 {
        guard server.stopSignal.pause(milliseconds: 1) else { break }
      }
    }
    // Ends the other direction, too; towards the client nothing may be sent before a reset.
    client.shutDown(.reading)
    upstream.shutDown(.both)
  }
}
