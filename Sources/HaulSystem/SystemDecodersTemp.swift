public import HaulHTTP
public import HaulTransfer
/// Temp.
public struct SystemDecoders: BodyDecoders {
  /// Temp.
  public init() {}
  /// Temp.
  public func makeDecoder(_ coding: ContentCoding, digests: Set<DigestAlgorithm>) -> (any BodyDecoder)? { nil }
}
