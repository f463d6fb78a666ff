import HaulHTTP
import HaulTestKit

/// An nginx on the loopback interface with the files of one workload. It ends with the last
/// reference.
struct ServedFiles: Sendable {
  let files: FileSet
  let listener: NginxServer.Listener
  /// The SHA-256 of the only file, in hexadecimal digits; nil when there are several.
  let digest: String?
  private let server: NginxServer

  /// Starts the server and writes the files.
  ///
  /// - Throws: `KitError` when nginx does not start or the files do not fit.
  init(_ files: FileSet, from listener: NginxServer.Listener, authority: TestAuthority) throws {
    server = try NginxServer(authority: authority)
    self.files = files
    self.listener = listener
    for (index, name) in files.names.enumerated() {
      try files.content(index).write(to: server.path(name))
    }
    digest = files.count == 1 ? files.content(0).digest().hex : nil
  }

  /// What a program is asked to fetch.
  func fetch(into folder: String, parallel: Int) -> Fetch {
    Fetch(
      files: files.names.map { .init(url: server.url("/\($0)", on: listener), name: $0) },
      folder: folder, parallel: parallel,
      authority: listener == .plain ? nil : server.authorityPath, digest: digest)
  }

  /// The protocol of the request that ended last, as `HTTP/2.0`; nil before the first.
  var lastProtocol: String? {
    server.accessLog.last?.split(separator: " ").dropFirst().first.map(String.init)
  }
}
