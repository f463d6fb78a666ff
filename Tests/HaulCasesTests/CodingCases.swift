import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES L6, and the part of L9 that is about coded bytes.
@Suite struct CodingCases {
  let scene: Scene
  var content: OriginContent { scene.content }

  init() throws {
    scene = try Scene()
  }

  func coded(_ bytes: [UInt8], as coding: String = "gzip") -> OriginResponse {
    OriginResponse(
      status: 200,
      fields: [OriginField("ETag", "\"1\""), OriginField("Content-Encoding", coding)],
      body: [.bytes(bytes)])
  }

  /// The zlib format (RFC 1950), or the bare one (RFC 1951), from the blocks of a gzip stream.
  static func deflated(_ bytes: [UInt8], hasHeader: Bool) -> [UInt8] {
    let blocks = Array(Gzip.stored(bytes).dropFirst(10).dropLast(8))
    guard hasHeader else { return blocks }
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let sum = b << 16 | a
    return [0x78, 0x01] + blocks + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }

  enum Kind: String, CaseIterable, Sendable {
    case gzip, xGzip = "x-gzip", upper = "GZIP", deflate, bareDeflate, members

    var coding: String {
      switch self {
      case .bareDeflate: "deflate"
      case .members: "gzip"
      default: rawValue
      }
    }

    func encode(_ content: OriginContent) -> [UInt8] {
      let bytes = content.bytes()
      switch self {
      case .gzip, .xGzip, .upper: return Gzip.stored(bytes)
      case .deflate: return CodingCases.deflated(bytes, hasHeader: true)
      case .bareDeflate: return CodingCases.deflated(bytes, hasHeader: false)
      case .members:
        return Gzip.stored(Array(bytes[..<1000])) + Gzip.stored([])
          + Gzip.stored(Array(bytes[1000...]))
      }
    }
  }

  @Test(arguments: Kind.allCases, [false, true])
  func aCodedAnswerIsDecoded(kind: Kind, isChunked: Bool) async throws {
    let answer = coded(kind.encode(content), as: kind.coding)
    let origin = try HostileOrigin { _ in isChunked ? answer.chunked() : answer }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(result.finished?.byteCount == content.size)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
    #expect(origin.requests[0].header("Accept-Encoding") == "identity")
  }

  @Test func theOwnersDigestIsOfTheDecodedFile() async throws {
    let answer = coded(Gzip.stored(content.bytes()))
    let origin = try HostileOrigin { _ in answer }
    let digest = content.digest()
    let (result, _) = try await scene.fetch(origin) { $0.digest = digest }
    scene.expectRight(result, verified: .digest)
    #expect(result.finished?.digest == digest)
  }

  /// The digests of a coded answer were dropped, so that bytes damaged on the way and still
  /// valid to the coding passed.
  @Test(arguments: DigestCases.Field.allCases, [true, false])
  func theServersDigestIsOfTheCodedBytes(field: DigestCases.Field, isRight: Bool) async throws {
    let bytes = Gzip.stored(content.bytes())
    var answer = coded(bytes)
    answer.fields.append(field.field(isRight ? OriginContent(bytes) : content))
    let served = answer
    let origin = try HostileOrigin { _ in served }
    let (result, _) = try await scene.fetch(origin)
    if isRight {
      scene.expectRight(result, verified: .digest)
      // It is no digest of the file that now stands there.
      #expect(result.finished?.digest == nil)
    } else {
      scene.expectFailure(result, .digestMismatch, keepsPart: false)
    }
  }

