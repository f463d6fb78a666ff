public import HaulHTTP
internal import HaulSystem
public import HaulTransfer

extension TransferRequest {
  /// The SHA-256 of the identity text of the address, secrets included: what `Leftover.sourceDigest` is
  /// compared with.
  public var sourceDigest: Digest {
    let hasher = SystemCrypto().makeHasher(.sha256)
    let bytes = Array((keptUnder ?? url).identityText.utf8)
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }
}

extension Leftover {
  /// Whether it comes from the address of a request. Where many are compared, take `sourceDigest` once.
  public func isOf(_ request: TransferRequest) -> Bool { sourceDigest == request.sourceDigest }
}
