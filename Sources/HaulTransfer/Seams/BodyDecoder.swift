public import HaulHTTP

/// Undoes a content coding as the bytes arrive, and digests the coded bytes on the way.
///
/// Its owner uses it from one thread at a time; it may be handed from thread to thread.
public protocol BodyDecoder: AnyObject, Sendable {
  /// Takes coded bytes; they are copied.
  func feed(_ bytes: RawSpan)
  /// Decodes into the free space of a buffer, as much as fits.
  ///
  /// - Returns: whether more output may come from what was fed; false asks for input.
  /// - Throws: `BodyDecodingFailure` when the bytes are no valid coding, or grow beyond reason.
  func decode(into buffer: TransferBuffer) throws(BodyDecodingFailure) -> Bool
  /// Whether the coding's own end mark was reached.
  var isComplete: Bool { get }
  /// The digests of all coded bytes that were fed.
  func digests() -> [Digest]
}

/// Why coded bytes could not be decoded, as a sentence.
public struct BodyDecodingFailure: Error, Sendable, Hashable {
  /// What is wrong.
  public var message: String

  /// Makes a failure.
  public init(message: String) {
    self.message = message
  }
}

/// Makes decoders.
public protocol BodyDecoders: Sendable {
  /// A decoder for a coding, or nil when the coding cannot be undone.
  func makeDecoder(
    _ coding: ContentCoding, digests: Set<DigestAlgorithm>
  ) -> (any BodyDecoder)?
}
