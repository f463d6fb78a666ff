/// One step of sending a body.
public enum BodyStep: Sendable {
  /// Bytes of the body, framed as the answer says.
  case bytes([UInt8])
  /// A range of some content, framed as the answer says.
  case content(OriginContent, Range<Int64>)
  /// The same, not faster than a number of bytes a second.
  case paced(OriginContent, Range<Int64>, bytesPerSecond: Int)
  /// Bytes of the body one by one, each followed by a pause.
  case trickle([UInt8], everyMilliseconds: Int)
  /// Bytes that go on the wire as they are, whatever the framing: broken chunks, for instance.
  case raw([UInt8])
  /// Waits until the test opens the gate.
  case wait(Gate)
  /// Ends the connection in order, by a FIN.
  case close
  /// Resets the connection, after the client's system has received what was sent before.
  case reset

  /// How many bytes of the body the step sends.
  public var byteCount: Int64 {
    switch self {
    case .bytes(let bytes), .trickle(let bytes, _): Int64(bytes.count)
    case .content(_, let range), .paced(_, let range, _): range.upperBound - range.lowerBound
    case .raw, .wait, .close, .reset: 0
    }
  }

  /// Whether it ends the connection.
  var endsConnection: Bool {
    switch self {
    case .close, .reset: true
    case .bytes, .content, .paced, .trickle, .raw, .wait: false
    }
  }

  /// The step in two parts, the first with at most `count` bytes of the body.
  func split(after count: Int64) -> (BodyStep, BodyStep) {
    switch self {
    case .bytes(let bytes):
      return (.bytes(Array(bytes.prefix(Int(count)))), .bytes(Array(bytes.dropFirst(Int(count)))))
    case .trickle(let bytes, let interval):
      return (
        .trickle(Array(bytes.prefix(Int(count))), everyMilliseconds: interval),
        .trickle(Array(bytes.dropFirst(Int(count))), everyMilliseconds: interval)
      )
    case .content(let content, let range):
      let middle = min(range.upperBound, range.lowerBound + count)
      return (
        .content(content, range.lowerBound..<middle), .content(content, middle..<range.upperBound)
      )
    case .paced(let content, let range, let rate):
      let middle = min(range.upperBound, range.lowerBound + count)
      return (
        .paced(content, range.lowerBound..<middle, bytesPerSecond: rate),
        .paced(content, middle..<range.upperBound, bytesPerSecond: rate)
      )
    case .raw, .wait, .close, .reset:
      return (.bytes([]), self)
    }
  }

  /// All bytes of the body that the step sends.
  var bodyBytes: [UInt8] {
    switch self {
    case .bytes(let bytes), .trickle(let bytes, _): bytes
    case .content(let content, let range), .paced(let content, let range, _):
      content.bytes(in: range)
    case .raw, .wait, .close, .reset: []
    }
  }
}
