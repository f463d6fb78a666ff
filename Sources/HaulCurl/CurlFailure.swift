internal import CCurl
internal import HaulTransfer

/// What libcurl's results mean to a transfer.
enum CurlFailure {
  static func failure(_ result: CURLcode, text: String, proxyStatus: Int) -> TransportFailure {
    // libcurl returns a static string for every code.
    let name = unsafe curl_easy_strerror(result).map { unsafe String(cString: $0) } ?? "failed"
    let reason = isQuoting(result, text) || text.isEmpty ? name : text.map(shown).joined()
    if proxyStatus == 407 {
      return TransportFailure(
        code: .proxy, isRetryable: false,
        message: "could not be asked: the proxy wants a user and a password; "
          + "give them in the proxy's URL: --proxy http://USER:PASSWORD@HOST:PORT")
    }
    if proxyStatus >= 400 {
      return TransportFailure(
        code: .proxy, isRetryable: proxyStatus >= 500,
        message: "could not be asked: the proxy answered with \(proxyStatus)")
    }
    let (code, isRetryable, sentence) = kind(result, reason)
    return TransportFailure(code: code, isRetryable: isRetryable, message: sentence)
  }

  /// Whether libcurl's text may repeat what it was given: of a proxy that it cannot read it shows
  /// all, password included, or takes the password for a part of the host.
  private static func isQuoting(_ result: CURLcode, _ text: String) -> Bool {
    result == CURLE_COULDNT_RESOLVE_PROXY || text.contains("proxy")
  }

  /// A character as it may be shown; names in certificates come from the server.
  private static func shown(_ character: Character) -> String {
    let isHarmless = character.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    return isHarmless ? String(character) : "\u{FFFD}"
  }

  private static func kind(
    _ result: CURLcode, _ reason: String
  ) -> (TransferFailure.Code, Bool, String) {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST:
      (.nameNotResolved, true, "has a host that was not found (\(reason)); check its spelling")
    case CURLE_COULDNT_RESOLVE_PROXY:
      (.nameNotResolved, true, "could not be asked: the proxy was not found (\(reason))")
    case CURLE_COULDNT_CONNECT:
      (.connectionFailed, true, "could not be reached (\(reason))")
    case CURLE_OPERATION_TIMEDOUT where reason.contains("too slow"):
      (.stalled, true, "stalled (\(reason)); --low-speed N sets the limit")
    case CURLE_OPERATION_TIMEDOUT:
      (.timeout, true, "did not answer in time (\(reason)); --connect-timeout S waits longer")
    case CURLE_PEER_FAILED_VERIFICATION:
      (
        .certificate, false,
        "has a certificate that cannot be trusted (\(reason)); "
          + "--cacert FILE trusts a private authority"
      )
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR:
      (.certificate, false, "could not be checked (\(reason)); look at the certificate file")
    case CURLE_PARTIAL_FILE:
      (.lengthMismatch, true, "ended before the length or the end that it announced (\(reason))")
    case CURLE_SSL_CONNECT_ERROR where reason.contains("wrong version number"):
      (.tls, false, "does not speak TLS at this port (\(reason)); is it http in place of https?")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
      (.tls, true, "could not agree on a secure connection (\(reason))")
    case CURLE_UNSUPPORTED_PROTOCOL:
      (.notHTTP, false, "did not answer in HTTP (\(reason)); check the port")
    case CURLE_WEIRD_SERVER_REPLY:
      (.notHTTP, true, "sent an answer that is not HTTP (\(reason))")
    case CURLE_BAD_CONTENT_ENCODING:
      (.badCoding, false, "sent content in a transfer coding that cannot be undone (\(reason))")
    case CURLE_PROXY:
      (.proxy, true, "could not be asked through the proxy (\(reason))")
    case CURLE_URL_MALFORMAT:
      (.notHTTP, false, "has an address that cannot be asked for (\(reason))")
    default:
      (.connectionLost, true, "lost its connection (\(reason))")
    }
  }
}
