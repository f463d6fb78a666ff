internal import Synchronization

/// Accepts connections on 127.0.0.1 and serves each on a thread of its own.
final class LoopbackServer: Sendable {
  typealias Service = @Sendable (_ socket: Socket, _ index: Int, _ server: LoopbackServer) -> Void

  let port: UInt16
  let stopSignal = StopSignal()
  private let listener: Socket
  private let crew = Crew()
  private let accepted = Monitor(0)

  init(_ service: @escaping Service) throws {
    (listener, port) = try Socket.listening()
    crew.start { [self] in
      while !stopSignal.isStopped {
        guard let socket = listener.accept() else {
          // Stopped, or out of descriptors for a moment.
          _ = stopSignal.pause(milliseconds: 10)
          continue
        }
        let index = accepted.change { count in
          count += 1
          return count - 1
        }
        guard !stopSignal.isStopped else { break }
        start {
          self.stopSignal.during {
            service(socket, index, self)
          } onStop: {
            socket.shutDown(.both)
          }
        }
      }
    }
  }

  /// How many connections were accepted so far.
  var connectionCount: Int { accepted.read { $0 } }

  /// Runs a job on a thread that `stop` waits for.
  func start(_ job: @escaping @Sendable () -> Void) {
    crew.start(job)
  }

  /// Ends the listener and every connection, and waits until the threads are gone.
  func stop() {
    stopSignal.stop()
    listener.shutDown(.both)
    crew.wait()
    listener.close()
  }

  /// Sends the end of the stream, then waits a moment for the peer's, since closing with unread
  /// input would send a reset.
  func endOrderly(_ socket: Socket) {
    socket.shutDown(.writing)
    while !stopSignal.isStopped, socket.waitForInput(milliseconds: 1_000),
      socket.receive() != nil
    {}
    socket.close()
  }

  /// Resets the connection, after what was sent has arrived as far as the peer takes it.
  func reset(_ socket: Socket) {
    for _ in 0..<2_000 where socket.unacknowledged > 0 {
      guard stopSignal.pause(milliseconds: 1) else { break }
    }
    socket.resetOnClose()
    socket.close()
  }
}
