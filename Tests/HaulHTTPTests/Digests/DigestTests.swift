import HaulHTTP
import Testing

@Suite struct DigestTests {
  /// The SHA-256 of nothing.
  private static let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test(arguments: [
    "sha-256=\(hex)", "sha256=\(hex)", "sha256:\(hex)", "SHA-256=\(hex.uppercased())",
    " Sha256=\(hex) ", "sha-256=:\(base64):", "sha256::\(base64):",
  ])
  func readsEverySpelling(text: String) {
    #expect(Digest(parsing: text)?.description == "sha-256=\(Self.hex)")
  }

  @Test(
    arguments: [
      ("md5=d41d8cd98f00b204e9800998ecf8427e", DigestAlgorithm.md5),
      ("md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", .md5),
      ("sha-1=da39a3ee5e6b4b0d3255bfef95601890afd80709", .sha1),
      ("sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709", .sha1),
      ("sha-512=" + String(repeating: "ab", count: 64), .sha512),
    ])
  func readsEveryAlgorithm(text: String, algorithm: DigestAlgorithm) {
    #expect(Digest(parsing: text)?.algorithm == algorithm)
  }

  @Test(arguments: [
    "", "=", ":", "sha-256", "sha-256=", hex, "sha-256 \(hex)", "sha-3=\(hex)",
    "sha-256=\(hex)0", "sha-256=\(hex)00", "sha-256=\(hex.dropLast(2))", "sha-512=\(hex)",
    "sha-256=\(base64)", "sha-256=:\(base64)", "sha-256=::", "sha-256=:",
    "sha-256=" + String(repeating: "g", count: 64),
    "sha-256=:" + String(repeating: "*", count: 44) + ":",
    "sha-256=:\(base64)=:", "sha-256=:=\(base64):",
  ])
  func refusesMalformedDigests(text: String) {
    #expect(Digest(parsing: text) == nil)
  }

  @Test(arguments: SplitMix64.seeds)
  func readsBackItsDescription(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for algorithm in DigestAlgorithm.allCases {
      let bytes = (0..<algorithm.byteCount).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      let digest = Digest(algorithm: algorithm, bytes: bytes)
      #expect(digest.flatMap { Digest(parsing: $0.description) } == digest)
      #expect(digest?.hex.utf8.count == 2 * algorithm.byteCount)
    }
  }

  @Test(arguments: SplitMix64.seeds)
  func alwaysHasTheBytesOfItsAlgorithm(seed: UInt64) {
    let examples = ["sha-256=\(Self.hex)", "sha-256=:\(Self.base64):"]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      guard let digest = Digest(parsing: text) else { continue }
      if digest.bytes.count != digest.algorithm.byteCount {
        Issue.record("\(text.debugDescription) gave \(digest)")
      }
    }
  }
}
