/// The `Basic` scheme of `Authorization` (RFC 7617).
public enum BasicAuthorization {
  /// The field value for a user and a password, both as UTF-8.
  public static func value(user: String, password: String) -> String {
    "Basic " + base64(Array("\(user):\(password)".utf8))
  }

  /// Base64 with padding (RFC 4648 §4).
  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? alphabet[word >> (18 - 6 * index) & 63] : "=")
      }
    }
    return text
  }
}