  @Test(arguments: [20, 1000, 450_000, 900_050])
  func aCodedAnswerThatIsCutStartsAgain(cut: Int64) async throws {
    let answer = coded(Gzip.stored(content.bytes()))
    let script = Script(.next { _ in answer.resetting(after: cut) }, finally: { _ in answer })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(ear.retries == [.connectionLost])
      #expect(origin.ranges == [nil, nil])
    }
  }

  @Test func aCutCodedAnswerLeavesNothingThatALaterRunCouldContinue() async throws {
    let answer = coded(Gzip.stored(content.bytes()))
    let resource = OriginResource(content)
    let script = Script(
      .next { _ in answer.resetting(after: 500_000) }, finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (first, _) = try await scene.fetch(origin) { $0.retries.tries = 1 }
    scene.expectFailure(first, .connectionLost, keepsPart: false)
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, nil])
    }
  }

  /// The framing is whole, and the coding is not.
  @Test(arguments: [1, 4, 8, 20, 1000])
  func aTruncatedCodingIsANamedFailure(missing: Int) async throws {
    let answer = coded(Array(Gzip.stored(content.bytes()).dropLast(missing)))
    let origin = try HostileOrigin { _ in answer }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectFailure(result, .badCoding, keepsPart: false)
    if Connections.count == 1 {
      #expect(ear.retries.allSatisfy { $0 == .badCoding })
    }
  }

  enum Damage: CaseIterable, Sendable {
    case magic, checksum, length, block, noise, empty, plain
  }

  @Test(arguments: Damage.allCases)
  func aDamagedCodingIsANamedFailure(damage: Damage) async throws {
    var bytes = Gzip.stored(content.bytes())
    switch damage {
    case .magic: bytes[0] ^= 1
    case .checksum: bytes[bytes.count - 8] ^= 1
    case .length: bytes[bytes.count - 1] ^= 1
    case .block: bytes[10] |= 6
    case .noise: bytes = OriginContent(size: 50_000, seed: 11).bytes()
    case .empty: bytes = []
    case .plain: bytes = content.bytes()
    }
    let answer = coded(bytes)
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .badCoding, keepsPart: false)
  }

  @Test func aBombIsANamedFailureBeforeItIsLarge() async throws {
    let answer = coded(Gzip.bomb(byteCount: 1 << 30))
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin) { $0.destination.isDurable = false }
    scene.expectFailure(result, .badCoding, keepsPart: false)
  }

  @Test func decodedBytesCountAgainstTheLimit() async throws {
    let answer = coded(Gzip.bomb(byteCount: 3 << 20))
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin) { $0.maximumByteCount = 1 << 20 }
    scene.expectFailure(result, .tooLarge, keepsPart: false)
  }

  @Test(arguments: ["br", "zstd", "compress", "gzip, gzip", "aes128gcm", "\u{7F}"])
  func anUnknownCodingIsANamedFailure(coding: String) async throws {
    let answer = coded(content.bytes(), as: coding)
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .badCoding, keepsPart: false)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: ["identity", "", "Identity"])
  func identityIsNoCoding(coding: String) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).with("Content-Encoding", coding)
    }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
  }

  @Test(arguments: ["application/gzip", "application/x-gzip", "application/octet-stream"])
  func aGzipFileIsLeftAsItIs(type: String) async throws {
    let file = OriginContent(Gzip.stored(content.bytes()))
    var resource = OriginResource(file)
    resource.contentType = type
    let served = resource
    let origin = try HostileOrigin { served.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin, path: "/data.tar.gz", named: nil)
    #expect(result.finished != nil)
    #expect(scene.folder.names == ["data.tar.gz"])
    #expect(file.matches(path: scene.folder.file("data.tar.gz")))
  }

  /// A part of the plain file lies there, and now the server codes.
  @Test func aCodedAnswerReplacesAPartOfThePlainFile() async throws {
    let resource = OriginResource(content)
    let new = content.changed
    let answer = coded(Gzip.stored(new.bytes()))
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 500_000) }, finally: { _ in answer })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await scene.leavePart(origin)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result, new)
    #expect(ear.restarts.count == 1)
  }

  /// The first try is coded and cut in the middle, the second is plain with a right digest: what
  /// was digested of the first is of no concern any more.
  @Test func digestsOfACodedTryAreForgottenWithIt() async throws {
    let bytes = Gzip.stored(content.bytes())
    var answer = coded(bytes)
    answer.fields.append(DigestCases.Field.reprSHA256.field(OriginContent(bytes)))
    var resource = OriginResource(content)
    resource.fields = [DigestCases.Field.reprSHA256.field(content)]
    let (first, second) = (answer, resource)
    let script = Script(
      .next { _ in first.resetting(after: 500_000) }, finally: { second.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, verified: .digest)
    #expect(result.finished?.digest == content.digest())
  }

  /// The bytes of a file were stored as the transfer coded them, and called right.
  @Test(arguments: ["gzip", "deflate", "x-gzip", "compress"])
  func aTransferCodingThatNobodyUndoesIsANamedFailure(coding: String) async throws {
    let answer = OriginResponse(
      status: 200, fields: [OriginField("Transfer-Encoding", coding)], framing: .chunked,
      body: [.bytes(Gzip.stored(content.bytes()))])
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin)
    scene.expectFailure(result, .badCoding, keepsPart: false)
  }

  /// The end of a connection before the first byte passed for the coding of an empty file.
  @Test(arguments: [OriginFraming.length(0), .chunked, .close])
  func aCodedAnswerWithoutABodyIsNoFile(framing: OriginFraming) async throws {
    let answer = coded([]).framed(framing)
    let origin = try HostileOrigin { _ in answer }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectFailure(result, .badCoding, keepsPart: false)
    if Connections.count == 1 {
      #expect(ear.retries == [.badCoding, .badCoding])
    }
  }

  @Test func anEmptyFileMayBeCoded() async throws {
    let answer = coded(Gzip.stored([]))
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, OriginContent(size: 0))
  }

  /// An archive that the server calls the coded form of another file was unpacked without a word.
  @Test(arguments: [
    ("/data.tar.gz", "application/x-tar", nil), ("/data.tgz", "application/x-gzip", nil),
    ("/data.bin", "application/gzip", nil), ("/get?id=1", "application/x-gzip", nil),
    ("/picture.svgz", "image/svg+xml", nil), ("/plain", "text/plain", "data.csv.gz"),
  ])
  func aPackedFileIsKeptAsTheNameSays(
    path: String, type: String, name: String?
  ) async throws {
    let packed = OriginContent(Gzip.stored(content.bytes()))
    let answer = coded(packed.bytes()).with("Content-Type", type)
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin, path: path, named: name)
    let file = try #require(result.finished)
    #expect(packed.matches(path: file.path))
    #expect(!file.isDecoded)
    #expect(file.byteCount == packed.size)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  /// A digest says what the file is, whatever name and type say.
  @Test(arguments: [("/file", true), ("/file", false), ("/file.gz", true), ("/file.gz", false)])
  func aDigestTellsWhatTheFileIs(path: String, isPacked: Bool) async throws {
    let packed = OriginContent(Gzip.stored(content.bytes()))
    let wanted = isPacked ? packed : content
    let answer = coded(packed.bytes())
    let origin = try HostileOrigin { _ in answer }
    let (result, _) = try await scene.fetch(origin, path: path) { $0.digest = wanted.digest() }
    scene.expectRight(result, wanted, verified: .digest)
    #expect(result.finished?.isDecoded == !isPacked)
  }

  /// Nothing tells packed bytes from plain ones where a server gives both one tag.
  @Test func aPackedFileThatIsCutStartsAgain() async throws {
    let packed = OriginContent(Gzip.stored(content.bytes()))
    let answer = coded(packed.bytes())
    let script = Script(.next { _ in answer.resetting(after: 500_000) }, finally: { _ in answer })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin, path: "/file.gz")
    scene.expectRight(result, packed)
    if Connections.count == 1 {
      #expect(origin.ranges == [nil, nil])
    }
  }
}
