internal import CCurl
internal import CHaulCurl
internal import Glibc
internal import HaulHTTP
internal import HaulTransfer

extension CurlExchange {
  /// Sets the header section.
  func set(_ fields: [HeaderField]) {
    var lines: [String] = []
    var cookies: [String] = []
    for field in fields {
      if field.name.equalsIgnoringASCIICase("Cookie") {
        // In libcurl's care, so that cookies set on the way are sent in the same line.
        cookies.append(field.value)
      } else {
        // Without a value libcurl leaves the field out, also one of its own.
        lines.append("\(field.name): \(field.value)")
      }
    }
    easy.setHeaderLines(lines)
    if !cookies.isEmpty { easy.set(CURLOPT_COOKIE, cookies.joined(separator: "; ")) }
  }

  /// Sets how the connection is made, but for the proxy, and whether it may be shared.
  func set(_ options: ConnectionOptions, mayShare: Bool) {
    let milliseconds = min(max(options.connectTimeout * 1000, 1), 2_000_000_000)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(milliseconds))
    easy.set(CURLOPT_LOW_SPEED_LIMIT, Int(clamping: options.lowSpeed))
    let window = min(max(options.lowSpeedWindow.rounded(.up), 1), 2_000_000)
    easy.set(CURLOPT_LOW_SPEED_TIME, options.lowSpeed > 0 ? Int(window) : 0)
    if let file = options.certificateAuthorities { easy.set(CURLOPT_CAINFO, file) }
    if options.isInsecure {
      easy.set(CURLOPT_SSL_VERIFYPEER, 0)
      easy.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let certificate = options.clientCertificate { set(certificate) }
    let isHTTP11Only = options.isHTTP11Only || !mayShare
    let version = isHTTP11Only ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
    easy.set(CURLOPT_HTTP_VERSION, Int(version))
    // Where a server speaks HTTP/2, different files share a connection: while the first one is made,
    // the others wait to see. Parts of one file are to have connections of their own instead.
    if isSecure, mayShare { easy.set(CURLOPT_PIPEWAIT, 1) }
    if let family = options.addressFamily {
      easy.set(CURLOPT_IPRESOLVE, Int(family == .ipv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6))
    }
    if let interface = options.interface {
      // Said outright, since libcurl would look an interface that is missing up as a host.
      let kind = IPAddress(interface) == nil ? "if" : "host"
      easy.set(CURLOPT_INTERFACE, "\(kind)!\(interface)")
    }
    // The length is kept in the place of the pointer, which nobody follows.
    guard let size = options.receiveBuffer else { return }
    unsafe easy.set(CURLOPT_SOCKOPTDATA, UnsafeMutableRawPointer(bitPattern: max(1, size)))
    unsafe easy.set(CURLOPT_SOCKOPTFUNCTION) { context, socket, _ in
      var size = Int32(clamping: UInt(bitPattern: context))
      // Best effort: without it the kernel takes megabytes ahead of a limit.
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      return CURL_SOCKOPT_OK
    }
  }

  private func set(_ certificate: ClientCertificate) {
    easy.set(CURLOPT_SSLCERT, certificate.path)
    easy.set(CURLOPT_SSLKEY, certificate.keyPath ?? certificate.path)
    // Without a password OpenSSL would ask for it at the terminal, and everything would wait.
    easy.set(CURLOPT_KEYPASSWD, certificate.password ?? "")
  }

  /// Sets the proxy that was chosen, or none; libcurl is not to choose another one.
  func setProxy(_ options: ConnectionOptions) {
    easy.set(CURLOPT_PROXY, proxy?.text ?? "")
    easy.set(CURLOPT_NOPROXY, "")
    if let file = options.proxyCertificateAuthorities { easy.set(CURLOPT_PROXY_CAINFO, file) }
  }
}
