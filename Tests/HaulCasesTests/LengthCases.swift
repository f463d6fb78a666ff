import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES L1 to L5, L7, L8: how the end of a file is known, and when it is not.
@Suite struct LengthCases {
  let scene: Scene
  var content: OriginContent { scene.content }

  init() throws {
    scene = try Scene()
  }

  // MARK: L1

  @Test func aChunkedFileIsRightAndHasNoTotalBeforeItsEnd() async throws {
    let resource = OriginResource(content)
    let gate = Gate()
    let origin = try HostileOrigin {
      resource.respond(to: $0).chunked().stalling(after: 600_000, at: gate)
    }
    let fetch = try Fetch(origin.url("/file"), into: scene.folder.path) { $0.mayStall() }
    fetch.transfer.start()
    await gate.waitUntilReached()
    while fetch.transfer.progress.received < 600_000 { await Task.yield() }
    let progress = fetch.transfer.progress
    #expect(progress.total == nil)
    #expect(progress.received == 600_000)
    #expect(progress.state == .receiving)
    gate.open()
    let result = await fetch.transfer.result()
    scene.expectRight(result)
    #expect(result.finished?.byteCount == content.size)
    let isStarted = fetch.ear.events.contains {
      if case .started(_, nil, 0) = $0 { true } else { false }
    }
    #expect(isStarted)
  }

