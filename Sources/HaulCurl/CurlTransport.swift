internal import CCurl
public import HaulTransfer

/// Asks for bytes over HTTP/1.1 and HTTP/2 through libcurl, on a thread of its own.
///
/// `SIGPIPE` is held back on that thread.
public final class CurlTransport: Transport {
  private let loop: CurlLoop

  /// Starts the thread.
  ///
  /// No server sees more than `maximumHostConnections` at once, at least 1, whether they are in use or
  /// kept for the next request; nil for no such limit. Once a plain request goes through an HTTP proxy
  /// it holds no longer: then it is the proxy that connects.
  public init(maximumHostConnections: Int? = nil) {
    loop = CurlLoop(maximumHostConnections: maximumHostConnections)
    loop.startThread()
  }

  deinit {
    loop.submit(.shutDown)
  }

  /// The version line of libcurl and the libraries in it, for `--version`.
  public static var versionDescription: String {
    // libcurl returns a static string that ends with NUL.
    unsafe curl_version().map { unsafe String(cString: $0) } ?? "libcurl"
  }

  /// Starts an exchange.
  public func start(
    _ request: TransportRequest, id: ConnectionID, receiver: any TransportReceiver
  ) {
    loop.submit(.start(request, id, receiver))
  }

  /// Shows a receiver that paused its bytes again.
  public func resume(_ id: ConnectionID) { loop.submit(.resume(id)) }

  /// Ends an exchange.
  public func cancel(_ id: ConnectionID) { loop.submit(.cancel(id)) }

  /// Forgets the cookies of a transfer.
  public func endSession(_ session: ConnectionID) { loop.submit(.endSession(session)) }
}
