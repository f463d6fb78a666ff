public import HaulHTTP

/// Names one request on the network; never used twice in a process.
public struct ConnectionID: Sendable, Hashable {
  /// The number.
  public let value: UInt64

  /// Makes a name.
  public init(_ value: UInt64) {
    self.value = value
  }
}

/// One GET.
public struct TransportRequest: Sendable {
  /// The absolute URL, without userinfo and fragment, sent as it is.
  public var url: String
  /// The header fields, in order; nothing is added but `Host` and what the connection needs.
  public var fields: [HeaderField]
  /// How the connection is made.
  public var options: ConnectionOptions
  /// The transfer it belongs to; requests of one transfer share their cookies.
  public var session: ConnectionID
  /// Whether it may be one of several on an HTTP/2 connection. The parts of one file must not, since
  /// all of them together would be no faster than one.
  public var mayShareConnection = true

  /// Makes a request.
  public init(
    url: String, fields: [HeaderField], options: ConnectionOptions, session: ConnectionID
  ) {
    self.url = url
    self.fields = fields
    self.options = options
    self.session = session
  }
}

/// Why an exchange on the network ended badly.
public struct TransportFailure: Error, Sendable, Hashable {
  /// Signs that nobody is there to be asked. Where there never was anybody, waiting seldom helps.
  public enum Absence: Sendable, Hashable {
    /// The look-up was answered: the host has no address. A look-up without an answer is none.
    case unknownName
    /// The host is there, and nobody listens at the port.
    case refusedConnection
  }

  /// The kind of failure.
  public var code: TransferFailure.Code
  /// Whether the same request may go better later.
  public var isRetryable: Bool
  /// The sign that nobody is there, if there is one.
  public var absence: Absence?
  /// What happened, as a sentence without secrets.
  public var message: String

  /// Makes a failure.
  public init(
    code: TransferFailure.Code, isRetryable: Bool, message: String, absence: Absence? = nil
  ) {
    self.code = code
    self.isRetryable = isRetryable
    self.message = message
    self.absence = absence
  }
}

/// What a receiver did with bytes that it was shown.
public enum ReceiveVerdict: Sendable, Hashable {
  /// It took all of them.
  case taken
  /// It took none, and wants them again after `Transport.resume`.
  case pause
  /// It wants no more; the exchange is ended.
  case stop
}

/// How an exchange ended.
public enum TransportOutcome: Sendable, Hashable {
  /// The body ended as its framing says.
  case complete
  /// The receiver said `stop`.
  case stopped
  /// It failed.
  case failed(TransportFailure)
}

/// Hears one exchange; all calls come from one thread, in order, and must not block.
public protocol TransportReceiver: AnyObject, Sendable {
  /// The final answer's head; once, before any byte.
  func received(_ head: ResponseHead)
  /// Bytes of the body, as they were sent (content codings are not undone).
  func received(_ bytes: RawSpan) -> ReceiveVerdict
  /// The exchange uses its connection no longer, which is closed by now or kept for the next request.
  ///
  /// Once, also after a cancellation, and before `completed`.
  func released()
  /// The end; once, and nothing after it.
  func completed(_ outcome: TransportOutcome)
}

/// Asks for bytes.
///
/// Redirects are not followed. Every call returns at once and may be made from any thread.
public protocol Transport: Sendable {
  /// Starts an exchange; the receiver is kept until it has heard the end.
  func start(
    _ request: TransportRequest, id: ConnectionID, receiver: any TransportReceiver)
  /// Shows a receiver that paused its bytes again; without a paused exchange nothing happens.
  func resume(_ id: ConnectionID)
  /// Ends an exchange; its receiver hears nothing more but `released`.
  func cancel(_ id: ConnectionID)
  /// Forgets the cookies of a transfer.
  func endSession(_ session: ConnectionID)
}
