import HaulHTTP
import HaulSystem
import Testing

/// Digests and checksums against published values.
@Suite struct CryptoTests {
  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(arguments: [
    // RFC 1321 A.5, FIPS 180-4 examples.
    (DigestAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func digestsAreThoseOfTheStandards(algorithm: DigestAlgorithm, expected: String) {
    let hasher = SystemCrypto().makeHasher(algorithm)
    // In two pieces; the buffers live through the calls.
    unsafe [0x61 as UInt8].withUnsafeBytes { unsafe hasher.update($0) }
    unsafe [0x62, 0x63 as UInt8].withUnsafeBytes { unsafe hasher.update($0) }
    let digest = hasher.finish()
    #expect(digest.algorithm == algorithm && hex(digest.bytes) == expected)
  }

  @Test func aChecksumCanBeReadInTheMiddle() {
    let checksum = SystemCrypto().makeChecksum()
    // XXH3_64bits of nothing, by the reference implementation.
    #expect(checksum.value == 0x2D06_8005_38D3_94C2)
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let other = SystemCrypto().makeChecksum()
    // The buffers live through the calls.
    unsafe bytes[..<1234].withUnsafeBytes { unsafe checksum.update($0) }
    _ = checksum.value
    unsafe bytes[1234...].withUnsafeBytes { unsafe checksum.update($0) }
    unsafe bytes.withUnsafeBytes { unsafe other.update($0) }
    #expect(checksum.value == other.value)
    checksum.reset()
    #expect(checksum.value == 0x2D06_8005_38D3_94C2)
  }
}
