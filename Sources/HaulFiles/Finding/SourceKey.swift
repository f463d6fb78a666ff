import HaulHTTP
import HaulSystem
import HaulTransfer

/// What stands for a source on disk.
struct SourceKey: Sendable, Hashable {
  /// The SHA-256 of the full URL.
  let digest: [UInt8]

  init(_ digest: [UInt8]) {
    self.digest = digest
  }

  init(_ source: SourceIdentity, crypto: any Crypto) {
    let hasher = crypto.makeHasher(.sha256)
    let bytes = Array(source.url.utf8)
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    digest = hasher.finish().bytes
  }

  /// The mark of who holds a part: the first 62 bits.
  var identity: UInt64 {
    digest.prefix(8).reduce(0) { ($0 << 8) | UInt64($1) } >> 2
  }
}
