public import HaulHTTP
public import HaulTransfer

/// Undoes gzip and deflate as the bytes arrive.
///
/// Several gzip members one after the other are one content, zeros behind the last one are
/// padding, and anything else behind it is ignored. Output of more than a thousand times the
/// input, beyond the first MiB, is refused. No input makes it trap.
public final class ContentDecoder: BodyDecoder, @unchecked Sendable {
  // Sendable: its owner uses it from one thread at a time.

  private enum Phase {
    /// The first bytes of `deflate` have to tell its format.
    case sniffing
    case inflating
    /// A gzip member has ended, and another may follow.
    case betweenMembers
    case ended
  }

  private let coding: ContentCoding
  private var phase: Phase
  private var stream: InflateStream
  private var input: [UInt8] = []
  private var position = 0
  private var totalIn: Int64 = 0
  private var totalOut: Int64 = 0
  private var hashers: [any DigestHasher]

  /// Makes a decoder, or nil for a coding that it cannot undo, and for no coding at all.
  ///
  /// - Parameters:
  ///   - coding: The coding of the content.
  ///   - digests: Digests of the coded bytes to compute on the way.
  ///   - crypto: Where these digests come from.
  public init?(
    _ coding: ContentCoding, digests: Set<DigestAlgorithm> = [],
    crypto: any Crypto = SystemCrypto()
  ) {
    switch coding {
    case .gzip:
      stream = InflateStream(.gzip)
      phase = .inflating
    case .deflate:
      stream = InflateStream(.zlib)
      phase = .sniffing
    case .identity, .unsupported: return nil
    }
    self.coding = coding
    hashers = digests.map { crypto.makeHasher($0) }
  }

  /// Whether the end mark was reached; with gzip, of every member that has begun.
  public var isComplete: Bool {
    switch phase {
    case .sniffing, .inflating: false
    case .betweenMembers, .ended: true
    }
  }

  /// Takes coded bytes; they are copied.
  public func feed(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { buffer in
      // The buffer lives through these calls.
      for hasher in hashers { unsafe hasher.update(buffer) }
      guard phase != .ended else { return }
      if position == input.count {
        input.removeAll(keepingCapacity: true)
        position = 0
      }
      unsafe input.append(contentsOf: buffer)
    }
    totalIn = totalIn.addingReportingOverflow(Int64(bytes.byteCount)).partialValue
  }

  /// Decodes into the free space of a buffer, as much as fits.
  ///
  /// - Returns: whether more output may come from what was fed; false asks for input.
  /// - Throws: `BodyDecodingFailure` when the bytes are no valid coding, or grow beyond reason.
  public func decode(into buffer: TransferBuffer) throws(BodyDecodingFailure) -> Bool {
    var outcome: Result<Bool, BodyDecodingFailure> = .success(false)
    _ = unsafe buffer.fill { free in
      do throws(BodyDecodingFailure) {
        // The free space is the decoder's until this closure returns.
        let made = try unsafe pull(into: free)
        outcome = .success(made == free.count)
        return made
      } catch {
        outcome = .failure(error)
        return 0
      }
    }
    return try outcome.get()
  }

  /// Decodes into memory, as much as fits; fewer bytes than that ask for input.
  ///
  /// - Throws: `BodyDecodingFailure` when the bytes are no valid coding, or grow beyond reason.
  public func pull(
    into output: UnsafeMutableRawBufferPointer
  ) throws(BodyDecodingFailure) -> Int {
    var made = 0
    while made < output.count, try prepare() {
      // `made` bytes are filled, and `position` lies within the input.
      let step = unsafe input.withUnsafeBytes { bytes in
        unsafe stream.inflate(
          UnsafeRawBufferPointer(rebasing: bytes[position...]),
          into: UnsafeMutableRawBufferPointer(rebasing: output[made...]))
      }
      position += step.used
      made += step.made
      totalOut += Int64(step.made)
      guard totalOut / 1000 <= totalIn + 1049 else {
        throw BodyDecodingFailure(message: "The content grows beyond reason when it is decoded.")
      }
      switch step.step {
      case .corrupt:
        throw BodyDecodingFailure(message: "The content is not valid \(coding).")
      case .ended: phase = coding == .gzip ? .betweenMembers : .ended
      case .hungry:
        if step.used == 0, step.made == 0 { return made }
      }
    }
    return made
  }

  /// The digests of all coded bytes that were fed; to be asked for once.
  public func digests() -> [Digest] {
    defer { hashers = [] }
    return hashers.map { $0.finish() }
  }

  /// Whether there is something to inflate; finds out what comes next.
  private func prepare() throws(BodyDecodingFailure) -> Bool {
    switch phase {
    case .inflating: return true
    case .ended: return false
    case .sniffing:
      guard input.count - position >= 2 else { return false }
      let first = input[position]
      let pair = Int(first) << 8 | Int(input[position + 1])
      // RFC 1950 §2.2: method 8, and the pair is a multiple of 31.
      if first & 0x0F != 8 || pair % 31 != 0 { stream = InflateStream(.raw) }
      phase = .inflating
      return true
    case .betweenMembers:
      while position < input.count, input[position] == 0 { position += 1 }
      let rest = input[position...].prefix(2)
      if rest.count == 2, rest.elementsEqual([0x1F, 0x8B]) {
        stream.reset()
        phase = .inflating
        return true
      }
      let mayBeginMember = rest.isEmpty || (rest.count == 1 && rest.first == 0x1F)
      if !mayBeginMember { phase = .ended }
      return false
    }
  }
}

/// Makes decoders by zlib.
public struct ContentDecoders: BodyDecoders {
  private let crypto: any Crypto

  /// Makes a maker whose decoders take their digests from `crypto`.
  public init(crypto: any Crypto = SystemCrypto()) {
    self.crypto = crypto
  }

  /// A decoder for gzip or deflate; nil for every other coding, and for none.
  public func makeDecoder(
    _ coding: ContentCoding, digests: Set<DigestAlgorithm>
  ) -> (any BodyDecoder)? {
    ContentDecoder(coding, digests: digests, crypto: crypto)
  }
}
