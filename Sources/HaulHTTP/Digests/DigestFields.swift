/// Reads the digests that an answer carries.
public enum DigestFields {
  /// The field that asks a server for a digest of the file (RFC 9530 §4). SHA-256 is preferred: it
  /// is no weaker in practice, and processors compute it faster.
  public static let wanted = HeaderField(
    name: "Want-Repr-Digest", value: "sha-256=10, sha-512=5")

  /// The strongest claims for each scope, those about the representation first.
  ///
  /// Read are `Repr-Digest` and `Content-Digest` (RFC 9530), `Digest` (RFC 3230, about the
  /// representation) and `Content-MD5` (RFC 1864, about the content). Unknown algorithms and
  /// malformed values are skipped. Of each scope only the strongest algorithm is kept, as SHA-512
  /// before SHA-256 before SHA-1 before MD5; when the fields name two different digests of it, both
  /// are there, and no content can satisfy them.
  public static func claims(in fields: HeaderFields) -> [DigestClaim] {
    let representation =
      structured(fields.all("Repr-Digest")) + instance(fields.all("Digest"))
    let content =
      structured(fields.all("Content-Digest"))
      + fields.all("Content-MD5").compactMap {
        Digest(algorithm: .md5, base64: $0.trimmingFieldSpace.utf8)
      }
    if representation.isEmpty, content.isEmpty { return [] }
    return strongest(representation).map { DigestClaim(digest: $0, scope: .representation) }
      + strongest(content).map { DigestClaim(digest: $0, scope: .content) }
  }

  /// The digests of a dictionary of byte sequences: `sha-256=:BASE64:, md5=:BASE64:`. Members are
  /// read one by one, so that one in an unknown form does not hide the others.
  private static func structured(_ values: [String]) -> [Digest] {
    members(of: values).compactMap { name, value in
      guard let algorithm = DigestAlgorithm(anyName: name) else { return nil }
      let item = value.separated(by: UInt8(ascii: ";"))[0]
      return Digest.betweenColons(Substring(item).utf8).flatMap {
        Digest(algorithm: algorithm, base64: $0)
      }
    }
  }

  /// The digests of RFC 3230: `SHA-256=BASE64, md5=BASE64`.
  private static func instance(_ values: [String]) -> [Digest] {
    members(of: values).compactMap { name, value in
      DigestAlgorithm(anyName: name).flatMap { Digest(algorithm: $0, base64: value.utf8) }
    }
  }

  private static func members(of values: [String]) -> [(name: String, value: String)] {
    values.flatMap(\.commaSeparatedParts).compactMap { part in
      guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return (String(part[..<equals]), String(part.utf8[equals...].dropFirst()) ?? "")
    }
  }

  private static func strongest(_ digests: [Digest]) -> [Digest] {
    let strength = digests.map(\.algorithm.strength).max()
    var kept: [Digest] = []
    for digest in digests where digest.algorithm.strength == strength && !kept.contains(digest) {
      kept.append(digest)
    }
    return kept
  }
}
