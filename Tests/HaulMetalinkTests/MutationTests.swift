import HaulHTTP
import HaulMetalink
import Testing

/// Random damage to documents: whatever comes in, a value or a fault comes out.
@Suite(.timeLimit(.minutes(1))) struct MutationTests {
  /// The same numbers for the same seed.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  static let fragments = [
    "<", ">", "&", "&amp;", "&#0;", "&#x110000;", "&x;", "\"", "'", "/", "/>", "</", "<!--", "-->",
    "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE x [", "<!ENTITY x \"y\">", "]>", "xmlns=\"\"",
    "xmlns:m=\"urn:ietf:params:xml:ns:metalink\"", "\0", "\r\n", "\u{FEFF}", "..", "-1",
    "9223372036854775808", "<file name=\"f\">", "</file>", "<hash>",
    "<pieces length=\"1\" type=\"md5\">",
    "<url>http://a/</url>", "encoding=\"UTF-16\"",
  ].map { Array($0.utf8) }

  static func mutated(_ random: inout Random) -> [UInt8] {
    let sample = [Samples.network, Samples.build].randomElement(using: &random) ?? ""
    var bytes = Array(sample.utf8)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let at = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, at + Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.removeSubrange(at..<end)
      case 1 where at < bytes.count: bytes[at] = .random(in: .min ... .max, using: &random)
      case 2: bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 3: bytes.removeSubrange(at...)
      case 4 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      default: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: at)
      }
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3, UInt64.random(in: 1 ... .max)])
  func aValueOrAFaultComesOut(_ seed: UInt64) throws {
    var random = Random(state: seed)
    var values = 0
    for _ in 0..<2500 {
      let bytes = Self.mutated(&random)
      do {
        let metalink = try Metalink(parsing: bytes)
        values += 1
        #expect(!metalink.files.isEmpty)
        for file in metalink.files {
          #expect(FileName.safe(file.name) == file.name)
          #expect(!file.name.utf8.contains(UInt8(ascii: "/")))
          #expect((1...Metalink.maximumURLCount).contains(file.urls.count))
          #expect(file.urls.allSatisfy { $0.scheme == "http" || $0.scheme == "https" })
          #expect(file.byteCount.map { $0 >= 0 } ?? true)
          if let size = file.byteCount, let pieces = file.pieces {
            #expect(pieces.fits(total: size))
          }
        }
      } catch {
        #expect(!error.message.isEmpty)
        #expect(error.message.count < 400)
      }
    }
    // Both must come out, or the mutations test nothing.
    #expect((50..<2400).contains(values), "\(values)")
  }
}
