/// A digest that the server says its bytes have. Like every digest here it covers the coded bytes,
/// before any `Content-Encoding` is undone.
public struct DigestClaim: Sendable, Hashable {
  /// Which bytes a claim is about.
  public enum Scope: Sendable, Hashable, CaseIterable {
    /// The whole representation, also where the answer carries only a part of it.
    case representation
    /// The content of this one answer.
    case content
  }

  /// The digest.
  public let digest: Digest
  /// What it covers.
  public let scope: Scope

  /// Makes a claim.
  public init(digest: Digest, scope: Scope) {
    self.digest = digest
    self.scope = scope
  }
}
