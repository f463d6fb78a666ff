public import HaulHTTP
internal import HaulSystem

extension OriginContent {
  /// The digest of all bytes.
  public func digest(_ algorithm: DigestAlgorithm = .sha256) -> Digest {
    let hasher = SystemCrypto().makeHasher(algorithm)
    // The block is valid during the call.
    unsafe forEachBlock { block in
      unsafe hasher.update(block)
      return true
    }
    return hasher.finish()
  }
}
