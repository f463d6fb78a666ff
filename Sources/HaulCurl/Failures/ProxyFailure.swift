internal import CCurl
internal import HaulTransfer

/// What failures mean where a proxy is in the way: those that are its own.
enum ProxyFailure {
  /// The failure of the proxy, or nil when it did its part, as far as can be told.
  static func failure(_ proxy: ProxyChoice, _ facts: ExchangeFacts) -> TransportFailure? {
    if facts.tunnelStatus == 407 || wantsCredentials(facts) {
      return failure(
        "\(proxy.name) wants a user and a password, or others than it got; give them in its URL: "
          + proxy.remedyForCredentials, isRetryable: false)
    }
    if facts.tunnelStatus >= 400 {
      return failure(
        "\(proxy.name) answered with \(facts.tunnelStatus)",
        isRetryable: facts.tunnelStatus >= 500)
    }
    if facts.result == CURLE_PROXY { return socksFailure(proxy, facts) }
    // A tunnel stands, or an answer was on its way: the proxy did its part.
    guard !facts.isConnected, facts.tunnelStatus == 0 else { return nil }
    switch facts.result {
    case CURLE_COULDNT_CONNECT where facts.text.contains("proxy scheme"),
      CURLE_COULDNT_RESOLVE_PROXY where facts.text.contains("proxy syntax"):
      return failure(
        "\(proxy.name) cannot be read; it takes http://HOST:PORT, or https, socks4, socks4a, "
          + "socks5 or socks5h in place of http", isRetryable: false)
    case CURLE_COULDNT_RESOLVE_PROXY:
      return failure("\(proxy.name) was not found; check its spelling")
    case CURLE_COULDNT_RESOLVE_HOST where facts.text.hasSuffix(": \(proxy.host ?? "")"):
      return failure("\(proxy.name) was not found; check its spelling")
    case CURLE_COULDNT_CONNECT:
      let isRefused = facts.isRefused
      return failure(
        "\(proxy.name) could not be reached (\(facts.reason))",
        absence: isRefused ? .refusedConnection : nil)
    case CURLE_OPERATION_TIMEDOUT:
      return failure(
        "\(proxy.name) made no connection in time (\(facts.reason)); "
          + "--connect-timeout S waits longer")
    case CURLE_PEER_FAILED_VERIFICATION where isTLS(proxy, facts):
      return failure(
        "\(proxy.name) has a certificate that cannot be trusted (\(facts.reason)); "
          + "--proxy-cacert FILE trusts a private authority", isRetryable: false)
    case CURLE_SSL_CACERT_BADFILE where isTLS(proxy, facts):
      return failure(
        "the certificates for \(proxy.name) cannot be used (\(facts.reason)); "
          + "look at the file of --proxy-cacert", isRetryable: false)
    case CURLE_SSL_CONNECT_ERROR where isTLS(proxy, facts):
      return failure(
        "\(proxy.name) does not speak TLS (\(facts.reason)); is it http in place of https?",
        isRetryable: !facts.reason.contains("wrong version number"))
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      return failure("\(proxy.name) closed the connection (\(facts.reason))")
    default: return nil
    }
  }

  /// What SOCKS servers say. Of a server that is not there they say so.
  private static func socksFailure(_ proxy: ProxyChoice, _ facts: ExchangeFacts)
    -> TransportFailure?
  {
    switch CURLproxycode(UInt32(clamping: facts.socksError)) {
    case CURLPX_RESOLVE_HOST:
      return TransportFailure(
        code: .nameNotResolved, isRetryable: true,
        message: "has a host that was not found; check its spelling. Names are looked up by "
          + "\(proxy.name) with socks5h in place of socks5")
    case CURLPX_REPLY_CONNECTION_REFUSED:
      return TransportFailure(
        code: .connectionFailed, isRetryable: true,
        message: "could not be reached: its port is closed, says \(proxy.name)",
        absence: .refusedConnection)
    case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE,
      CURLPX_REPLY_TTL_EXPIRED:
      return TransportFailure(
        code: .connectionFailed, isRetryable: true,
        message: "could not be reached from \(proxy.name)")
    case CURLPX_REPLY_NOT_ALLOWED:
      return failure("\(proxy.name) does not allow that", isRetryable: false)
    case CURLPX_BAD_VERSION, CURLPX_UNKNOWN_MODE, CURLPX_REPLY_COMMAND_NOT_SUPPORTED:
      return failure(
        "\(proxy.name) does not speak this version of SOCKS (\(facts.reason)); "
          + "socks4, socks4a, socks5 and socks5h can be tried", isRetryable: false)
    default:
      // Mostly a proxy of another kind, which does not get better by waiting.
      return failure(
        "\(proxy.name) did not connect to it (\(facts.reason)); is it a proxy of another kind?",
        absence: .refusedConnection)
    }
  }

  private static func wantsCredentials(_ facts: ExchangeFacts) -> Bool {
    let codes = [
      CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER, CURLPX_GSSAPI,
    ]
    return facts.result == CURLE_PROXY && codes.contains { Int($0.rawValue) == facts.socksError }
  }

  /// Whether TLS with the proxy itself was on, and not yet that with the server in a tunnel.
  private static func isTLS(_ proxy: ProxyChoice, _ facts: ExchangeFacts) -> Bool {
    proxy.isSecure && facts.tunnelStatus == 0
  }

  private static func failure(
    _ what: String, isRetryable: Bool = true, absence: TransportFailure.Absence? = nil
  ) -> TransportFailure {
    TransportFailure(
      code: .proxy, isRetryable: isRetryable, message: "could not be asked: " + what,
      absence: absence)
  }
}
