import HaulHTTP
import Testing

@Suite struct ChecksumFileTests {
  static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
  static let sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
  static let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  static let sha512 = String(repeating: "5c", count: 64)

  /// The digest of `https://example.org/pub/NAME`, in the form of `Digest.description`.
  func look(
    _ text: String, _ name: String = "file.iso", file: String = "SHA256SUMS"
  ) throws -> String? {
    let url = try HTTPURL(parsing: "https://example.org/pub/\(name)")
    let sums = ChecksumFile(parsing: Array(text.utf8), named: file)
    return try? sums.digest(for: url, ownName: nil, isOnlyFile: true).description
  }

  @Test(arguments: [
    "\(sha256)  file.iso", "\(sha256) *file.iso", "\(sha256) file.iso", "\(sha256)\tfile.iso",
    "\(sha256)\t*file.iso", "\(sha256)      file.iso  ", "  \(sha256)  file.iso",
    "\(sha256.uppercased())  file.iso", "\(sha256)  file.iso\r", "\u{FEFF}\(sha256)  file.iso",
    "\(sha256)  ./file.iso", "\(sha256)  dir/sub/file.iso", "\(sha256)  /home/me/file.iso",
    "\(sha256) *dir\\file.iso", "\\\(sha256)  file.iso",
    "SHA256 (file.iso) = \(sha256)", "SHA256(file.iso)= \(sha256)", "SHA2-256(file.iso)= \(sha256)",
    "sha-256 (./file.iso) = \(sha256)", "SHA256 (file.iso) = \(sha256.uppercased())\r",
    "SHA256 (file.iso) = \(base64)", "\\SHA256 (file.iso) = \(sha256)",
    sha256, "\(sha256)\n", "\(sha256)  -", "SHA256 (-) = \(sha256)", "SHA256() = \(sha256)",
  ])
  func readsEveryForm(line: String) throws {
    #expect(try look(line) == "sha-256=\(Self.sha256)")
    // Also among others, and behind comments.
    let other = "# SHA256 (x) = y\n\n; \(Self.md5)\n\(Self.sha1)  other\n"
    guard line.contains("file.iso"), !line.hasPrefix("\u{FEFF}") else { return }
    #expect(try look(other + line + "\n" + Self.md5) == "sha-256=\(Self.sha256)")
  }

  @Test(
    arguments: [
      ("\(md5)  file.iso", "md5=\(md5)"), ("MD5 (file.iso) = \(md5)", "md5=\(md5)"),
      ("\(sha1)  file.iso", "sha-1=\(sha1)"), ("SHA1 (file.iso) = \(sha1)", "sha-1=\(sha1)"),
      ("\(sha512)  file.iso", "sha-512=\(sha512)"),
      ("SHA512 (file.iso) = \(sha512)", "sha-512=\(sha512)"),
      ("SHA2-512(file.iso)= \(sha512)", "sha-512=\(sha512)"),
    ])
  func readsEveryAlgorithm(line: String, digest: String) throws {
    // By the length, even where the name of the file says another one.
    for file in ["SHA256SUMS", "CHECKSUM", "https://example.org/md5.txt"] {
      #expect(try look(line, file: file) == digest)
    }
  }

  @Test(
    arguments: [
      ("\\\(sha256)  a\\nb", "a%0Ab"), ("\\\(sha256)  a\\\\b", "a%5Cb"),
      ("\\\(sha256) *a\\rb", "a%0Db"), ("\\SHA256 (a\\nb) = \(sha256)", "a%0Ab"),
      ("\(sha256)  a b.iso", "a%20b.iso"), ("\(sha256)  a+b.iso", "a%2Bb.iso"),
      ("\(sha256)  a%20b.iso", "a%2520b.iso"), ("SHA256 (a (1).iso) = \(sha256)", "a%20(1).iso"),
      ("\(sha256)  Gr\u{FC}n.iso", "Gru%CC%88n.iso"), ("\(sha256)  100%.iso", "100%.iso"),
      ("SHA256 (a) = b) = \(sha256)", "a)%20=%20b"),
    ])
  func comparesDecodedNames(line: String, name: String) throws {
    #expect(try look(line, name) == "sha-256=\(Self.sha256)")
  }

  @Test(arguments: [
    "", "\n\n\n", "\r\n", "hello", "# comment", "\(sha256)x  file.iso", "\(sha256)0  file.iso",
    "\(sha256.dropLast())  file.iso", "\(sha256),file.iso", "\(sha256)  file.iso.asc",
    "\(sha256)  FILE.ISO", "file.iso  \(sha256)", "SHA256 (file.iso) = ",
    "SHA256 (file.iso) \(sha256)", "SHA256 file.iso = \(sha256)", "(file.iso) = \(sha256)",
    "SHA256 (file.iso) = \(md5)", "SHA256 (file.iso = \(sha256)", "SHA256 )file.iso( = \(sha256)",
    "\(sha256)  /", "\(sha256)  ./.", "\\\(sha256)  file.iso\\", "\\\(sha256)  file.\\iso",
    "SHA512-256 (file.iso) = \(sha256)", "SHA512/256 (file.iso) = \(sha256)",
    "SHA3-256 (file.iso) = \(sha256)", "BLAKE2b-256 (file.iso) = \(sha256)",
    "BLAKE2b (file.iso) = \(sha512)", "SHA384 (file.iso) = \(sha256)\(md5)",
    "\(sha256)\(md5)  file.iso", "<html>\(sha256)  file.iso</html>",
    "\(sha256)  \(String(repeating: "d/", count: 9000))file.iso",
  ])
  func passesOverEverythingElse(line: String) throws {
    #expect(try look(line) == nil)
    // And goes on after it.
    #expect(try look(line + "\n\(Self.md5)  file.iso\n") == "md5=\(Self.md5)")
  }

