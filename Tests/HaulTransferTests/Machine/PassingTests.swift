import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// What a machine does where bytes are passed on as they come and cannot be taken back.
@Suite struct PassingTests {
  static let tag = MachineBench.tag
  static let other = ("ETag", "\"b\"")

  /// A first answer of 1000 bytes, of which 400 were passed on.
  func bench(
    _ total: Int? = 1000, landed: Int64 = 400, _ fields: [(String, String)] = [tag],
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> MachineBench {
    var bench = try MachineBench { change(&$0) }
    bench.feed(.started, .found(.success(.nothing)))
    _ = bench.whole(total, fields)
    bench.feed(.created(.success(.part(IdlePart(isRestartable: false)))))
    bench.feed(.landed(bench.id, to: landed))
    return bench
  }

  /// The connection breaks, the reader takes what is on its way, and the pause passes.
  func cut(_ bench: inout MachineBench) -> [String] {
    let words = bench.feed(.ended(bench.id, .lost()))
    guard bench.machine.isCheckpointing else { return words }
    bench.finishCheckpoint()
    _ = bench.wait(600)
    return words + bench.feed(.checkpointed(.success(())))
  }

  /// The end of a transfer that fails, after so many bytes were passed on.
  func failure(
    _ bench: inout MachineBench, passedOn: Int64 = 400
  ) -> TransferFailure? {
    bench.feed(.flushed, .checkpointed(.success(())), .passedOn(passedOn), .closed)
    #expect(!bench.wanted.contains("restart"))
    return bench.result?.failure
  }

  @Test func theRestIsAskedForUnderTheSameValidator() throws {
    var bench = try bench()
    #expect(cut(&bench).last == "request bytes=400-")
    #expect(bench.part(400..<1000, 1000) == ["accept 400-1000"])
    bench.feed(.landed(bench.id, to: 1000))
    #expect(bench.feed(.ended(bench.id, .complete)) == ["flush"])
    #expect(bench.finish().last == "finished")
  }

  @Test func aServerThatIgnoresTheRangeIsPassedOverUpToTheSeam() throws {
    var bench = try bench()
    _ = cut(&bench)
    #expect(bench.whole(1000) == ["accept 400-1000"])
    #expect(bench.landings.last == Landing(start: 400, end: 1000, skipped: 400))
    bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete))
    #expect(bench.finish().last == "finished")
    #expect(bench.wanted.filter { $0 == "restart" } == [])
  }

  /// The answer that told no length is continued by one that does, whole or not.
  @Test func aLengthThatIsToldLaterRules() throws {
    for isWhole in [true, false] {
      var bench = try bench(nil)
      #expect(cut(&bench).last == "request bytes=399-")
      if isWhole {
        #expect(bench.whole(1000) == ["accept 400-1000"])
      } else {
        #expect(bench.part(399..<1000, 1000) == ["reserve 1000"])
        #expect(bench.feed(.prepared(.success(()))).last == "accept 400-1000")
      }
      #expect(bench.landings.last?.skipped == (isWhole ? 400 : 1))
    }
  }

  @Test func everythingMayHaveBeenPassedOnAlready() throws {
    var bench = try bench(nil, landed: 1000)
    _ = cut(&bench)
    #expect(bench.whole(1000) == ["abandon", "flush"])
    #expect(bench.finish().last == "finished")
  }

  struct Other: CustomTestStringConvertible {
    let fields: [(String, String)]
    var total = 1000
    let code: TransferFailure.Code
    var testDescription: String { "\(fields) \(total)" }
  }

  static let others = [
    Other(fields: [other], code: .changing),
    Other(fields: [other], total: 900, code: .changing),
    Other(fields: [tag], total: 900, code: .changing),
    // Shorter than what was passed on.
    Other(fields: [tag], total: 300, code: .changing),
    Other(fields: [("ETag", "W/\"a\"")], code: .badRange),
    Other(fields: [], code: .badRange),
    Other(
      fields: [tag, ("Repr-Digest", "sha-256=:\(OriginContent(size: 3).base64SHA256):")],
      code: .changing),
    Other(fields: [tag, ("Content-Encoding", "gzip")], code: .badRange),
  ]

  @Test(arguments: others)
  func anotherVersionIsNeverPutBehind(_ other: Other) throws {
    let digest = ("Repr-Digest", "sha-256=:\(OriginContent(size: 1000).base64SHA256):")
    var bench = try bench(1000, [Self.tag, digest])
    _ = cut(&bench)
    #expect(bench.whole(other.total, other.fields).contains("flush"))
    let failure = failure(&bench)
    #expect(failure?.code == other.code)
    #expect(failure?.message.contains("the first 400 bytes were passed on") == true)
    #expect(bench.landings.count == 1)
  }

  @Test func aPartOfAnotherVersionIsNeverPutBehind() throws {
    for (fields, total) in [([Self.other], 1000), ([Self.tag], 1001)] {
      var bench = try bench()
      _ = cut(&bench)
      #expect(bench.part(400..<1000, total, fields) == ["abandon", "flush"])
      #expect(failure(&bench)?.code == .changing)
    }
  }

  /// Without a validator the next try could only begin anew: it is not made.
  @Test(arguments: [[], [("ETag", "W/\"a\"")]] as [[(String, String)]])
  func withoutAValidatorACutIsTheEnd(_ fields: [(String, String)]) throws {
    var bench = try bench(1000, fields)
    #expect(bench.feed(.ended(bench.id, .lost())) == ["flush"])
    let failure = failure(&bench)
    #expect(failure?.code == .connectionLost)
    #expect(failure?.message.contains("it cannot be continued") == true)
  }

  @Test func beforeTheFirstByteEveryTryIsFree() throws {
    var bench = try bench(1000, landed: 0, [])
    #expect(cut(&bench).last == "request whole")
    #expect(bench.whole(1000, []) == ["restart"])
    #expect(bench.feed(.prepared(.success(()))).contains("accept 0-1000"))
  }

  /// A digest at the end cannot take back what is out: it lets nothing be combined.
  @Test func noDigestLetsAnswersBeCombined() throws {
    let digest = OriginContent(size: 1000).digest()
    let field = ("Repr-Digest", "sha-256=:\(OriginContent(size: 1000).base64SHA256):")
    var own = try bench(1000, []) { $0.digest = digest }
    #expect(own.feed(.ended(own.id, .lost())) == ["flush"])
    var sent = try bench(1000, [field])
    #expect(sent.feed(.ended(sent.id, .lost())) == ["flush"])
    var nodes = try bench { $0.digest = digest }
    _ = cut(&nodes)
    #expect(nodes.part(400..<1000, 1000, [Self.other]) == ["abandon", "flush"])
  }

  @Test func anOverlapIsComparedWithWhatIsStillKnown() throws {
    var bench = try bench(1000, []) { $0.trustsOverlap = true }
    #expect(cut(&bench).last == "request bytes=0-")
    #expect(bench.part(0..<1000, 1000, []) == ["read 0..<400"])
    #expect(bench.feed(.prepared(.success(()))).last == "accept 400-1000")
    bench.feed(.overlapDiffers(bench.id))
    #expect(failure(&bench)?.code == .changing)
  }

  @Test func aWrongDigestIsToldOfAllThatWentOut() throws {
    let wrong = OriginContent(size: 3).digest()
    let field = ("Repr-Digest", "sha-256=:\(OriginContent(size: 1000).base64SHA256):")
    var bench = try bench(1000, [Self.tag, field])
    _ = cut(&bench)
    _ = bench.part(400..<1000, 1000)
    bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete), .flushed)
    #expect(bench.feed(.digested(.success([wrong]))) == ["flush"])
    bench.feed(.flushed)
    let failure = failure(&bench, passedOn: 1000)
    #expect(failure?.code == .digestMismatch)
    #expect(failure?.message.contains("the 1000 bytes that were passed on are wrong") == true)
  }

  /// What a server says of the body of a part is checked as it goes by; it cannot be read again.
  @Test func theDigestOfAPartIsWatched() throws {
    let digest = OriginContent(size: 1000).digest()
    let field = ("Content-Digest", "sha-256=:\(OriginContent(size: 1000).base64SHA256):")
    for isRight in [true, false] {
      var bench = try bench()
      _ = cut(&bench)
      #expect(
        bench.part(400..<1000, 1000, [Self.tag, field]) == ["watch 400..<1000", "accept 400-1000"])
      bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete))
      #expect(bench.feed(.flushed) == ["digest 400..<1000"])
      let found = isRight ? digest : OriginContent(size: 3).digest()
      #expect(
        bench.feed(.rangeDigested(.success(found))).last == (isRight ? "publish 1000" : "flush"))
    }
    // One byte of it is gone already.
    var late = try bench(nil)
    _ = cut(&late)
    #expect(!late.part(399..<1000, 1000, [Self.tag, field]).contains("watch 399..<1000"))
  }

  @Test func noMoreIsTakenThanShowsThatItIsTooLarge() throws {
    for size in [nil, 1000] {
      var bench = try MachineBench { $0.maximumByteCount = 600 }
      bench.feed(.started, .found(.success(.nothing)))
      let words = bench.whole(size)
      guard size == nil else {
        #expect(words == ["cancel", "failed too-large"])
        continue
      }
      let part = IdlePart(isRestartable: false)
      #expect(bench.feed(.created(.success(.part(part)))).contains("accept 0-601"))
      bench.feed(.landed(bench.id, to: 600))
      // The body ends there: it is the length, and no cut.
      #expect(bench.feed(.ended(bench.id, .complete)) == ["flush"])
      #expect(bench.finish(600).last == "finished")
    }
  }

  /// Who waits for a slow reader is stopped by the owner, whatever the machine is at.
  @Test func anInterruptedPartStopsTheTransfer() throws {
    let failure = FileFailure(code: .interrupted, message: "stopped")
    var writing = try bench()
    writing.feed(.writeFailed(failure), .flushed, .checkpointed(.success(())))
    writing.feed(.passedOn(123), .closed)
    #expect(writing.result == .stopped(received: 123))
    var publishing = try bench()
    publishing.feed(.landed(publishing.id, to: 1000), .ended(publishing.id, .complete), .flushed)
    #expect(publishing.feed(.stop) == [])
    publishing.feed(.published(.failure(failure)), .flushed, .checkpointed(.success(())))
    publishing.feed(.passedOn(77), .closed)
    #expect(publishing.result == .stopped(received: 77))
  }

  /// Each connection has some bytes on their way: one after another would heap them up before a
  /// reader who stands still.
  @Test func theNextConnectionWaitsForTheReader() throws {
    var bench = try bench()
    #expect(
      bench.feed(.ended(bench.id, .lost())) == ["retrying connection-lost", "wake", "checkpoint"])
    #expect(!bench.wait(600).contains { $0.hasPrefix("request") })
    // One that had begun before the last bytes is not enough.
    #expect(bench.feed(.checkpointed(.success(()))) == ["checkpoint"])
    #expect(bench.feed(.checkpointed(.success(()))) == ["request bytes=400-"])
    // It is the same where an answer ends in good order and leaves something to ask for.
    _ = bench.part(400..<700, 1000)
    bench.feed(.landed(bench.id, to: 700))
    #expect(bench.feed(.ended(bench.id, .complete)) == ["checkpoint"])
    #expect(bench.feed(.checkpointed(.success(()))) == ["request bytes=700-"])
  }

  /// `tar` and the like close a pipe once they have what they want.
  @Test func aReaderWhoGoesWithEverythingIsNoFailure() throws {
    var bench = try bench()
    #expect(bench.wait(1).contains("checkpoint"))
    bench.feed(.landed(bench.id, to: 1000))
    #expect(bench.feed(.ended(bench.id, .complete)) == [])
    let gone = FileFailure(code: .readerGone, message: "nobody reads.")
    #expect(bench.feed(.checkpointed(.failure(gone))) == ["flush"])
    #expect(bench.finish().last == "finished")
  }

  @Test func aReaderWhoGoesIsLookedForBetweenTries() throws {
    var bench = try bench()
    bench.feed(.ended(bench.id, .lost()))
    bench.finishCheckpoint()
    let gone = FileFailure(code: .readerGone, message: "nobody reads.")
    #expect(bench.wait(1.5).contains("checkpoint"))
    bench.feed(.checkpointed(.failure(gone)))
    let failure = failure(&bench)
    #expect(failure?.code == .readerGone)
    #expect(failure?.message.hasSuffix("nobody reads. 400 bytes had been passed on") == true)
  }
}
