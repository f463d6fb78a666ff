internal import CCurl
internal import CHaulCurl
internal import HaulHTTP
internal import HaulTransfer

/// One request on the way: its handle, its receiver, and the head as it arrives. Used on the
/// loop's thread only.
final class CurlExchange {
  let id: ConnectionID
  let session: ConnectionID
  let receiver: any TransportReceiver
  let easy: EasyHandle
  let proxy: ProxyChoice?
  let isSecure: Bool
  private let request: TransportRequest
  private var head: HeadParser
  private var isPaused = false
  private var wasStopped = false

  init?(
    _ id: ConnectionID, _ request: TransportRequest, _ proxy: ProxyChoice?,
    _ receiver: any TransportReceiver
  ) {
    guard let easy = EasyHandle() else { return nil }
    self.id = id
    session = request.session
    self.receiver = receiver
    self.easy = easy
    self.proxy = proxy
    self.request = request
    isSecure = request.url.hasPrefix("https:")
    head = HeadParser(mayBeHTTP2: isSecure)
    configure()
  }

  /// The exchange that a handle belongs to.
  static func of(_ easy: UnsafeMutableRawPointer) -> CurlExchange? {
    var context: UnsafeMutableRawPointer?
    unsafe haul_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
    return unsafe context.map { unsafe from($0) }
  }

  private static func from(_ context: UnsafeMutableRawPointer) -> CurlExchange {
    // The loop keeps the exchange until its handle was closed, and calls come before that.
    unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
  }

  /// Shows the receiver the bytes it did not take; they may be shown inside this call.
  ///
  /// libcurl tells here, and nowhere else, that the receiver wanted no more of them: such an
  /// exchange is over, though it would go on without the bytes that were shown.
  func resume() -> CURLcode {
    guard isPaused else { return CURLE_OK }
    isPaused = false
    return unsafe curl_easy_pause(easy.raw, CURLPAUSE_CONT)
  }

  /// How the exchange ended, by libcurl's result.
  func outcome(_ result: CURLcode) -> TransportOutcome {
    if result == CURLE_OK { return .complete }
    if wasStopped { return .stopped }
    if let reason = head.failure {
      return .failed(TransportFailure(code: .badResponse, isRetryable: false, message: reason))
    }
    return .failed(CurlFailure.failure(facts(result)))
  }

  /// The host that was not found, and that is worth a second look-up: one that waited for an answer
  /// in vain would wait for it again.
  func unknownHost(_ result: CURLcode) -> String? {
    guard result != CURLE_OK, easy.double(CURLINFO_TOTAL_TIME) < NameLookUp.longestAnswer else {
      return nil
    }
    switch CurlFailure.failure(facts(result)).code {
    case .proxy where result == CURLE_COULDNT_RESOLVE_PROXY || result == CURLE_COULDNT_RESOLVE_HOST:
      return proxy?.host
    case .nameNotResolved: return host
    default: return nil
    }
  }

  /// Whether a proxy makes the request in our place, rather than connect us to the server.
  var isRelayed: Bool { !isSecure && proxy.map { $0.scheme.hasPrefix("http") } ?? false }

  var family: AddressFamily? { request.options.addressFamily }

  private var host: String? { try? HTTPURL(parsing: request.url).host }

  private func facts(_ result: CURLcode) -> ExchangeFacts {
    ExchangeFacts(
      result: result, text: easy.errorDescription, proxy: proxy, options: request.options,
      isSecure: isSecure,
      isConnected: easy.double(CURLINFO_CONNECT_TIME) > 0,
      tunnelStatus: easy.long(CURLINFO_HTTP_CONNECTCODE),
      socksError: easy.long(CURLINFO_PROXY_ERROR), systemError: easy.long(CURLINFO_OS_ERRNO))
  }

  private func configure() {
    // Valid as long as the handle: both end in the same call.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe easy.set(CURLOPT_PRIVATE, context)
    unsafe easy.set(CURLOPT_WRITEDATA, context)
    unsafe easy.set(CURLOPT_HEADERDATA, context)
    unsafe easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      // libcurl shows `size * count` bytes that are valid during the call.
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe CurlExchange.from(context).takeLine(line.bytes) ? size * count : 0
    }
    unsafe easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      // libcurl shows `size * count` bytes that are valid during the call.
      let body = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe CurlExchange.from(context).takeBody(body.bytes)
    }
    easy.set(CURLOPT_URL, request.url)
    easy.set(CURLOPT_NOSIGNAL, 1)
    easy.set(CURLOPT_PATH_AS_IS, 1)
    // Content codings are ours to undo, so that coded bytes can be digested.
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Larger ones gain nothing measurable, and each connection has one.
    easy.set(CURLOPT_BUFFERSIZE, 64 * 1024)
    easy.set(CURLOPT_TCP_KEEPALIVE, 1)
    unsafe haul_curl_set_quick_exit(easy.raw)
    set(request.fields)
    set(request.options, mayShare: request.mayShareConnection)
    setProxy(request.options)
  }

  /// Takes a line of the head; false ends the exchange.
  private func takeLine(_ line: RawSpan) -> Bool {
    if let complete = head.take(line) { receiver.received(complete) }
    return head.failure == nil
  }

  private func takeBody(_ bytes: RawSpan) -> Int {
    guard head.isComplete else {
      // A receiver without a head would wait for one for ever.
      head.missed()
      return 0
    }
    switch receiver.received(bytes) {
    case .taken: return bytes.byteCount
    case .pause:
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .stop:
      wasStopped = true
      return 0
    }
  }
}
