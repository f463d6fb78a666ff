internal import CCurl
internal import Glibc
internal import HaulTransfer

/// What libcurl's results mean to a transfer.
enum CurlFailure {
  static func failure(_ facts: ExchangeFacts) -> TransportFailure {
    if let proxy = facts.proxy, let failure = ProxyFailure.failure(proxy, facts) {
      return failure
    }
    var (code, isRetryable, sentence) =
      localCause(facts) ?? secureCause(facts) ?? kind(facts.result, facts.reason)
    if let proxy = facts.proxy { sentence += "; it was asked through \(proxy.name)" }
    return TransportFailure(
      code: code, isRetryable: isRetryable, message: sentence,
      absence: facts.isRefused ? .refusedConnection : nil)
  }

  private typealias Cause = (TransferFailure.Code, Bool, String)

  /// What the options of this end forbid.
  private static func localCause(_ facts: ExchangeFacts) -> Cause? {
    let family = facts.options.addressFamily
    let (name, option) = family == .ipv4 ? ("IPv4", "-4") : ("IPv6", "-6")
    switch facts.result {
    case CURLE_INTERFACE_FAILED:
      let interface = facts.options.interface ?? ""
      return (
        .connectionFailed, false,
        "could not be asked: no connection can be made from “\(interface)” (\(facts.reason)); "
          + "--interface takes the name of a network interface or an address of this machine"
      )
    case CURLE_COULDNT_CONNECT where facts.systemError == 0 && facts.options.interface != nil:
      return (
        .connectionFailed, false,
        "could not be asked: “\(facts.options.interface ?? "")” of --interface has no address of "
          + "the same family, IPv4 or IPv6"
      )
    case CURLE_COULDNT_CONNECT where facts.systemError == 0 && family != nil:
      return (
        .connectionFailed, false, "has no \(name) address, and \(option) allows no other"
      )
    case CURLE_COULDNT_RESOLVE_HOST where family != nil:
      return (
        .nameNotResolved, true,
        "has a host without an \(name) address (\(facts.reason)), and \(option) allows no other; "
          + "check its spelling"
      )
    default: return nil
    }
  }

  /// What went wrong with TLS.
  private static func secureCause(_ facts: ExchangeFacts) -> Cause? {
    let reason = facts.reason
    let hasCertificate = facts.options.clientCertificate != nil
    // An alert is what the other side says (RFC 8446 §6.2): here it speaks of our certificate.
    if reason.contains("alert"), reason.contains("certificate") || reason.contains("unknown ca") {
      return (
        .certificate, false,
        hasCertificate
          ? "refuses the client certificate (\(reason)); --cert FILE and --key FILE name another"
          : "wants to see a client certificate (\(reason)); show one: --cert FILE --key FILE"
      )
    }
    switch facts.result {
    case CURLE_PEER_FAILED_VERIFICATION:
      return (
        .certificate, false,
        "has a certificate that cannot be trusted (\(reason)); "
          + "--cacert FILE trusts a private authority"
      )
    case CURLE_SSL_CERTPROBLEM:
      return (
        .certificate, false,
        "could not be asked: the client certificate cannot be used (\(reason)); look at --cert and "
          + "--key, which take PEM files; the password of the key goes with it: --cert FILE:PASSWORD"
      )
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return (
        .certificate, false, "could not be checked (\(reason)); look at the certificate file"
      )
    case CURLE_SSL_CONNECT_ERROR where reason.contains("wrong version number"):
      return (
        .tls, false, "does not speak TLS at this port (\(reason)); is it http in place of https?"
      )
    case CURLE_SSL_CONNECT_ERROR where reason.contains("alert handshake failure"):
      let remedy = hasCertificate ? "" : "; it may want a client certificate: --cert FILE"
      return (.tls, false, "refuses a secure connection (\(reason))\(remedy)")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
      return (.tls, true, "could not agree on a secure connection (\(reason))")
    default: return nil
    }
  }

  private static func kind(_ result: CURLcode, _ reason: String) -> Cause {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST:
      (.nameNotResolved, true, "has a host that was not found (\(reason)); check its spelling")
    case CURLE_COULDNT_CONNECT:
      (.connectionFailed, true, "could not be reached (\(reason))")
    case CURLE_OPERATION_TIMEDOUT where reason.contains("too slow"):
      (.stalled, true, "stalled (\(reason)); --low-speed N sets the limit")
    case CURLE_OPERATION_TIMEDOUT:
      (.timeout, true, "did not answer in time (\(reason)); --connect-timeout S waits longer")
    case CURLE_PARTIAL_FILE:
      (.lengthMismatch, true, "ended before the length or the end that it announced (\(reason))")
    case CURLE_UNSUPPORTED_PROTOCOL:
      (.notHTTP, false, "did not answer in HTTP (\(reason)); check the port")
    case CURLE_WEIRD_SERVER_REPLY:
      (.notHTTP, true, "sent an answer that is not HTTP (\(reason))")
    case CURLE_BAD_CONTENT_ENCODING:
      (.badCoding, false, "sent content in a transfer coding that cannot be undone (\(reason))")
    case CURLE_URL_MALFORMAT:
      (.notHTTP, false, "has an address that cannot be asked for (\(reason))")
    default:
      (.connectionLost, true, "lost its connection (\(reason))")
    }
  }
}

extension ExchangeFacts {
  /// Whether nobody listens at the port.
  var isRefused: Bool { result == CURLE_COULDNT_CONNECT && systemError == Int(ECONNREFUSED) }
}
