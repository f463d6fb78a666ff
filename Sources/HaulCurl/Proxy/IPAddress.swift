internal import Glibc

/// The bytes of an IPv4 or IPv6 address.
struct IPAddress: Equatable {
  let bytes: [UInt8]

  init?(_ text: some StringProtocol) {
    var text = String(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      // `inet_pton` writes 4 or 16 bytes by the family, as many as there are.
      if unsafe inet_pton(family, text, &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  /// Whether it is the address of an entry, or in the network of one.
  func isInside(_ entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let network = IPAddress(parts[0]), network.bytes.count == bytes.count else {
      return false
    }
    guard parts.count == 2 else { return network == self }
    guard let bits = Int(parts[1]), bits >= 0, bits <= bytes.count * 8 else { return false }
    return bytes.indices.allSatisfy { index in
      let kept = min(max(bits - index * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
      return bytes[index] & mask == network.bytes[index] & mask
    }
  }
}
