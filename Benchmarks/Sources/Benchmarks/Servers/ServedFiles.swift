import HaulHTTP
import HaulTestKit

/// A server on the loopback interface with the files of one workload. It ends with the last
/// reference.
struct ServedFiles: Sendable {
  private enum Server: Sendable {
    case nginx(NginxServer, NginxServer.Listener)
    case paced(PacedServer)
  }

  let files: FileSet
  /// The SHA-256 of the only file, in hexadecimal digits; nil when there are several.
  let digest: String?
  private let server: Server

  /// Starts the server and writes the files.
  ///
  /// - Parameters:
  ///   - files: What is served.
  ///   - source: What serves it.
  ///   - authority: Who issues the certificates.
  ///   - pacer: The path of the program that serves at a pace.
  /// - Throws: `KitError` when the server does not start, the files do not fit, or there are several
  ///   for a server of one.
  init(
    _ files: FileSet, from source: Source, authority: TestAuthority, pacer: String
  ) async throws {
    self.files = files
    switch source {
    case .nginx(let listener):
      let nginx = try NginxServer(authority: authority)
      for (index, name) in files.names.enumerated() {
        try files.content(index).write(to: nginx.path(name))
      }
      server = .nginx(nginx, listener)
    case .paced(let pace):
      guard files.count == 1 else { throw KitError("a paced server has one file") }
      server = .paced(
        try await PacedServer(
          files.content(0), name: files.names[0], pace: pace, program: pacer))
    }
    digest = files.count == 1 ? files.content(0).digest().hex : nil
  }

  /// What a program is asked to fetch.
  func fetch(into folder: String, parallel: Int) -> Fetch {
    var fetch = Fetch(files: [], folder: folder, parallel: parallel, digest: digest)
    switch server {
    case .nginx(let nginx, let listener):
      fetch.files = files.names.map { .init(url: nginx.url("/\($0)", on: listener), name: $0) }
      fetch.authority = listener == .plain ? nil : nginx.authorityPath
      fetch.source = files.count == 1 ? nginx.path(files.names[0]) : nil
    case .paced(let paced):
      fetch.files = files.names.map { .init(url: paced.url("/\($0)"), name: $0) }
      fetch.source = paced.path
    }
    return fetch
  }

  /// The protocol of the request that ended last, as `HTTP/2.0`; nil before the first, and where
  /// the server does not tell.
  var lastProtocol: String? {
    guard case .nginx(let nginx, _) = server else { return nil }
    return nginx.accessLog.last?.split(separator: " ").dropFirst().first.map(String.init)
  }
}
