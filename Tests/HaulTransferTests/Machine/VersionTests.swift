import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// What a machine does when the file changes, or the server makes no sense (R3–R8, L9).
@Suite struct MachineVersionTests {
  /// Answers every request for the whole with another version, and cuts it.
  @Test func aFileThatKeepsChangingIsGivenUp() throws {
    var bench = try MachineBench()
    bench.begin(landed: 400, [("ETag", "\"v0\"")])
    for number in 1...3 {
      #expect(
        bench.cut().last == (number <= 2 ? "request bytes=400-" : "request whole"), "\(number)")
      #expect(bench.whole(1000, [("ETag", "\"v\(number)\"")]).first == "restarted changed")
      bench.feed(.prepared(.success(())), .landed(bench.id, to: 400))
      bench.finishCheckpoint()
    }
    bench.feed(.ended(bench.id, .lost()), .flushed, .checkpointed(.success(())), .closed)
    #expect(bench.result?.failure?.code == .changing)
  }

  @Test func withoutAValidatorEachTryBeginsAnewAndOnlyTwiceByRanges() throws {
    var bench = try MachineBench { $0.retries.tries = 4 }
    bench.begin(landed: 400, [])
    var restarts = 0
    while bench.result == nil, restarts < 100 {
      let words = bench.cut()
      guard words.last == "request whole" else { break }
      restarts += 1
      #expect(bench.whole(1000, []) == ["restarted no-validator", "restart"])
      bench.feed(.prepared(.success(())), .landed(bench.id, to: 400))
      bench.finishCheckpoint()
    }
    // The first restart begins the counting anew, the others do not.
    #expect(restarts == 4)
    bench.feed(.flushed, .checkpointed(.success(())), .closed)
    #expect(bench.result?.failure?.code == .connectionLost)
  }

  /// After a restart the budget still compared with the bytes of the old version, so that a file
  /// that changed late was given up although every try went on.
  @Test func triesThatGoOnAfterARestartAreProgress() throws {
    var bench = try MachineBench { $0.retries.tries = 3 }
    bench.begin(landed: 900)
    _ = bench.cut()
    _ = bench.whole(1000, [("ETag", "\"b\"")])
    bench.feed(.prepared(.success(())))
    for step in 1...8 {
      bench.feed(.landed(bench.id, to: Int64(step * 100)))
      let words = bench.cut()
      #expect(words.contains("request bytes=\(step * 100)-"), "\(words)")
      _ = bench.part(step * 100..<1000, 1000, [("ETag", "\"b\"")])
    }
    #expect(bench.result == nil)
  }

  @Test func answersThatMakeNoSenseAreEndedAfterThree() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    #expect(bench.part(300..<1000, 1000) == ["abandon", "request bytes=400-"])
    #expect(bench.part(300..<1000, 1000) == ["abandon", "request whole"])
    _ = bench.part(300..<1000, 1000)
    bench.feed(.flushed, .checkpointed(.success(())), .closed)
    #expect(bench.result?.failure?.code == .badRange)
    #expect(bench.landings == [])
  }

  @Test func aRefusedRangeIsAskedForWithoutRange() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    #expect(bench.feed(.head(bench.id, head(416))) == ["abandon", "request whole"])
    #expect(bench.whole(1000) == ["restarted bad-range", "restart"])
  }

  @Test func aWrongDigestOfACombinedFileIsFetchedOnceMoreInOneAnswer() throws {
    let right = OriginContent(size: 1000).digest()
    let wrong = OriginContent(size: 3).digest()
    var bench = try MachineBench { $0.digest = right }
    _ = bench.resume()
    bench.feed(.verifiedStored(.success(IntervalSet())))
    _ = bench.part(400..<1000, 1000)
    bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete))
    #expect(bench.feed(.flushed) == ["verifying", "digests"])
    #expect(bench.feed(.digested(.success([wrong]))) == ["request whole"])
    #expect(bench.whole(1000) == ["restarted digest-mismatch", "restart"])
    bench.feed(.prepared(.success(())), .landed(bench.id, to: 1000), .ended(bench.id, .complete))
    bench.feed(.flushed)
    #expect(bench.feed(.digested(.success([wrong]))) == ["flush"])
    #expect(bench.feed(.flushed) == ["close bad"])
    #expect(bench.feed(.closed) == ["failed digest-mismatch"])
  }

  /// An empty answer that ended by the close of the connection was fetched again for its digest, and
  /// again, without a pause and without end: only bytes were counted as begun anew.
  @Test func aWrongDigestOfNothingIsFetchedOnceMoreOnly() throws {
    var bench = try MachineBench { $0.digest = OriginContent(size: 3).digest() }
    bench.feed(.started, .found(.success(.nothing)))
    bench.feed(.head(bench.id, head(200, version: .http10)))
    bench.feed(.created(.success(.part(IdlePart()))), .ended(bench.id, .complete), .flushed)
    let empty = OriginContent(size: 0).digest()
    #expect(bench.feed(.digested(.success([empty]))) == ["request whole"])
    #expect(bench.feed(.head(bench.id, head(200, version: .http10))) == ["restart"])
    bench.feed(.prepared(.success(())), .ended(bench.id, .complete), .flushed)
    #expect(bench.feed(.digested(.success([empty]))) == ["flush"])
    bench.feed(.flushed, .closed)
    #expect(bench.result?.failure?.code == .digestMismatch)
  }

  @Test func aRightDigestIsTheProof() throws {
    let right = OriginContent(size: 1000).digest()
    var bench = try MachineBench { $0.digest = right }
    bench.begin(landed: 1000)
    bench.feed(.ended(bench.id, .complete), .flushed)
    #expect(bench.feed(.digested(.success([right]))) == ["publish 1000"])
    let file = PublishedFile(path: "/d/file", byteCount: 1000, version: FileVersion())
    bench.feed(.published(.success(file)))
    #expect(bench.result?.finished?.verification == .digest)
    #expect(bench.result?.finished?.digest == right)
  }

  /// A store that answered without the digest that was asked for would have passed for a right one.
  @Test func aDigestThatNobodyComputedIsNoProof() throws {
    let wanted = OriginContent(size: 1000).digest()
    let others = OriginContent(size: 1000).digest(.md5)
    for computed in [[], [others]] {
      var bench = try MachineBench { $0.digest = wanted }
      bench.begin(landed: 1000)
      bench.feed(.ended(bench.id, .complete), .flushed)
      #expect(bench.feed(.digested(.success(computed))) == ["flush"])
      bench.feed(.flushed, .closed)
      #expect(bench.result?.failure?.code == .digestMismatch)
    }
  }

  /// Digests that came with a coded answer are of its coded bytes. They were dropped before they
  /// were compared; and those of an answer that was cut were held against the next, plain one.
  @Test func theDigestOfCodedBytesIsCheckedAgainstTheAnswerThatCarriedIt() throws {
    let right = OriginContent(size: 1000).digest()
    let wrong = OriginContent(size: 3).digest()
    let fields = [
      ("Content-Encoding", "gzip"),
      ("Repr-Digest", "sha-256=:\(OriginContent(size: 1000).base64SHA256):"),
    ]
    for isRight in [true, false] {
      var bench = try MachineBench()
      bench.feed(.started, .found(.success(.nothing)))
      _ = bench.whole(100, fields)
      bench.feed(.created(.success(.part(IdlePart()))), .landed(bench.id, to: 500))
      bench.feed(.codedDigests([wrong]))
      #expect(bench.cut().last == "request whole")
      _ = bench.whole(100, fields)
      bench.feed(.prepared(.success(())), .landed(bench.id, to: 1000))
      bench.feed(.codedDigests([isRight ? right : wrong]), .ended(bench.id, .complete))
      let words = bench.feed(.flushed)
      #expect(words == (isRight ? ["verifying", "publish 1000"] : ["verifying", "flush"]))
    }
    var plain = try MachineBench()
    plain.feed(.started, .found(.success(.nothing)))
    _ = plain.whole(100, fields)
    plain.feed(.created(.success(.part(IdlePart()))), .landed(plain.id, to: 500))
    plain.feed(.codedDigests([wrong]))
    _ = plain.cut()
    _ = plain.whole(1000, [fields[1]])
    plain.feed(.prepared(.success(())), .landed(plain.id, to: 1000), .ended(plain.id, .complete))
    plain.finishCheckpoint()
    plain.feed(.flushed)
    #expect(plain.feed(.digested(.success([right]))) == ["publish 1000"])
  }

  // MARK: Overlap

  @Test func anOverlapIsComparedAndAskedForBefore() throws {
    var bench = try MachineBench { $0.trustsOverlap = true }
    #expect(bench.resume([0..<400], AnswerRulesTests.bare) == ["verify", "request bytes=0-"])
    #expect(bench.part(0..<1000, 1000, []) == ["read 0..<400"])
    #expect(bench.feed(.prepared(.success(()))) == ["started", "accept 400-1000", "wake"])
    #expect(bench.landings.last?.overlap == 400)
    #expect(bench.feed(.overlapDiffers(bench.id)) == ["abandon", "request whole"])
    #expect(bench.whole(1000, []) == ["restarted changed", "restart"])
  }

  /// A gap between stored bytes was joined after comparing what lies before it only; one at the
  /// start with no comparison at all. What lies behind it may be of another version.
  @Test(
    arguments: [[400..<1000], [0..<200, 400..<1000], [0..<200, 400..<500]] as [[Range<Int64>]])
  func nothingBehindAGapIsJoinedByOverlap(_ stored: [Range<Int64>]) throws {
    var bench = try MachineBench { $0.trustsOverlap = true }
    #expect(bench.resume(stored, AnswerRulesTests.bare) == ["verify", "request whole"])
    _ = bench.whole(1000, [])
    #expect(bench.wanted.last == "restart")
  }

  /// A part that holds nothing was counted as a restart, and told as one.
  @Test func aPartWithoutBytesIsNoRestart() throws {
    var bench = try MachineBench()
    #expect(bench.resume([], FileVersion()) == ["verify", "request whole"])
    #expect(bench.whole(1000) == ["restart"])
  }

  // MARK: Refusals

  @Test func retryAfterClosesTheHostAndDelaysTheTry() throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    let busy = head(503, [("Retry-After", "30")])
    #expect(
      bench.feed(.head(bench.id, busy)) == [
        "abandon", "postpone 30", "crowded 1", "retrying http-status", "wake",
      ])
    #expect(bench.wait(29.9) == [])
    #expect(bench.wait(1.2) == ["request whole"])
  }

  @Test func redirectsAreFollowedToALimit() throws {
    var bench = try MachineBench { $0.maximumRedirects = 3 }
    bench.feed(.started, .found(.success(.nothing)))
    for _ in 0..<3 {
      #expect(
        bench.feed(.head(bench.id, head(302, [("Location", "/next")])))
          == ["abandon", "request whole"])
    }
    #expect(
      bench.feed(.head(bench.id, head(302, [("Location", "/next")]))) == [
        "cancel", "failed redirect-loop",
      ])
  }

  @Test(arguments: [401, 403, 404, 410])
  func aTargetThatExpiredIsResolvedAnew(_ status: Int) throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    bench.feed(.head(bench.id, head(302, [("Location", "/target")])))
    _ = bench.whole(1000)
    bench.feed(.created(.success(.part(IdlePart()))), .landed(bench.id, to: 400))
    _ = bench.cut()
    bench.feed(.head(bench.id, head(302, [("Location", "/target")])))
    #expect(bench.message?.url == "https://example.org/target")
    #expect(bench.feed(.head(bench.id, head(status))).first == "abandon")
    #expect(bench.wait(600).last == "request bytes=400-")
    #expect(bench.message?.url == "https://example.org/file")
    // At the first URL the same answer is final.
    #expect(bench.feed(.head(bench.id, head(status))).first == "cancel")
  }

  @Test func aLoginPageIsNotTheRestOfAFile() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    let words = bench.feed(.head(bench.id, head(200, [("Content-Type", "text/html")])))
    #expect(words == ["cancel", "flush"])
    bench.feed(.flushed, .checkpointed(.success(())), .closed)
    #expect(bench.result?.failure?.code == .wrongType)
    #expect(!bench.wanted.contains("restart"))
  }
}
