/// A private certificate authority for servers on 127.0.0.1, made by the `openssl` command.
public final class TestAuthority: Sendable {
  private let folder: TemporaryFolder

  /// The path of the authority's own certificate, in PEM form: what a client is to trust.
  public var certificatePath: String { folder.path("ca.pem") }

  /// Makes an authority with a new key.
  ///
  /// - Throws: `KitError` when the command is missing or fails.
  public init() throws {
    folder = try TemporaryFolder()
    try openssl(
      ["req", "-x509"] + Self.newKey("ca") + ["-out", "ca.pem", "-subj", "/CN=Haul test authority"])
  }

  /// A certificate with its key, both as paths of PEM files that live as long as the authority.
  public struct Certificate: Sendable, Hashable {
    /// The certificate.
    public var certificatePath: String
    /// The private key.
    public var keyPath: String
  }

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - name: Any short name without a slash; it names the files and must be new.
  ///   - hosts: What it is valid for, as OpenSSL writes it: `DNS:localhost`, `IP:127.0.0.1`.
  ///   - isExpired: Whether it was valid until yesterday only.
  /// - Returns: The paths of the certificate and its key.
  /// - Throws: `KitError` when the command fails.
  public func issue(_ name: String, hosts: [String], isExpired: Bool = false) throws -> Certificate
  {
    try openssl(
      ["req", "-new"] + Self.newKey(name)
        + [
          "-out", "\(name).csr", "-subj", "/CN=\(name)", "-addext",
          "subjectAltName=\(hosts.joined(separator: ","))",
        ])
    try openssl([
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out",
      "\(name).pem", "-copy_extensions", "copy", "-days", isExpired ? "-1" : "30",
    ])
    return Certificate(
      certificatePath: folder.path("\(name).pem"), keyPath: folder.path("\(name).key"))
  }

  /// Locks a key with a password.
  ///
  /// - Parameters:
  ///   - certificate: The certificate of the key.
  ///   - name: Any short name without a slash; it names the new file and must be new.
  ///   - password: The password, without characters that a shell would have to be told about.
  /// - Returns: The same certificate with the path of the locked key; the other one stays.
  /// - Throws: `KitError` when the command fails.
  public func lock(_ certificate: Certificate, _ name: String, password: String) throws
    -> Certificate
  {
    try openssl([
      "pkey", "-in", certificate.keyPath, "-aes256", "-passout", "pass:\(password)", "-out",
      "\(name).key",
    ])
    return Certificate(
      certificatePath: certificate.certificatePath, keyPath: folder.path("\(name).key"))
  }

  private static func newKey(_ name: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(name).key"]
  }

  private func openssl(_ arguments: [String]) throws {
    let child = try ChildProcess("openssl", arguments, folder: folder.path)
    guard child.waitBlocking() == .exited(0) else {
      throw KitError("openssl \(arguments.joined(separator: " ")) failed: \(child.errorText)")
    }
  }
}
