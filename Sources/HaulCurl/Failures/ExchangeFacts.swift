internal import CCurl
internal import Glibc
internal import HaulTransfer

/// What is known of an exchange that failed.
struct ExchangeFacts {
  /// libcurl's result.
  var result: CURLcode
  /// libcurl's words for it; what they quote may be secret where a proxy is named.
  var text: String
  /// The way the server was asked.
  var proxy: ProxyChoice?
  var options: ConnectionOptions
  /// Whether the server was to be spoken to over TLS.
  var isSecure: Bool
  /// Whether connection, tunnel and TLS were all there.
  var isConnected = false
  /// The status that the proxy gave to `CONNECT`, or 0.
  var tunnelStatus = 0
  /// Why SOCKS failed (`CURLPX_…`), or 0.
  var socksError = 0
  /// The error number of the last system call that failed, or 0.
  var systemError = 0

  /// The text, without characters that steer a terminal: names in certificates come from the server.
  var reason: String {
    if result == CURLE_COULDNT_CONNECT, systemError != 0 {
      // `strerror` returns a string that ends with NUL and is copied at once.
      return unsafe strerror(Int32(clamping: systemError)).map { unsafe String(cString: $0) }
        ?? text
    }
    return text.isEmpty || isQuoting ? generalReason : String(text.map(Self.shown).joined())
  }

  /// libcurl's words for the kind of failure, which quote nothing.
  var generalReason: String {
    // libcurl returns a static string for every code.
    unsafe curl_easy_strerror(result).map { unsafe String(cString: $0) } ?? "failed"
  }

  /// Whether the text may repeat what libcurl was given: of a proxy that it cannot read it shows
  /// all, password included, or takes the password for a part of the host.
  private var isQuoting: Bool {
    result == CURLE_COULDNT_RESOLVE_PROXY || text.contains("proxy")
  }

  private static func shown(_ character: Character) -> String {
    let isHarmless = character.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    return isHarmless ? String(character) : "\u{FFFD}"
  }
}
