import HaulHTTP
import Testing

@Suite struct DigestFieldsTests {
  private static let sha256 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  private static let sha256Hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let md5 = "1B2M2Y8AsgTpgAmY7PhCfg=="
  private static let md5Hex = "d41d8cd98f00b204e9800998ecf8427e"
  private static let sha1 = "2jmj7l5rSw0yVb/vlWAYkK/YBwk="
  private static let sha1Hex = "da39a3ee5e6b4b0d3255bfef95601890afd80709"

  private func claims(_ fields: Fields) -> [String] {
    DigestFields.claims(in: fields.header).map { "\($0.scope) \($0.digest)" }
  }

  @Test(
    arguments: [
      (["Repr-Digest": "sha-256=:\(sha256):"], ["representation sha-256=\(sha256Hex)"]),
      (["Content-Digest": "sha-256=:\(sha256):"], ["content sha-256=\(sha256Hex)"]),
      (["Digest": "SHA-256=\(sha256)"], ["representation sha-256=\(sha256Hex)"]),
      (["Digest": "sha-256=\(sha256.dropLast())"], ["representation sha-256=\(sha256Hex)"]),
      (["Digest": "md5=\(md5)"], ["representation md5=\(md5Hex)"]),
      (["Digest": "SHA=\(sha1),unixsum=30637"], ["representation sha-1=\(sha1Hex)"]),
      (["Content-MD5": md5], ["content md5=\(md5Hex)"]),
      (["X-Goog-Hash": "md5=\(md5)"], []),
      ([:], []),
    ] as [(Fields, [String])])
  func readsEachField(fields: Fields, expected: [String]) {
    #expect(claims(fields) == expected)
  }

  @Test(
    arguments: [
      ["Repr-Digest": "sha-256=\(sha256)"], ["Repr-Digest": "sha-256"], ["Repr-Digest": ""],
      ["Repr-Digest": "sha-256=:\(md5):"], ["Repr-Digest": "sha-256=:****:"],
      ["Repr-Digest": "x=\"sha-256=:\(sha256):, sha-256=:\(sha256):\""],
      ["Digest": "SHA-256=:\(sha256):"], ["Digest": "SHA-256="], ["Digest": "=\(sha256)"],
      ["Content-MD5": md5Hex], ["Content-MD5": sha256], ["Content-MD5": ""],
    ] as [Fields])
  func skipsMalformedValues(fields: Fields) {
    #expect(claims(fields) == [])
  }

  @Test func readsDictionariesMemberByMember() {
    let value = "id-sha-256=:AAAA:, md5=:\(Self.md5):;q=1 ,broken, sha-256=:\(Self.sha256):;a=b"
    #expect(claims(["Repr-Digest": value]) == ["representation sha-256=\(Self.sha256Hex)"])
    #expect(
      claims(["Repr-Digest": "md5=:\(Self.md5):", "Repr-Digest": "sha-256=:\(Self.sha256):"])
        == ["representation sha-256=\(Self.sha256Hex)"])
  }

  @Test func keepsTheStrongestOfEachScope() {
    #expect(
      claims([
        "Digest": "md5=\(Self.md5), sha=\(Self.sha1)", "Repr-Digest": "sha-256=:\(Self.sha256):",
        "Content-MD5": Self.md5, "Content-Digest": "md5=:\(Self.md5):",
      ]) == ["representation sha-256=\(Self.sha256Hex)", "content md5=\(Self.md5Hex)"])
  }

  @Test func keepsDigestsThatContradictEachOther() {
    let other = "AAAAAAAAAAAAAAAAAAAAAA=="
    #expect(
      claims(["Content-MD5": Self.md5, "Content-Digest": "md5=:\(other):"]) == [
        "content md5=00000000000000000000000000000000", "content md5=\(Self.md5Hex)",
      ])
  }

  @Test(arguments: SplitMix64.seeds)
  func survivesHostileFields(seed: UInt64) {
    let examples = [
      "sha-256=:\(Self.sha256):, md5=:\(Self.md5):", "SHA-256=\(Self.sha256),md5=\(Self.md5)",
      Self.md5,
    ]
    for text in Hostile.texts(like: examples, count: 500, seed: seed) {
      let fields = header([
        "Repr-Digest": text, "Content-Digest": text, "Digest": text, "Content-MD5": text,
      ])
      for claim in DigestFields.claims(in: fields)
      where claim.digest.bytes.count != claim.digest.algorithm.byteCount {
        Issue.record("\(text.debugDescription) gave \(claim)")
      }
    }
  }
}
