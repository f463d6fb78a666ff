/// How connections are made; the same for all requests of a transfer.
public struct ConnectionOptions: Sendable, Hashable {
  /// The proxy as a URL (`http://`, `https://`, `socks5h://` …); empty for none at all; nil for
  /// what the environment says.
  public var proxy: String?
  /// The hosts that are asked without a proxy: names, with all below them, addresses and networks,
  /// separated by commas, or `*`; nil for what the environment says.
  public var noProxy: String?
  /// A file of certificates (PEM) to trust instead of the system's when the proxy itself is spoken
  /// to over TLS.
  public var proxyCertificateAuthorities: String?
  /// A file of certificates (PEM) to trust instead of the system's.
  public var certificateAuthorities: String?
  /// Whether certificates are not checked at all.
  public var isInsecure = false
  /// What to show to servers that want to see a certificate.
  public var clientCertificate: ClientCertificate?
  /// The only family of addresses that is used, or nil for both.
  public var addressFamily: AddressFamily?
  /// The name of a network interface, or an IP address of this machine, that connections leave
  /// from; nil for what the system chooses.
  public var interface: String?
  /// Whether HTTP/2 is not offered.
  public var isHTTP11Only = false
  /// A file of cookies in Netscape's format, sent by their domains, paths and secure flags, and
  /// never written. Whoever names it has checked it: lines that are no cookies are passed over.
  public var cookieFile: String?
  /// Seconds to wait for a connection, TLS included.
  public var connectTimeout: Double = 20
  /// Bytes a second under which, over `lowSpeedWindow`, a connection counts as stalled; 0 for none. Time
  /// in which a rate limit or a slow disk keeps its bytes waiting does not count.
  public var lowSpeed: Int64 = 100
  /// Seconds over which `lowSpeed` counts; fractions are rounded up.
  public var lowSpeedWindow: Double = 20
  /// Bytes that the kernel may take ahead of us for each connection; nil for what it chooses, which may be megabytes.
  public var receiveBuffer: Int?

  /// Makes the default options.
  public init() {}
}

/// A certificate that says who asks, with its key; both in PEM form.
///
/// It is shown to every server that wants one, also after a redirect: it proves something to whoever
/// it is shown to, but cannot be used by them.
public struct ClientCertificate: Sendable, Hashable {
  /// The file of the certificate, and of those that lead to its authority.
  public var path: String
  /// The file of the private key; nil when it is in the file of the certificate.
  public var keyPath: String?
  /// What the key is locked with, or nil. Nobody is ever asked for it.
  public var password: String?

  /// Names a certificate.
  public init(path: String, keyPath: String? = nil, password: String? = nil) {
    self.path = path
    self.keyPath = keyPath
    self.password = password
  }
}

/// A family of IP addresses.
public enum AddressFamily: Sendable, Hashable {
  /// IPv4.
  case ipv4
  /// IPv6.
  case ipv6
}
