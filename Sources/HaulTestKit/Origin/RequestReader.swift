internal import HaulHTTP

/// Reads the requests of one connection.
struct RequestReader {
  private let socket: Socket
  private var buffer: [UInt8] = []

  init(_ socket: Socket) {
    self.socket = socket
  }

  /// The bytes that were read beyond the last request.
  var leftover: [UInt8] { buffer }

  /// The parts of a request head.
  struct Head {
    var method: String
    var target: String
    var version: String
    var fields: HeaderFields
  }

  /// Reads a head; nil when the peer has gone or sends something else.
  mutating func readHead() -> Head? {
    var scanned = 0
    while true {
      if let end = endOfHead(from: scanned) {
        let lines = buffer[..<end]
        let head = Self.parse(lines)
        buffer.removeFirst(end)
        return head
      }
      scanned = max(0, buffer.count - 3)
      guard buffer.count < 1 << 20, let more = socket.receive() else { return nil }
      buffer += more
    }
  }

  /// Reads the body that the head announces; nil when the peer has gone.
  mutating func readBody(of head: Head) -> [UInt8]? {
    guard let length = head.fields.first("Content-Length").flatMap(Int.init), length > 0 else {
      return []
    }
    if head.fields.first("Expect")?.lowercased() == "100-continue" {
      guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
    }
    while buffer.count < length {
      guard let more = socket.receive() else { return nil }
      buffer += more
    }
    defer { buffer.removeFirst(length) }
    return Array(buffer[..<length])
  }

  private func endOfHead(from start: Int) -> Int? {
    guard buffer.count >= 4 else { return nil }
    for index in start..<max(start, buffer.count - 3) where buffer[index] == 13 {
      if buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 {
        return index + 4
      }
    }
    return nil
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) -> Head? {
    let lines = bytes.split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }
    guard let start = lines.first else { return nil }
    let words = start.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    var fields = HeaderFields()
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: 58) else { return nil }
      let value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
      fields.append(
        name: String(decoding: line[..<colon], as: UTF8.self),
        value: String(decoding: value, as: UTF8.self))
    }
    return Head(method: words[0], target: words[1], version: words[2], fields: fields)
  }
}
