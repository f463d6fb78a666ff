import Glibc

/// What `--noproxy` takes. Entries that curl would pass over in silence are refused.
enum NoProxy {
  static func check(_ value: String, of option: String) throws(UsageError) -> String {
    if value == "*" { return value }
    for entry in value.split(whereSeparator: { $0 == "," || $0 == " " }) where !isHost(entry) {
      throw UsageError(
        "\(option) takes hosts such as example.com,10.0.0.0/8 or * alone, without schemes and ports, "
          + "not “\(entry)”; example.com stands for all below it, too")
    }
    return value
  }

  private static func isHost(_ entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
    if let bits = addressBits(parts[0]) {
      guard parts.count > 1 else { return true }
      return parts.count == 2 && Int(parts[1]).map { (0...bits).contains($0) } ?? false
    }
    return parts.count == 1 && !entry.contains { $0 == ":" || $0 == "*" }
  }

  /// How many bits an address has, or nil for what is none.
  private static func addressBits(_ text: Substring) -> Int? {
    var text = text
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    var bytes = [UInt8](repeating: 0, count: 16)
    // At most 16 bytes are written.
    if unsafe inet_pton(AF_INET, String(text), &bytes) == 1 { return 32 }
    return unsafe inet_pton(AF_INET6, String(text), &bytes) == 1 ? 128 : nil
  }
}
