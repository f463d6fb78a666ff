/// Sends one answer, step by step, on the thread of its connection.
struct ResponseWriter {
  /// What becomes of the connection after an answer.
  enum Ending: Equatable {
    case keepAlive, close, reset, gone
  }

  let socket: Socket
  let stop: StopSignal
  let bodyBytes: (Int) -> Void

  func write(_ response: OriginResponse, to request: OriginRequest) -> Ending {
    if let ending = run(response.prelude, isChunked: false) { return ending }
    var head: [UInt8] = []
    for interim in response.interim { head += interim.encoded }
    head += response.encodedHead
    guard socket.send(head) else { return .gone }
    let after: Ending = response.closesConnection ? .close : .keepAlive
    if request.method == "HEAD", !response.answersHeadWithBody { return after }
    let isChunked = response.framing.isChunked
    if let ending = run(response.body, isChunked: isChunked) { return ending }
    if isChunked, response.endsChunks {
      var end = Array("0\r\n".utf8)
      for field in response.trailers { end += field.encoded }
      guard socket.send(end + [13, 10]) else { return .gone }
    }
    return after
  }

  /// Runs steps until one ends the connection; nil when none did.
  private func run(_ steps: [BodyStep], isChunked: Bool) -> Ending? {
    for step in steps {
      guard !stop.isStopped else { return .gone }
      switch step {
      case .raw(let bytes):
        guard socket.send(bytes) else { return .gone }
      case .bytes(let bytes):
        guard send(bytes, isChunked) else { return .gone }
      case .content(let content, let range):
        guard send(content, range, isChunked) else { return .gone }
      case .trickle(let bytes, let interval):
        for byte in bytes {
          guard send([byte], isChunked), stop.pause(milliseconds: interval) else { return .gone }
        }
      case .paced(let content, let range, let bytesPerSecond):
        guard pace(content, range, bytesPerSecond, isChunked) else { return .gone }
      case .wait(let gate):
        guard gate.pass(stop) else { return .gone }
      case .close: return .close
      case .reset: return .reset
      }
    }
    return nil
  }

  private func send(_ bytes: [UInt8], _ isChunked: Bool) -> Bool {
    guard !bytes.isEmpty else { return true }
    bodyBytes(bytes.count)
    guard isChunked else { return socket.send(bytes) }
    return socket.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
  }

  private func send(_ content: OriginContent, _ range: Range<Int64>, _ isChunked: Bool) -> Bool {
    // The block is valid during the call of the closure.
    unsafe content.forEachBlock(in: range) { block in
      bodyBytes(block.count)
      if isChunked {
        let size = String(block.count, radix: 16)
        guard socket.send(Array("\(size)\r\n".utf8)) else { return false }
      }
      guard unsafe socket.send(block) else { return false }
      return !stop.isStopped && (!isChunked || socket.send([13, 10]))
    }
  }

  /// Keeps to the average rate from the first byte on, in slices of 10 ms.
  private func pace(
    _ content: OriginContent, _ range: Range<Int64>, _ bytesPerSecond: Int, _ isChunked: Bool
  ) -> Bool {
    let start = MonotonicTime.now
    let slice = Int64(max(1, bytesPerSecond / 100))
    var sent: Int64 = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(range.upperBound, position + slice)
      guard send(content, position..<end, isChunked) else { return false }
      sent += end - position
      position = end
      let due = start.adding(milliseconds: Int(sent * 1_000 / Int64(max(1, bytesPerSecond))))
      guard stop.pause(milliseconds: due.millisecondsLeft) else { return false }
    }
    return true
  }
}