  @Test func passesOverNamesThatAreNotUTF8() {
    let line = Array("\(Self.sha256)  ".utf8) + [0xFF, 0x66, 0x0A]
    let sums = ChecksumFile(parsing: line, named: "x")
    #expect(throws: ChecksumLookupFailure.self) {
      let url = try HTTPURL(parsing: "https://example.org/%FFf")
      _ = try sums.digest(for: url, ownName: "\u{FFFD}f", isOnlyFile: true)
    }
  }

  @Test(
    arguments: [
      ("B2SUMS", sha512), ("file.iso.b3sum", sha256), ("BLAKE3.txt", sha256),
      ("SHA3-256SUMS", sha256), ("sha512_256.txt", sha256), ("file.sha3", sha512),
      ("RMD160", sha1), ("https://example.org/SHA512-256SUMS?x=1", sha256),
    ])
  func theNameMayGiveAwayAnUnknownAlgorithm(file: String, hex: String) throws {
    #expect(try look("\(hex)  file.iso", file: file) == nil)
    // A tag says what it is.
    let tagged = "SHA256 (file.iso) = \(Self.sha256)"
    #expect(try look(tagged, file: file) == "sha-256=\(Self.sha256)")
  }

  @Test(arguments: ["sm3-tools-1.0.sha256", "blake2-1.0.tar.gz.sha256", "b2sum/SHA256SUMS"])
  func theLastMentionOfAnAlgorithmCounts(file: String) throws {
    #expect(try look("\(Self.sha256)  file.iso", file: file) == "sha-256=\(Self.sha256)")
  }

  @Test func ofASignedMessageOnlyTheSignedLinesCount() throws {
    let other = String(Self.sha256.reversed())
    let text = """
      \(other)  file.iso
      -----BEGIN PGP SIGNED MESSAGE-----\u{20}
      Hash: SHA256

      # Fedora-Live.iso: 2084907008 bytes
      SHA256 (file.iso) = \(Self.sha256)
      - \(Self.md5)  -dash
      -----BEGIN PGP SIGNATURE-----

      \(other)
      \(other)  signature
      -----END PGP SIGNATURE-----
      \(other)  file.iso
      """
    for text in [text, text.split(separator: "\n").joined(separator: "\r\n")] {
      #expect(try look(text) == "sha-256=\(Self.sha256)")
      #expect(try look(text, "-dash") == "md5=\(Self.md5)")
      #expect(try look(text, "signature") == nil)
    }
  }

  @Test(arguments: [true, false])
  func readsUTF16(isLittle: Bool) throws {
    let units = Array("\u{FEFF}\(Self.sha256)  Grün.iso\r\n".utf16)
    let bytes = units.flatMap { unit in
      isLittle
        ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    }
    let url = try HTTPURL(parsing: "https://example.org/Gr%C3%BCn.iso")
    // A half unit at the end is no harm.
    for bytes in [bytes, bytes + [0]] {
      let sums = ChecksumFile(parsing: bytes, named: "x")
      #expect(try sums.digest(for: url, ownName: nil, isOnlyFile: false).hex == Self.sha256)
    }
  }

  @Test func readsNoMoreThanItsLimit() throws {
    let line = "\(Self.sha256)  another\n"
    let count = ChecksumFile.maximumByteCount / line.utf8.count + 1
    let text = String(repeating: line, count: count) + "\(Self.sha256)  file.iso\n"
    #expect(try look(text, "another") == "sha-256=\(Self.sha256)")
    #expect(try look(text) == nil)
  }

  @Test(arguments: SplitMix64.seeds)
  func survivesHostileFiles(seed: UInt64) throws {
    let examples = [
      "\(Self.sha256)  file.iso\n\\\(Self.sha1) *a\\nb\n", "SHA256 (file.iso) = \(Self.sha256)\n",
      "-----BEGIN PGP SIGNED MESSAGE-----\n\n\(Self.md5)  x\n-----BEGIN PGP SIGNATURE-----\n",
      "\u{FEFF}\(Self.sha512)\r\n", "SHA2-256(a(b)c)= \(Self.base64)",
    ]
    let url = try HTTPURL(parsing: "https://example.org/file.iso")
    for text in Hostile.texts(like: examples, count: 120, seed: seed) {
      for prefix in [[], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
        let sums = ChecksumFile(parsing: prefix + Array(text.utf8), named: text)
        let digest = try? sums.digest(for: url, ownName: "x", isOnlyFile: true)
        if let digest, digest.bytes.count != digest.algorithm.byteCount {
          Issue.record("\(text.debugDescription) gave \(digest)")
        }
      }
    }
  }
}
