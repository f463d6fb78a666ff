internal import CCurl
internal import CHaulCurl
internal import Glibc
internal import HaulHTTP
internal import HaulSystem
internal import HaulTransfer
internal import Synchronization

/// The event loop of libcurl: an actor whose executor is the loop's thread, so that callbacks run
/// on the actor and exchanges need no locks.
actor CurlLoop {
  enum Command: Sendable {
    case start(TransportRequest, ConnectionID, any TransportReceiver)
    case resume(ConnectionID)
    case cancel(ConnectionID)
    /// What came of looking for a name once more.
    case lookedUp(ConnectionID, hasNoAddress: Bool)
    case endSession(ConnectionID)
    case shutDown
  }

  private struct Unanswered {
    let receiver: any TransportReceiver
    let failure: TransportFailure
  }

  /// The multi handle. Only `curl_multi_wakeup` is called on it from other threads, as allowed.
  @safe private final class Multi: @unchecked Sendable {
    let handle: OpaquePointer?

    init() {
      _ = Self.global
      // libcurl returns nil only when memory has run out.
      unsafe handle = unsafe OpaquePointer(curl_multi_init())
    }

    deinit {
      // The loop's thread has ended: nobody else holds this object.
      unsafe curl_multi_cleanup(UnsafeMutableRawPointer(handle))
    }

    var raw: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(handle) }

    /// Makes the loop's thread come back from `curl_multi_poll`; from any thread.
    func wakeUp() {
      // The one call on a multi handle that libcurl allows from other threads.
      unsafe curl_multi_wakeup(raw)
    }

    /// Once in a process, before any other use.
    private static let global: UInt32 = curl_global_init(Int(CURL_GLOBAL_ALL)).rawValue
  }

  private let multi: Multi
  private let inbox = Mutex<[Command]>([])
  private let executor: LoopExecutor
  private var exchanges: [ConnectionID: CurlExchange] = [:]
  /// Exchanges that are over, and whose receivers hear it when a look-up has said why.
  private var unanswered: [ConnectionID: Unanswered] = [:]
  private var cookies = CookieShares()
  private let proxies = ProxyVariables.ofProcess
  /// Whether connections may be open that leave from an interface that was named.
  private var hasNamedInterface = false
  private var isShutDown = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    // The actor keeps its executor for as long as it lives.
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens at most so many connections to a server, those that are kept for the next request included.
  init(maximumHostConnections: Int?) {
    let multi = Multi()
    self.multi = multi
    executor = LoopExecutor { multi.wakeUp() }
    unsafe haul_curl_multi_set_long(multi.raw, CURLMOPT_MAXCONNECTS, 64)
    guard let maximumHostConnections else { return }
    unsafe haul_curl_multi_set_long(
      multi.raw, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, maximumHostConnections))
  }

  nonisolated func startThread() {
    let isStarted = SystemThread.start { [self] in
      executor.adoptThread()
      // A server that goes away while OpenSSL writes must not end the process. The signal is for the
      // thread that writes, and waits there to its end.
      var signals = sigset_t()
      // The set is a local variable.
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGPIPE)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      // libcurl reads host names by the locale of the thread, and ours are UTF-8 (IDNA). The
      // locale is never freed, as the thread uses it to its end; nil would change nothing.
      unsafe uselocale(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
      var goesOn = true
      while goesOn {
        executor.runJobs()
        goesOn = assumeIsolated { $0.turn() }
      }
    }
    precondition(isStarted, "the system gives no more threads")
  }

  /// Leaves a command for the loop; commands are carried out in the order of the calls.
  nonisolated func submit(_ command: Command) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(command)
      return inbox.count == 1
    }
    // A command that waits already has woken the loop.
    if isFirst { multi.wakeUp() }
  }

  /// One turn of the loop; false when it was the last.
  private func turn() -> Bool {
    let commands = inbox.withLock { inbox in
      defer { inbox.removeAll() }
      return inbox
    }
    for command in commands { carryOut(command) }
    if isShutDown { return false }
    var running: Int32 = 0
    unsafe curl_multi_perform(multi.raw, &running)
    readMessages()
    // Wakes up for sockets, libcurl's own timers, and `curl_multi_wakeup`.
    unsafe curl_multi_poll(multi.raw, nil, 0, 60_000, nil)
    return true
  }

  private func carryOut(_ command: Command) {
    switch command {
    case .start(let request, let id, let receiver): start(request, id, receiver)
    case .resume(let id):
      guard let exchange = exchanges[id] else { return }
      let result = exchange.resume()
      if result != CURLE_OK { end(exchange, result) }
    case .cancel(let id):
      unanswered[id] = nil
      guard let exchange = exchanges.removeValue(forKey: id) else { return }
      remove(exchange)
    case .lookedUp(let id, let hasNoAddress):
      guard let asked = unanswered.removeValue(forKey: id) else { return }
      var failure = asked.failure
      if hasNoAddress { failure.absence = .unknownName }
      asked.receiver.completed(.failed(failure))
    case .endSession(let session): cookies.end(session)
    case .shutDown:
      isShutDown = true
      for exchange in exchanges.values { remove(exchange) }
      exchanges = [:]
      unanswered = [:]
      cookies.endAll()
    }
  }

  private func start(
    _ request: TransportRequest, _ id: ConnectionID, _ receiver: any TransportReceiver
  ) {
    guard let exchange = CurlExchange(id, request, proxy(for: request), receiver) else {
      receiver.released()
      receiver.completed(
        .failed(
          TransportFailure(
            code: .connectionFailed, isRetryable: true, message: "no memory for a connection")))
      return
    }
    if exchange.isRelayed {
      // libcurl would count the connections to the proxy, whichever servers they are for.
      unsafe haul_curl_multi_set_long(multi.raw, CURLMOPT_MAX_HOST_CONNECTIONS, 0)
    }
    if request.options.interface != nil {
      hasNamedInterface = true
    } else if hasNamedInterface {
      // libcurl looks at the interface of an open connection only where one is wanted.
      exchange.easy.set(CURLOPT_FRESH_CONNECT, 1)
    }
    cookies.attach(exchange.easy, to: request.session, file: request.options.cookieFile)
    exchanges[id] = exchange
    unsafe curl_multi_add_handle(multi.raw, exchange.easy.raw)
  }

  private func proxy(for request: TransportRequest) -> ProxyChoice? {
    // Mostly there is none, and then the address need not be read again.
    guard request.options.proxy.map({ !$0.isEmpty }) ?? !proxies.isEmpty,
      let url = try? HTTPURL(parsing: request.url)
    else { return nil }
    return ProxyChoice(for: url, request.options, proxies)
  }

  private func readMessages() {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi.raw, &left) {
      var result = CURLE_OK
      guard let easy = unsafe haul_curl_message_done(message, &result),
        let exchange = unsafe CurlExchange.of(easy)
      else { continue }
      end(exchange, result)
    }
  }

  private func end(_ exchange: CurlExchange, _ result: CURLcode) {
    exchanges[exchange.id] = nil
    let outcome = exchange.outcome(result)
    let unknownHost = exchange.unknownHost(result)
    remove(exchange)
    if case .failed(let failure) = outcome, let unknownHost {
      let id = exchange.id
      unanswered[id] = Unanswered(receiver: exchange.receiver, failure: failure)
      NameLookUp.start(unknownHost, exchange.family) { [weak self] in
        self?.submit(.lookedUp(id, hasNoAddress: $0))
      }
      return
    }
    // Last, with nothing of libcurl's in use any more: the receiver may start the next exchange.
    exchange.receiver.completed(outcome)
  }

  private func remove(_ exchange: CurlExchange) {
    unsafe curl_multi_remove_handle(multi.raw, exchange.easy.raw)
    cookies.detach(exchange.easy, from: exchange.session)
    exchange.easy.close()
    // Only now: a connection that is not kept for the next request was closed by these calls.
    exchange.receiver.released()
  }
}
