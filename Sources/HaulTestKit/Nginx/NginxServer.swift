internal import Glibc

/// A real nginx on 127.0.0.1, over plain HTTP, TLS and HTTP/2, for tests at full depth.
///
/// ```swift
/// let nginx = try NginxServer()
/// try content.write(to: nginx.path("file"))
/// fetch(nginx.url("/file", on: .http2), trusting: nginx.authorityPath)
/// ```
///
/// Files in `root` are served under these prefixes, on every listener:
///
/// - `/`: as they are, with `ETag`, `Last-Modified` and ranges
/// - `/limited/`: no faster than `limitRate` bytes a second for each connection
/// - `/gzip/`: coded with gzip when the client accepts it
/// - `/private/`: for the user `haul` with the password `secret`
/// - `/crowded/`: two connections at a time, 503 for more
/// - `/client`: the address that the client has, as text
/// - `/origin/PORT/`: passed on to a server on that port, so that a `HostileOrigin` can be
///   reached over TLS and HTTP/2
///
/// It ends with `stop`, with the last reference, or with the test process.
public final class NginxServer: Sendable {
  /// Where the server listens.
  public enum Listener: Int, Sendable, Hashable, CaseIterable {
    /// Plain HTTP/1.1.
    case plain
    /// HTTP/1.1 over TLS.
    case tls
    /// HTTP/2 over TLS.
    case http2
    /// TLS with a certificate that has expired.
    case expired
    /// TLS with a certificate for another host.
    case wrongHost
    /// Plain HTTP/1.1 with three requests for each connection.
    case few
    /// HTTP/2 over TLS with GOAWAY after three requests.
    case fewHTTP2
    /// HTTP/1.1 over TLS for clients with a certificate of the same authority.
    case clientCertificate
  }

  /// The authority that issued the certificates.
  public let authority: TestAuthority
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let reservations: [Socket]
  private let ports: [Listener: UInt16]

  /// Starts a server on free ports and waits until it answers.
  ///
  /// The ports are reserved for as long as the server lives, so nobody can take one meanwhile.
  ///
  /// - Throws: `KitError` when nginx or openssl is missing, or nginx does not start.
  public init(limitRate: Int = 65_536, authority: TestAuthority? = nil) throws {
    let authority = try authority ?? TestAuthority()
    let folder = try TemporaryFolder()
    var reservations: [Socket] = []
    var ports: [Listener: UInt16] = [:]
    for listener in Listener.allCases {
      let (socket, port) = try Socket.reserving()
      reservations.append(socket)
      ports[listener] = port
    }
    let configuration = try NginxConfiguration(
      folder: folder.path, limitRate: limitRate, ports: ports, authority: authority)
    for name in ["root", "temp", "logs"] { try folder.makeFolder(name) }
    try folder.write(Array("haul:{PLAIN}secret\n".utf8), to: "users")
    try folder.write(Array(configuration.text.utf8), to: "nginx.conf")
    process = try ChildProcess(
      unsafe access("/usr/sbin/nginx", X_OK) == 0 ? "/usr/sbin/nginx" : "nginx",
      [
        "-p", folder.path, "-c", folder.path("nginx.conf"), "-e",
        folder.path("logs/error.log"),
      ],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    self.authority = authority
    self.folder = folder
    self.ports = ports
    self.reservations = reservations
    try checkReadiness()
  }

  deinit {
    stop()
  }

  /// The port of a listener on 127.0.0.1.
  public func port(_ listener: Listener = .plain) -> UInt16 { ports[listener] ?? 0 }

  /// The URL of a path, which begins with a slash; with `localhost` over TLS.
  public func url(_ path: String, on listener: Listener = .plain) -> String {
    switch listener {
    case .plain, .few: "http://127.0.0.1:\(port(listener))\(path)"
    case .tls, .http2, .expired, .wrongHost, .fewHTTP2, .clientCertificate:
      "https://localhost:\(port(listener))\(path)"
    }
  }

  /// The path of the certificate that a client is to trust, in PEM form.
  public var authorityPath: String { authority.certificatePath }

  /// The folder whose files are served.
  public var root: String { folder.path("root") }

  /// The path of a file in `root`.
  public func path(_ name: String) -> String { "\(root)/\(name)" }

  /// One line for each finished request: `PORT PROTOCOL METHOD TARGET STATUS BYTES RANGE`.
  ///
  /// A line may come a moment after the client has the answer.
  public var accessLog: [String] {
    let text = String(decoding: folder.read("logs/access.log") ?? [], as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// What nginx wrote to its error log.
  public var errorLog: String {
    String(decoding: folder.read("logs/error.log") ?? [], as: UTF8.self)
  }

  /// Ends the server and waits until it is gone. Later calls do nothing.
  public func stop() {
    process.signal(SIGKILL)
    process.waitBlocking()
  }

  private func checkReadiness() throws {
    let deadline = MonotonicTime.now.adding(milliseconds: 10_000)
    repeat {
      guard let socket = try? Socket.connected(to: port(.clientCertificate)) else { continue }
      // The listeners are opened in order: when the last one accepts, all do.
      socket.close()
      return
    } while process.waitBlocking(forMilliseconds: 5) == nil && deadline.millisecondsLeft > 0
    stop()
    throw KitError("nginx does not start: \(process.errorText)\(errorLog)")
  }
}
