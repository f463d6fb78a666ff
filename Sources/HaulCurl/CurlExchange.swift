internal import CCurl
internal import CHaulCurl
internal import Glibc
internal import HaulHTTP
internal import HaulTransfer

/// One request on the way: its handle, its receiver, and the head as it arrives. Used on the
/// loop's thread only.
final class CurlExchange {
  let id: ConnectionID
  let session: ConnectionID
  let receiver: any TransportReceiver
  let easy: EasyHandle
  private var head: HeadParser
  private var isPaused = false
  private var wasStopped = false

  /// `easy` is a new handle, or one as good as new.
  init(
    _ id: ConnectionID, _ request: TransportRequest, on easy: EasyHandle,
    _ receiver: any TransportReceiver
  ) {
    self.id = id
    session = request.session
    self.receiver = receiver
    self.easy = easy
    head = HeadParser(mayBeHTTP2: request.url.hasPrefix("https:"))
    configure(request)
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
    return .failed(
      CurlFailure.failure(
        result, text: easy.errorDescription, proxyStatus: easy.long(CURLINFO_HTTP_CONNECTCODE)))
  }

  private func configure(_ request: TransportRequest) {
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
    easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Where a server speaks HTTP/2, different files share a connection: while the first one is made,
    // the others wait to see. Parts of one file are to have connections of their own instead.
    if request.url.hasPrefix("https:") { easy.set(CURLOPT_PIPEWAIT, 1) }
    // Content codings are ours to undo, so that coded bytes can be digested.
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    easy.set(CURLOPT_BUFFERSIZE, 256 * 1024)
    easy.set(CURLOPT_TCP_KEEPALIVE, 1)
    unsafe haul_curl_set_quick_exit(easy.raw)
    setFields(request.fields)
    set(request.options)
  }

  private func setFields(_ fields: [HeaderField]) {
    var lines: [String] = []
    var cookies: [String] = []
    for field in fields {
      if field.name.equalsIgnoringASCIICase("Cookie") {
        // In libcurl's care, so that cookies set on the way are sent in the same line.
        cookies.append(field.value)
      } else {
        lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
    }
    easy.setHeaderLines(lines)
    if !cookies.isEmpty { easy.set(CURLOPT_COOKIE, cookies.joined(separator: "; ")) }
  }

  private func set(_ options: ConnectionOptions) {
    let milliseconds = min(max(options.connectTimeout * 1000, 1), 2_000_000_000)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(milliseconds))
    easy.set(CURLOPT_LOW_SPEED_LIMIT, Int(clamping: options.lowSpeed))
    let window = min(max(options.lowSpeedWindow.rounded(.up), 1), 2_000_000)
    easy.set(CURLOPT_LOW_SPEED_TIME, options.lowSpeed > 0 ? Int(window) : 0)
    if let proxy = options.proxy { easy.set(CURLOPT_PROXY, proxy) }
    if let file = options.certificateAuthorities { easy.set(CURLOPT_CAINFO, file) }
    if options.isInsecure {
      easy.set(CURLOPT_SSL_VERIFYPEER, 0)
      easy.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    guard options.isRateLimited else { return }
    unsafe easy.set(CURLOPT_SOCKOPTFUNCTION) { _, socket, _ in
      var size: Int32 = 64 * 1024
      // Best effort: without it the kernel takes megabytes ahead of a limit.
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      return CURL_SOCKOPT_OK
    }
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
