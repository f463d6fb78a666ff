import HaulHTTP
import HaulSystem
import HaulTransfer
import Testing

/// Content codings (CASES L6).
@Suite struct ContentDecoderTests {
  // Made by gzip and zlib of the text "hello hello hello\n".
  static let text = "hello hello hello\n"
  static let gzip: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
    0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x5C, 0x00,
  ]
  static let raw: [UInt8] = Array(gzip[10...])

  private func decode(
    _ coding: ContentCoding, _ bytes: [UInt8], piece: Int = .max, room: Int = 7
  ) throws -> (text: String, isComplete: Bool) {
    let decoder = try #require(ContentDecoder(coding))
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let part = Array(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      // The span lives as long as the array.
      unsafe decoder.feed(part.span.bytes)
      var buffer = [UInt8](repeating: 0, count: room)
      while true {
        // The buffer lives through the call.
        let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe decoder.pull(into: $0) }
        output += buffer[..<count]
        if count < room { break }
      }
    } while !rest.isEmpty
    return (String(decoding: output, as: UTF8.self), decoder.isComplete)
  }

  private static func member() -> [UInt8] {
    // The check sum and length of the text, by RFC 1952 §2.3.1.
    var table = [UInt32](repeating: 0, count: 256)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
      table[index] = value
    }
    var crc = UInt32.max
    for byte in text.utf8 { crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    crc = ~crc
    let count = UInt32(text.utf8.count)
    return gzip
      + [crc, count].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      }
  }

  private static func zlib() -> [UInt8] {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in text.utf8 {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return [0x78, 0x9C] + raw
      + [high >> 8, high, low >> 8, low].map { UInt8(truncatingIfNeeded: $0) }
  }

  @Test(arguments: [1, 2, 3, 1000])
  func contentIsDecodedInPiecesOfAnySize(piece: Int) throws {
    for (coding, bytes) in [
      (ContentCoding.gzip, Self.member()), (.deflate, Self.zlib()), (.deflate, Self.raw),
    ] {
      let result = try decode(coding, bytes, piece: piece)
      #expect(result.text == Self.text && result.isComplete)
    }
  }

  @Test func severalMembersAreOneContentAndPaddingIsIgnored() throws {
    let two = Self.member() + Self.member()
    for rest in [[], [0, 0, 0], [0, 0, 7, 7, 7], Array("garbage".utf8)] as [[UInt8]] {
      for piece in [1, 1000] {
        let result = try decode(.gzip, two + rest, piece: piece)
        #expect(result.text == Self.text + Self.text && result.isComplete)
      }
    }
  }

  @Test func whatIsCutOffIsNotComplete() throws {
    let member = Self.member()
    for count in 0..<member.count {
      #expect(try !decode(.gzip, Array(member[..<count])).isComplete)
    }
  }

  @Test func damageIsAnErrorOrIncompleteAndNeverATrap() {
    let member = Self.member()
    for index in member.indices {
      for change in 1...255 as ClosedRange<UInt8> {
        var damaged = member
        damaged[index] ^= change
        let result = try? decode(.gzip, damaged, room: 64)
        // The header's time, flags of the maker and its system are not checked.
        let isHarmless = (3...9).contains(index)
        if let result, result.isComplete, !isHarmless { #expect(result.text == Self.text) }
      }
    }
  }

  @Test func aBombIsRefused() throws {
    // The start of a dynamic block, after which each byte of zeros stands for four runs of 258.
    let start: [UInt8] = [
      0xEC, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A,
    ]
    #expect(throws: BodyDecodingFailure.self) {
      try decode(.deflate, start + [UInt8](repeating: 0, count: 100_000), room: 65_536)
    }
    // Below the first MiB any ratio is right.
    let small = try decode(.deflate, start + [UInt8](repeating: 0, count: 900), room: 65_536)
    #expect(small.text.utf8.count > 800_000)
  }

  @Test func otherCodingsHaveNoDecoder() {
    #expect(ContentDecoder(.identity) == nil)
    #expect(ContentDecoder(.unsupported("br")) == nil)
    #expect(ContentDecoders().makeDecoder(.gzip, digests: []) != nil)
  }

  @Test func digestsAreOfTheCodedBytes() throws {
    let decoder = try #require(ContentDecoder(.gzip, digests: [.sha256]))
    let member = Self.member()
    // The span and the buffer live as long as the array.
    unsafe decoder.feed(member.span.bytes)
    let hasher = SystemCrypto().makeHasher(.sha256)
    unsafe member.withUnsafeBytes { unsafe hasher.update($0) }
    let buffer = TransferBuffer()
    #expect(try !decoder.decode(into: buffer))
    #expect(buffer.count == Self.text.utf8.count)
    #expect(decoder.digests() == [hasher.finish()])
  }
}
