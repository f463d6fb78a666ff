import Glibc

@testable import HaulTestKit

/// A client that sends text and keeps what comes back, byte for byte.
struct RawClient {
  struct Answer {
    var head: String
    var body: [UInt8]
    /// The error number that ended the connection; 0 for an orderly end.
    var error: Int32

    var status: String { String(head.prefix { $0 != "\r\n" }) }

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  private let socket: Socket

  init(port: UInt16) throws {
    socket = try Socket.connected(to: port)
  }

  func send(_ text: String) {
    _ = socket.send(Array(text.utf8))
  }

  /// Reads until the connection ends.
  func readToEnd() -> Answer {
    var all: [UInt8] = []
    errno = 0
    var error: Int32 = 0
    while true {
      errno = 0
      guard let bytes = socket.receive() else {
        error = errno
        break
      }
      all += bytes
    }
    return Self.split(all, error: error)
  }

  /// Reads one answer whose length is declared.
  func readAnswer() -> Answer {
    var all: [UInt8] = []
    while let bytes = socket.receive() {
      all += bytes
      let answer = Self.split(all, error: 0)
      let length = answer.header("Content-Length").flatMap(Int.init) ?? 0
      if !answer.head.isEmpty, answer.body.count >= length { return answer }
    }
    return Self.split(all, error: -1)
  }

  static func split(_ bytes: [UInt8], error: Int32) -> Answer {
    let end = (0..<max(0, bytes.count - 3)).first { index in
      Array(bytes[index..<index + 4]) == [13, 10, 13, 10]
    }
    guard let end else { return Answer(head: "", body: bytes, error: error) }
    return Answer(
      head: String(decoding: bytes[..<end], as: UTF8.self), body: Array(bytes[(end + 4)...]),
      error: error)
  }

  /// Makes one request and reads until the connection ends.
  static func get(_ origin: HostileOrigin, _ target: String = "/", _ fields: String...) throws
    -> Answer
  {
    let client = try RawClient(port: origin.port)
    let lines = ["GET \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return client.readToEnd()
  }
}
