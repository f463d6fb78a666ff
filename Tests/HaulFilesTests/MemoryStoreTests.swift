import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// Small files that are read and not kept.
@Suite struct MemoryStoreTests {
  let store = MemoryStore(crypto: SystemCrypto())

  private func waiting<Value: Sendable>(
    _ start: (@escaping @Sendable (FileOutcome<Value>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedContinuation { continuation in
      start { continuation.resume(returning: $0) }
    }.get()
  }

  private func make() async throws -> any PartialFile {
    let source = SourceIdentity(url: "x", redactedURL: "x")
    let made: CreatedPartial = try await waiting {
      store.create(
        source, at: Destination(folder: ""), suggestedName: "sums", version: FileVersion(),
        mayAdopt: false, completion: $0)
    }
    guard case .part(let part) = made else { throw TestFailure("\(made)") }
    return part
  }

  private func write(_ bytes: [UInt8], at offset: Int64, to part: any PartialFile) async throws {
    let buffer = TransferBuffer()
    // The buffer has room for more than these tests write.
    _ = unsafe buffer.fill { free in
      unsafe free.copyBytes(from: bytes)
      return bytes.count
    }
    try await waiting { part.write(buffer, at: offset, completion: $0) }
  }

  @Test func whatIsWrittenIsThereOnceItIsPublished() async throws {
    let bytes = content(10_000)
    let part = try await make()
    #expect(store.content == nil)
    try await write(Array(bytes[4_000...]), at: 4_000, to: part)
    try await write(Array(bytes[..<4_000]), at: 0, to: part)
    #expect(store.content == nil)
    #expect(
      try await waiting { part.read(3_990..<4_010, completion: $0) } == Array(bytes[3_990..<4_010]))
    let digests = try await waiting {
      part.digests([.sha256, .md5], byteCount: 10_000, completion: $0)
    }
    let original = OriginContent(bytes)
    #expect(Set(digests) == [original.digest(), original.digest(.md5)])
    let piece = try await waiting { part.digest(.sha1, of: 5..<9, completion: $0) }
    #expect(piece == OriginContent(Array(bytes[5..<9])).digest(.sha1))
    let file = try await waiting {
      part.publish(byteCount: 10_000, version: FileVersion(), completion: $0)
    }
    #expect(file.byteCount == 10_000)
    #expect(store.content == bytes)
  }

  @Test func aRestartForgetsEverything() async throws {
    let part = try await make()
    try await write([1, 2, 3], at: 0, to: part)
    try await waiting { part.restart(FileVersion(total: 1), completion: $0) }
    try await write([9], at: 0, to: part)
    _ = try await waiting { part.publish(byteCount: 1, version: FileVersion(), completion: $0) }
    #expect(store.content == [9])
  }

  @Test func whatWasNeverWrittenIsAFailure() async throws {
    let part = try await make()
    try await write([1, 2, 3], at: 0, to: part)
    await #expect(throws: FileFailure.self) {
      _ = try await waiting { part.publish(byteCount: 4, version: FileVersion(), completion: $0) }
    }
    await #expect(throws: FileFailure.self) {
      _ = try await waiting { part.read(2..<4, completion: $0) }
    }
    await #expect(throws: FileFailure.self) {
      _ = try await waiting { part.digests([.md5], byteCount: 4, completion: $0) }
    }
    #expect(store.content == nil)
  }
}
