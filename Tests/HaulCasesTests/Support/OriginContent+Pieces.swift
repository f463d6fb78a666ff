import HaulHTTP
import HaulSystem
import HaulTestKit

extension OriginContent {
  /// The digests of its pieces.
  func pieces(_ length: Int64, _ algorithm: DigestAlgorithm = .sha256) -> PieceDigests? {
    let starts = stride(from: 0, to: size, by: Int64.Stride(length))
    let digests = starts.map { start in
      let hasher = SystemCrypto().makeHasher(algorithm)
      // The bytes live through the call.
      unsafe bytes(in: start..<min(size, start + length)).withUnsafeBytes {
        unsafe hasher.update($0)
      }
      return hasher.finish()
    }
    return PieceDigests(pieceLength: length, digests: digests)
  }
}
