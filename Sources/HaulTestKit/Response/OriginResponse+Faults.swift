extension OriginResponse {
  private func modified(_ change: (inout OriginResponse) -> Void) -> OriginResponse {
    var copy = self
    change(&copy)
    return copy
  }

  /// The steps up to a number of bytes of the body, and those after it.
  private func steps(splitAfter count: Int64) -> (first: [BodyStep], rest: [BodyStep]) {
    var left = count
    for (index, step) in body.enumerated() {
      if step.byteCount > left {
        let (head, tail) = step.split(after: left)
        return (body[..<index] + [head], [tail] + body[(index + 1)...])
      }
      left -= step.byteCount
    }
    return (body, [])
  }

  /// Sends so many bytes of the body, then does these steps, then goes on.
  public func inserting(_ steps: [BodyStep], after count: Int64) -> OriginResponse {
    modified {
      let (first, rest) = self.steps(splitAfter: count)
      $0.body = first + steps + rest
    }
  }

  /// Closes the connection (FIN) after so many bytes of the body; what is declared stays.
  public func cutting(after count: Int64) -> OriginResponse {
    modified { $0.body = steps(splitAfter: count).first + [.close] }
  }

  /// Resets the connection (RST) after so many bytes of the body; what is declared stays.
  public func resetting(after count: Int64) -> OriginResponse {
    modified { $0.body = steps(splitAfter: count).first + [.reset] }
  }

  /// Stops sending after so many bytes of the body, until the gate opens.
  public func stalling(after count: Int64, at gate: Gate) -> OriginResponse {
    inserting([.wait(gate)], after: count)
  }

  /// Sends nothing, not even the head, until the gate opens.
  public func delayed(_ gate: Gate) -> OriginResponse {
    modified { $0.prelude.append(.wait(gate)) }
  }

  /// Sends the content no faster than so many bytes a second.
  public func throttled(bytesPerSecond rate: Int) -> OriginResponse {
    modified {
      $0.body = $0.body.map { step in
        switch step {
        case .content(let content, let range):
          .paced(content, range, bytesPerSecond: rate)
        case .bytes(let bytes):
          .paced(OriginContent(bytes), 0..<Int64(bytes.count), bytesPerSecond: rate)
        case .paced, .trickle, .raw, .wait, .close, .reset: step
        }
      }
    }
  }

  /// Sends so many bytes of junk after the body, which the declared length does not cover.
  public func surplus(_ count: Int) -> OriginResponse {
    modified { $0.body.append(.bytes([UInt8](repeating: 0x58, count: count))) }
  }

  /// Sends interim answers (1xx) before this one.
  public func preceded(by interim: OriginInterim...) -> OriginResponse {
    modified { $0.interim += interim }
  }

  /// Sends these bytes as the status line.
  public func withStatusLine(_ line: String) -> OriginResponse {
    modified { $0.statusLine = Array(line.utf8) }
  }

  /// Replaces the status code and its reason phrase, and nothing else.
  public func withStatus(_ status: Int) -> OriginResponse {
    modified {
      $0.status = status
      $0.reason = Self.reason(for: status)
    }
  }

  /// Leaves out every field of this name; the framing is another matter.
  public func without(_ name: String) -> OriginResponse {
    modified { $0.fields.removeAll { $0.isNamed(name) } }
  }

  /// Replaces every field of this name by one with this value.
  public func with(_ name: String, _ value: String) -> OriginResponse {
    with(name, raw: Array(value.utf8))
  }

  /// Replaces every field of this name by one with these bytes.
  public func with(_ name: String, raw value: [UInt8]) -> OriginResponse {
    without(name).adding(name, raw: value)
  }

  /// Adds a field beside others of this name.
  public func adding(_ name: String, _ value: String) -> OriginResponse {
    adding(name, raw: Array(value.utf8))
  }

  /// Adds a field with these bytes beside others of this name.
  public func adding(_ name: String, raw value: [UInt8]) -> OriginResponse {
    modified { $0.fields.append(OriginField(name, raw: value)) }
  }

  /// Replaces the value of `Content-Range`, whatever the body is.
  public func wrongContentRange(_ value: String) -> OriginResponse {
    with("Content-Range", value)
  }
}
