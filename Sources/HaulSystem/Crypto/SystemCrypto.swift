import CCrypto
import CXXHash
public import HaulHTTP

/// Digests by libcrypto and block checksums by XXH3.
public struct SystemCrypto: Crypto {
  /// Makes it; it has no state.
  public init() {}

  /// Starts a digest by libcrypto's EVP interface, which uses the processor's own instructions.
  public func makeHasher(_ algorithm: DigestAlgorithm) -> any DigestHasher {
    LibcryptoHasher(algorithm)
  }

  /// Starts an XXH3 of 64 bits (measured: 10 GB/s).
  public func makeChecksum() -> any BlockChecksum {
    XXH3Checksum()
  }
}

/// Owns one digest context of libcrypto.
@safe
private final class LibcryptoHasher: DigestHasher {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  init(_ algorithm: DigestAlgorithm) {
    self.algorithm = algorithm
    // Libcrypto fails here only without memory, which Swift cannot survive either.
    guard let context = unsafe EVP_MD_CTX_new() else { fatalError("no memory for a digest") }
    unsafe self.context = unsafe context
    if let kind = unsafe Self.kind(algorithm), unsafe EVP_DigestInit_ex(context, kind, nil) == 1 {
      return
    }
    // A policy of the machine refuses the algorithm. It is used here against damage, and a server
    // that names it must not end the program.
    guard let own = unsafe Self.outsideOfPolicies(algorithm),
      unsafe EVP_DigestInit_ex(context, own, nil) == 1
    else { fatalError("libcrypto has no \(algorithm.rawValue)") }
    // The context holds a reference of its own.
    unsafe EVP_MD_free(own)
  }

  /// The algorithm as the machine has it; nil where its policy refuses it.
  private static func kind(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
    switch algorithm {
    case .sha256: unsafe sha256
    case .sha512: unsafe EVP_sha512()
    case .sha1: unsafe EVP_sha1()
    case .md5: unsafe EVP_md5()
    }
  }

  /// Looked up once, since it names the source of each download, and the others are looked up anew
  /// by each use, which takes longer than a short digest. Never freed; it does not change.
  private nonisolated(unsafe) static let sha256 = unsafe EVP_MD_fetch(nil, name(.sha256), nil)

  /// The algorithm from a library context of our own, which no configuration reaches.
  private static func outsideOfPolicies(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
    // The library context lives as long as the process; the name is copied.
    unsafe EVP_MD_fetch(ownLibrary, name(algorithm), nil)
  }

  private static func name(_ algorithm: DigestAlgorithm) -> String {
    switch algorithm {
    case .sha256: "SHA2-256"
    case .sha512: "SHA2-512"
    case .sha1: "SHA1"
    case .md5: "MD5"
    }
  }

  /// Made once and never changed; libcrypto guards it with its own locks.
  private nonisolated(unsafe) static let ownLibrary = unsafe OSSL_LIB_CTX_new()

  deinit {
    // The context was made by `init` and is not shared.
    unsafe EVP_MD_CTX_free(context)
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    // The context is initialised, and the buffer outlives the call.
    guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      fatalError("libcrypto failed to add to a digest")
    }
  }

  func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: algorithm.byteCount)
    // The call writes exactly the size of the digest, which is the size of the array.
    guard unsafe EVP_DigestFinal_ex(context, &bytes, nil) == 1,
      let digest = Digest(algorithm: algorithm, bytes: bytes)
    else { fatalError("libcrypto failed to finish a digest") }
    return digest
  }
}

/// Owns one streaming state of XXH3.
@safe
private final class XXH3Checksum: BlockChecksum {
  private let state: OpaquePointer

  init() {
    guard let state = unsafe XXH3_createState() else { fatalError("no memory for a checksum") }
    unsafe self.state = unsafe state
    reset()
  }

  deinit {
    // The state was made by `init` and is not shared.
    _ = unsafe XXH3_freeState(state)
  }

  func reset() {
    // The state is a whole, aligned one, as its library made it.
    _ = unsafe XXH3_64bits_reset(state)
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    // The state was reset, and the buffer outlives the call.
    _ = unsafe XXH3_64bits_update(state, start, bytes.count)
  }

  var value: UInt64 {
    // Reading the value leaves the state as it is.
    unsafe XXH3_64bits_digest(state)
  }
}
