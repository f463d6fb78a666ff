import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// Which answers are collected in memory, and what becomes of them.
@Suite struct GatheringMachineTests {
  private func bench(_ change: (inout TransferRequest) -> Void = { _ in }) throws -> MachineBench {
    var bench = try MachineBench(gathers: true, change)
    bench.feed(.started, .found(.success(.nothing)))
    return bench
  }

  private func kept(_ count: Int64) -> TransferMachine.Input {
    .kept(
      .success(
        .published(
          PublishedFile(
            path: "/d/file", wantedName: "file", byteCount: count, version: FileVersion()))))
  }

  @Test func aSmallFileIsToldInTheUsualOrder() throws {
    var bench = try bench()
    #expect(bench.whole(1000) == ["gather 1000"])
    #expect(bench.feed(.gathered(bench.id, isWhole: true)) == ["keep"])
    #expect(bench.feed(kept(1000)) == ["started", "verifying", "finished"])
    let file = try #require(bench.result?.finished)
    #expect(file.byteCount == 1000 && file.verification == .length)
    #expect(bench.feed(.gathered(bench.id, isWhole: false), kept(1000), .stop) == [])
  }

  /// The cut came before the shell began to collect: the machine waited for ever for what was
  /// collected.
  @Test(arguments: [TransportOutcome.complete, .stopped, .lost()])
  func anEndWithoutAByteMakesThePart(_ outcome: TransportOutcome) throws {
    var bench = try bench()
    _ = bench.whole(1000)
    #expect(bench.feed(.ended(bench.id, outcome)) == ["create"])
    // The receiver may find the same, and say so later.
    #expect(bench.feed(.gathered(bench.id, isWhole: false)) == [])
    let words = bench.feed(.created(.success(.part(IdlePart()))))
    #expect(words == ["started", "retrying connection-lost", "wake"])
    #expect(bench.wait(600) == ["request whole"])
  }

  @Test(arguments: [1, TransferBuffer.capacity])
  func upToABufferIsCollected(_ total: Int) throws {
    var bench = try bench()
    #expect(bench.whole(total) == ["gather \(total)"])
  }

  @Test(arguments: [0, TransferBuffer.capacity + 1, nil] as [Int?])
  func otherLengthsAreNot(_ total: Int?) throws {
    var bench = try bench()
    #expect(bench.whole(total) == ["create"])
  }

  static let digest = "sha-256=:\(OriginContent(size: 3, seed: 1).base64SHA256):"

  @Test(arguments: [("Repr-Digest", digest), ("Content-Digest", digest)])
  func whatHasToBeCheckedIsNot(_ field: (String, String)) throws {
    var bench = try bench()
    #expect(bench.whole(1000, [field]) == ["create"])
  }

  @Test func whatIsCodedIsNot() throws {
    var bench = try bench()
    #expect(bench.whole(1000, [("Content-Encoding", "gzip")]) == ["create"])
  }

  @Test func whatTheOwnerHasADigestOfIsNot() throws {
    var bench = try bench { $0.digest = OriginContent(size: 3, seed: 1).digest() }
    #expect(bench.whole(1000) == ["create"])
  }

  @Test(arguments: [ExistingFilePolicy.overwrite, .skip, .fail])
  func whatMayNotBeWantedIsNot(_ policy: ExistingFilePolicy) throws {
    var bench = try bench { $0.destination.existing = policy }
    #expect(bench.whole(1000) == ["create"])
  }

  @Test func whatIsOnlyPlannedIsNot() throws {
    var bench = try bench { $0.isDryRun = true }
    #expect(bench.whole(1000) == ["create"])
  }

  @Test func whatIsTooLargeIsRefusedBeforeItIsCollected() throws {
    var bench = try bench { $0.maximumByteCount = 999 }
    #expect(bench.whole(1000) == ["cancel", "failed too-large"])
  }

  @Test func aStopWhileItIsCollectedEndsAtOnce() throws {
    var bench = try bench()
    _ = bench.whole(1000)
    #expect(bench.feed(.stop) == ["cancel", "stopped 0"])
    #expect(bench.feed(.gathered(bench.id, isWhole: true)) == [])
  }

  @Test func aStopIsTooLateWhereTheFileIsAboutToHaveItsName() throws {
    var bench = try bench()
    _ = bench.whole(1000)
    bench.feed(.gathered(bench.id, isWhole: true))
    #expect(bench.feed(.stop) == [])
    #expect(bench.feed(kept(1000)) == ["started", "verifying", "finished"])
  }

  @Test func aStopWhileThePartIsMadeAfterAllWaitsForIt() throws {
    var bench = try bench()
    _ = bench.whole(1000)
    bench.feed(.gathered(bench.id, isWhole: true))
    #expect(bench.feed(.kept(.success(.declined))) == ["create"])
    #expect(bench.feed(.stop) == ["cancel"])
    #expect(bench.feed(.created(.success(.part(IdlePart())))) == ["flush"])
    #expect(bench.feed(.flushed) == ["close keep"])
    #expect(bench.feed(.closed) == ["stopped 0"])
  }

  @Test func whatIsNotWholeGoesIntoAPart() throws {
    var bench = try bench()
    _ = bench.whole(1000)
    #expect(bench.feed(.gathered(bench.id, isWhole: false)) == ["create"])
    let words = bench.feed(.created(.success(.part(IdlePart()))))
    #expect(words == ["started", "accept 0-1000", "wake"])
  }

  @Test func aFailureOfTheDiskIsTheEnd() throws {
    var bench = try bench()
    _ = bench.whole(1000)
    bench.feed(.gathered(bench.id, isWhole: true))
    let failure = FileFailure(code: .diskFull, message: "no room")
    #expect(bench.feed(.kept(.failure(failure))) == ["cancel", "failed disk-full"])
    #expect(bench.result?.failure?.isResumable == false)
  }
}
