import HaulSystem

extension Crypto {
  /// The checksum of some bytes.
  func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    let checksum = makeChecksum()
    checksum.reset()
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe checksum.update($0) }
    return checksum.value
  }
}
