public import HaulHTTP
public import HaulTransfer

/// What a `FakeTransport` does in answer to one request, step by step.
public struct FakeAnswer: Sendable {
  /// One thing that happens in an exchange.
  public enum Step: Sendable {
    /// The head of the answer; once, before any byte.
    case head(ResponseHead)
    /// Bytes of the body, shown in pieces of random sizes.
    case bytes([UInt8])
    /// So many seconds in which nothing arrives.
    case silence(Double)
  }

  /// What happens, in order.
  public var steps: [Step]
  /// How the exchange ends after the last step.
  public var outcome: TransportOutcome

  /// Makes an answer from its steps.
  public init(_ steps: [Step], outcome: TransportOutcome = .complete) {
    self.steps = steps
    self.outcome = outcome
  }

  /// An answer with a head and a body.
  public init(
    _ status: Int, _ fields: [(String, String)] = [], body: [UInt8] = [],
    version: HTTPVersion = .http11, outcome: TransportOutcome = .complete
  ) {
    let fields = HeaderFields(fields.map { HeaderField(name: $0.0, value: $0.1) })
    self.init(
      [.head(ResponseHead(version: version, status: status, fields: fields)), .bytes(body)],
      outcome: outcome)
  }

  /// No answer at all, but a failure.
  public static func failure(
    _ code: TransferFailure.Code = .connectionLost, isRetryable: Bool = true
  ) -> FakeAnswer {
    FakeAnswer([], outcome: .lost(code, isRetryable: isRetryable))
  }
}

extension TransportOutcome {
  /// A failure as a connection has it.
  public static func lost(
    _ code: TransferFailure.Code = .connectionLost, isRetryable: Bool = true
  ) -> TransportOutcome {
    .failed(TransportFailure(code: code, isRetryable: isRetryable, message: "was cut by the test"))
  }
}
