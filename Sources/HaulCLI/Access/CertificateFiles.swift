import Glibc
import HaulTransfer

/// The files of `--cert` and `--key`, looked at before anything is fetched: libcurl has one message
/// for everything that may be wrong with them.
enum CertificateFiles {
  static let maximumByteCount = 1 << 20

  /// Takes `FILE` or `FILE:PASSWORD`. A colon in the name of a file is written `\:`, unless there is
  /// a file of the whole name.
  static func certificate(
    _ value: String, of option: String
  ) throws(UsageError) -> ClientCertificate {
    guard !value.isEmpty else { throw UsageError("\(option) takes FILE or FILE:PASSWORD") }
    // The text is passed as a string that ends with NUL.
    if unsafe access(value, F_OK) == 0 { return ClientCertificate(path: value) }
    var path = ""
    var rest = value[...]
    while let character = rest.popFirst(), character != ":" {
      let isEscape = character == "\\" && (rest.first == ":" || rest.first == "\\")
      path.append(isEscape ? rest.removeFirst() : character)
    }
    let hasPassword = value.count > path.count && !rest.isEmpty
    return ClientCertificate(path: path, password: hasPassword ? String(rest) : nil)
  }

  /// Checks that certificate and key are there, of the right form, and open without a question.
  static func check(_ certificate: ClientCertificate) throws(UsageError) {
    let text = try read(certificate.path, of: "--cert")
    guard text.contains("-----BEGIN"), text.contains("CERTIFICATE-----") else {
      throw UsageError(
        "--cert: “\(certificate.path)” holds no certificate in PEM form; one of another form, such "
          + "as .p12, becomes PEM by: openssl pkcs12 -in FILE -out FILE.pem")
    }
    let keyText: String
    if let keyPath = certificate.keyPath {
      keyText = try read(keyPath, of: "--key")
      guard keyText.contains("PRIVATE KEY-----") else {
        throw UsageError("--key: “\(keyPath)” holds no private key in PEM form")
      }
    } else {
      guard text.contains("PRIVATE KEY-----") else {
        throw UsageError(
          "--cert: “\(certificate.path)” holds no private key; give its file with --key FILE")
      }
      keyText = text
    }
    let isLocked =
      keyText.contains("BEGIN ENCRYPTED PRIVATE KEY") || keyText.contains("Proc-Type: 4,ENCRYPTED")
    guard !isLocked || certificate.password != nil else {
      throw UsageError(
        "the private key in “\(certificate.keyPath ?? certificate.path)” has a password; give it "
          + "with the certificate: --cert FILE:PASSWORD")
    }
  }

  private static func read(_ path: String, of option: String) throws(UsageError) -> String {
    guard let file = try? SmallFile.read(path, atMost: maximumByteCount) else {
      throw UsageError("\(option): “\(path)” cannot be read (\(Values.describe(errno)))")
    }
    return String(decoding: file.bytes, as: UTF8.self)
  }
}