  @Test(arguments: [0, 1, 65_536, 899_999, 900_000] as [Int64])
  func aChunkedFileThatIsCutGoesOnFromThere(cut: Int64) async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).chunked().resetting(after: cut) },
      finally: { resource.respond(to: $0).chunked() })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(ear.retries == [.connectionLost])
      #expect(origin.requests.count == 2)
    }
  }

  @Test func aMissingLastChunkIsNoEnd() async throws {
    let resource = OriginResource(content).withoutValidators()
    let origin = try HostileOrigin { resource.respond(to: $0).chunkedWithoutEnd() }
    let (result, ear) = try await scene.fetch(origin)
    #expect(result.failure?.code == .lengthMismatch)
    #expect(!scene.folder.names.contains("file"))
    if Connections.count == 1 {
      #expect(ear.retries.allSatisfy { $0 == .connectionLost })
      #expect((3...4).contains(origin.requests.count))
    }
  }

  @Test func aBrokenChunkIsNoEnd() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next(2) { resource.respond(to: $0).brokenChunk(after: 300_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(ear.retries.count == 2)
    }
    #expect(ear.restarts == [])
  }

  // MARK: L2

  @Test func theEndOfTheConnectionIsAnEndThatNothingConfirms() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).closeDelimited() }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result, verified: .unverified)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test func aDigestConfirmsAnEndByClose() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).closeDelimited() }
    let digest = content.digest()
    let (result, _) = try await scene.fetch(origin) { $0.digest = digest }
    scene.expectRight(result, verified: .digest)
  }

  @Test func aResetIsNoEndByClose() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).closeDelimited().resetting(after: 300_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(ear.retries == [.connectionLost])
      #expect(origin.requests.count == 2)
    }
  }

  // MARK: L3, L4

  enum Ending: CaseIterable, Sendable { case close, reset }

  @Test(arguments: Ending.allCases, [0, 1, 262_144, 899_999] as [Int64])
  func aFileThatEndsEarlyGoesOnFromThere(ending: Ending, cut: Int64) async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next {
        let answer = resource.respond(to: $0)
        return ending == .close ? answer.cutting(after: cut) : answer.resetting(after: cut)
      },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(ear.retries == [.connectionLost])
      #expect(origin.ranges == [nil, cut == 0 ? nil : "bytes=\(cut)-"])
      #expect(origin.bodyBytesSent == content.size)
    }
  }

  @Test(arguments: [1, 200_000] as [Int64])
  func aLengthThatIsTooLargeForEverIsANamedFailure(excess: Int64) async throws {
    let resource = OriginResource(content).ignoringRanges()
    let origin = try HostileOrigin { request in
      let answer = resource.respond(to: request)
      return answer.declaring(length: answer.bodyByteCount + excess).cutting(
        after: answer.bodyByteCount)
    }
    let (result, ear) = try await scene.fetch(origin)
    // It may have been cut as well, and can be continued from there.
    scene.expectFailure(result, .connectionLost, keepsPart: true)
    // One more than the tries in a row: the first restart makes its bytes progress again.
    if Connections.count == 1 {
      #expect(ear.retries.allSatisfy { $0 == .connectionLost })
      #expect((3...4).contains(origin.requests.count))
    }
  }

  @Test func aLengthThatIsTooLargeForEverFailsAlsoWithRanges() async throws {
    // The server calls the file longer than it is, and sends what there is.
    let resource = OriginResource(content)
    let size = content.size
    let origin = try HostileOrigin { request in
      let first = request.range?.first ?? 0
      guard first < size else { return resource.respond(to: request) }
      let answer = resource.respond(to: request)
      let longer = answer.declaring(length: size - first + 10).cutting(after: size - first)
      guard first > 0 else { return longer }
      return longer.wrongContentRange("bytes \(first)-\(size + 9)/\(size + 10)")
    }
    let (result, _) = try await scene.fetch(origin)
    #expect(result.failure != nil)
    #expect(!scene.folder.names.contains("file"))
    if Connections.count == 1 {
      #expect(origin.requests.count <= 6)
    }
  }

  // MARK: L5

  enum Empty: CaseIterable, Sendable { case length, chunked, close, digest }

  @Test(arguments: Empty.allCases)
  func anEmptyFileIsAFile(kind: Empty) async throws {
    let empty = OriginContent(size: 0)
    let resource = OriginResource(empty)
    let origin = try HostileOrigin {
      let answer = resource.respond(to: $0)
      switch kind {
      case .length, .digest: return answer
      case .chunked: return answer.chunked()
      case .close: return answer.closeDelimited()
      }
    }
    let (result, _) = try await scene.fetch(origin) {
      if kind == .digest { $0.digest = empty.digest() }
    }
    scene.expectRight(
      result, empty, verified: kind == .close ? .unverified : kind == .digest ? .digest : .length)
    #expect(result.finished?.byteCount == 0)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  // MARK: L7

  @Test(arguments: [
    "-1", "+900000", "9 00000", "900000.0", "0x1000", "99999999999999999999",
    "9223372036854775808", "18446744073709551616", "abc", "900000, 900001",
  ])
  func aMalformedLengthIsANamedFailure(text: String) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).framed(.lengthText(text)).cutting(after: 900_000)
    }
    let (result, _) = try await scene.fetch(origin)
    #expect(result.failure != nil, "\(result)")
    #expect([.badResponse, .notHTTP].contains(result.failure?.code), "\(result)")
    #expect(scene.folder.names == [])
  }

  @Test func twoLengthsThatDifferAreANamedFailure() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).adding("Content-Length", "899999").cutting(after: 900_000)
    }
    let (result, _) = try await scene.fetch(origin)
    #expect([.badResponse, .notHTTP].contains(result.failure?.code), "\(result)")
    #expect(scene.folder.names == [])
  }

  @Test func theSameLengthTwiceIsOne() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).adding("Content-Length", "900000")
    }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
  }

  /// More than there is room for on any disk, up to the largest number there is.
  @Test(arguments: [9_007_199_254_740_993, Int64.max - 1, Int64.max])
  func aLengthBeyondEveryDiskIsANamedFailure(length: Int64) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).declaring(length: length).cutting(after: 900_000)
    }
    let (result, _) = try await scene.fetch(origin)
    #expect([.diskFull, .inputOutput].contains(result.failure?.code), "\(result)")
    #expect(scene.folder.names == [])
  }

  @Test(arguments: [
    "bytes 100-9223372036854775806/9223372036854775807", "bytes 100-9223372036854775806/*",
    "bytes 100-9223372036854775807/*", "bytes 18446744073709551716-18446744073709551800/900000",
  ])
  func absurdContentRangesNeverTrap(value: String) async throws {
    // The length of the file is not known, so that the range is the first to say anything.
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).chunked().resetting(after: 101) },
      finally: { request in
        let answer = resource.respond(to: request)
        return answer.status == 206 ? answer.wrongContentRange(value).chunked() : answer
      })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin)
    if result.finished != nil {
      scene.expectRight(result)
    } else {
      #expect(!scene.folder.names.contains("file"))
    }
  }

  /// A sparse file of more than 4 GiB, of which the last bytes are fetched.
  @Test func aFileOfMoreThan4GiBIsCountedIn64Bits() async throws {
    let size: Int64 = (5 << 30) + 12_345
    let large = OriginResource(OriginContent(size: size, seed: 2))
    let gate = Gate()
    let origin = try HostileOrigin { large.respond(to: $0).stalling(after: 100_000, at: gate) }
    let fetch = try Fetch(origin.url("/file"), into: scene.folder.path) {
      $0.maximumByteCount = size
      $0.mayStall()
    }
    fetch.transfer.start()
    while fetch.transfer.progress.received < 100_000, fetch.ear.endCount == 0 {
      await Task.yield()
    }
    #expect(fetch.transfer.progress.total == size)
    fetch.transfer.stop()
    if Connections.count == 1 {
      #expect(await fetch.transfer.result().stoppedAt == 100_000)
    }
    gate.open()
  }

  @Test(arguments: [true, false])
  func aFileLongerThanAllowedIsRefused(isAnnounced: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      let answer = resource.respond(to: $0)
      return isAnnounced ? answer : answer.chunked()
    }
    let (result, _) = try await scene.fetch(origin) { $0.maximumByteCount = 899_999 }
    #expect(result.failure?.code == .tooLarge)
    #expect(!scene.folder.names.contains("file"))
  }

  // MARK: L8

  @Test(arguments: [0, 5, 899_999, 900_001, 5_000_000] as [Int64])
  func chunksWinOverALength(length: Int64) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).framed(.chunkedWithLength(length))
    }
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  /// The first answer said how long the file is and was cut; the next one said nothing of it, was cut as
  /// well, and passed for the whole file.
  @Test(arguments: ["plain", "weak"])
  func anEndBeforeTheLengthThatWasGivenOnceIsACut(_ tag: String) async throws {
    var resource = OriginResource(content).withoutValidators()
    if tag == "weak" { resource.etag = "W/\"a\"" }
    let served = resource
    let script = Script(
      .next { served.respond(to: $0).resetting(after: 400_000) },
      finally: {
        let answer = OriginResource(content.resized(to: 600)).respond(to: $0)
        return (tag == "weak" ? answer.with("ETag", "W/\"a\"") : answer.without("ETag"))
          .without("Last-Modified").withStatus(200).without("Content-Range").closeDelimited()
      })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin) { $0.retries.tries = 3 }
    #expect(result.failure?.code == .lengthMismatch, "\(result)")
    #expect(!scene.folder.names.contains("file"))
  }
}
