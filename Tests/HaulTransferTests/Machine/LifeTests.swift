import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// The usual life of a machine, and its ends.
@Suite struct MachineLifeTests {
  @Test func oneAnswerMakesTheFile() throws {
    var bench = try MachineBench()
    #expect(bench.feed(.started) == ["find"])
    #expect(bench.feed(.found(.success(.nothing))) == ["request whole"])
    #expect(bench.whole(1000) == ["create"])
    #expect(
      bench.feed(.created(.success(.part(IdlePart())))) == ["started", "accept 0-1000", "wake"])
    #expect(bench.feed(.landed(bench.id, to: 1000)) == [])
    #expect(bench.feed(.ended(bench.id, .complete)) == ["flush"])
    #expect(bench.finish() == ["verifying", "publish 1000", "finished"])
    #expect(bench.result?.finished?.verification == .length)
  }

  @Test(arguments: [200, 206])
  func aResumeAsksForTheRest(_ status: Int) throws {
    var bench = try MachineBench()
    #expect(bench.resume() == ["verify", "request bytes=400-"])
    #expect(HeaderFields(bench.message?.fields ?? []).first("If-Range") == "\"a\"")
    if status == 206 {
      #expect(bench.part(400..<1000, 1000) == ["started", "accept 400-1000", "wake"])
    } else {
      #expect(bench.whole(1000) == ["restarted range-ignored", "restart"])
      #expect(bench.feed(.prepared(.success(()))) == ["started", "accept 0-1000", "wake"])
    }
    #expect(bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete)) == ["flush"])
    #expect(bench.feed(.flushed) == [])
    #expect(bench.feed(.verifiedStored(.success(IntervalSet()))) == ["verifying", "publish 1000"])
  }

  @Test func damagedBytesAreFetchedAgain() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    _ = bench.part(400..<1000, 1000)
    bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete), .flushed)
    let damaged = IntervalSet([100..<200])
    #expect(
      bench.feed(.verifiedStored(.success(damaged))) == ["damaged 100", "request bytes=100-199"])
    #expect(bench.machine.progress.received == 900)
    #expect(bench.part(100..<200, 1000) == ["accept 100-200"])
    #expect(bench.feed(.landed(bench.id, to: 200), .ended(bench.id, .complete)) == ["flush"])
    #expect(bench.finish() == ["verifying", "publish 1000", "finished"])
  }

  /// What was read back before a restart says nothing of the bytes after it.
  @Test func aVerificationThatARestartOvertookIsNotBelieved() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    _ = bench.whole(1000, [("ETag", "\"b\"")])
    bench.feed(.prepared(.success(())), .landed(bench.id, to: 1000), .ended(bench.id, .complete))
    bench.feed(.flushed)
    #expect(
      bench.feed(.verifiedStored(.success(IntervalSet([0..<400])))) == [
        "verifying", "publish 1000",
      ])
  }

  @Test func anEmptyFileThatEndsBeforeItsPartIsReady() throws {
    for total in [0, nil] {
      var bench = try MachineBench()
      bench.feed(.started, .found(.success(.nothing)))
      _ = bench.whole(total)
      #expect(bench.feed(.ended(bench.id, .complete)) == [])
      #expect(bench.feed(.created(.success(.part(IdlePart())))) == ["started", "flush"])
      #expect(bench.finish(0) == ["verifying", "publish 0", "finished"])
    }
  }

  /// Reports come from two threads. One that was taken from the receiver before the end, and told
  /// after it, was lost: a body of unknown length then ended where the report before it said, and
  /// a truncated file was published as whole.
  @Test func aReportThatTheEndOvertakesChangesNothing() throws {
    var bench = try MachineBench()
    bench.begin(nil, landed: 400)
    let id = bench.id
    bench.feed(.landed(id, to: 1000))
    // Repeated and out of order, as threads may tell it.
    bench.feed(.landed(id, to: 700), .landed(id, to: 1000))
    #expect(bench.feed(.ended(id, .complete)) == ["flush"])
    #expect(bench.feed(.landed(id, to: 900), .landed(id, to: 2000)) == [])
    #expect(bench.finish() == ["verifying", "publish 1000", "finished"])
  }

  @Test func bytesThatStandBehindTheEndOfAnAnswerAreAskedForAgain() throws {
    var bench = try MachineBench()
    bench.begin()
    #expect(bench.feed(.ended(bench.id, .complete)) == ["retrying connection-lost", "wake"])
    #expect(bench.wait(60) == ["checkpoint", "request bytes=400-"])
  }

  @Test func aPublishedFileThatWasFoundIsTheEnd() throws {
    let digest = OriginContent(size: 1000).digest()
    let file = PublishedFile(
      path: "/d/file", byteCount: 1000, version: FileVersion(total: 1000, digests: [digest]))
    var bench = try MachineBench { $0.digest = digest }
    #expect(bench.feed(.started, .found(.success(.published(file)))) == ["find", "finished"])
    // Once a stop came in between, the note was gone, and the next run had the file twice.
    var stopped = try MachineBench()
    #expect(
      stopped.feed(.started, .stop, .found(.success(.published(file)))) == ["find", "finished"])
    #expect(bench.result?.finished?.verification == .digest)
    // A digest that is new today was not checked then.
    var other = try MachineBench { $0.digest = OriginContent(size: 3).digest() }
    #expect(other.feed(.started, .found(.success(.published(file)))) == ["find", "request whole"])
    // Nor against the digests of pieces, or a length.
    let pieces = try #require(PieceDigests(pieceLength: 4, digests: [digest]))
    for change in [
      { $0.pieces = pieces }, { $0.expectedByteCount = file.byteCount - 1 },
    ] as [(inout TransferRequest) -> Void] {
      var asked = try MachineBench { change(&$0) }
      #expect(
        asked.feed(.started, .found(.success(.published(file)))) == ["find", "request whole"])
    }
  }

  // MARK: Ends

  /// Every state that a transfer can be stopped in, by the steps that lead there, and what is
  /// still wanted before the end is told.
  static let states: [String: @Sendable (inout MachineBench) -> Void] = [
    "not started": { _ in },
    "finding": { $0.feed(.started) },
    "requested": { $0.feed(.started, .found(.success(.nothing))) },
    "creating": {
      $0.feed(.started, .found(.success(.nothing)))
      _ = $0.whole(1000)
    },
    "receiving": { $0.begin() },
    "waiting": {
      $0.begin()
      $0.feed(.ended($0.id, .lost()))
    },
    "resuming": { _ = $0.resume() },
    "restarting": {
      _ = $0.resume()
      _ = $0.whole(1000, [("ETag", "\"b\"")])
    },
    "reading the overlap": {
      $0 = (try? MachineBench { $0.trustsOverlap = true }) ?? $0
      _ = $0.resume([0..<400], AnswerRulesTests.bare)
      _ = $0.part(0..<1000, 1000, [])
    },
    "checkpointing": {
      $0.begin()
      $0.wait(2)
    },
    "restarting during a checkpoint": {
      $0.begin()
      $0.wait(2)
      _ = $0.cut(finishingCheckpoint: false)
      _ = $0.whole(1000, [("ETag", "\"b\"")])
    },
    "flushing": {
      $0.begin(landed: 1000)
      $0.feed(.ended($0.id, .complete))
    },
    "digesting": {
      $0 = (try? MachineBench { $0.digest = OriginContent(size: 3).digest() }) ?? $0
      $0.begin(landed: 1000)
      $0.feed(.ended($0.id, .complete), .flushed)
    },
  ]

  /// Answers what the machine waits for, whatever it is, until it is over.
  private func settle(_ bench: inout MachineBench) {
    var open = bench.wanted
    var answered = 0
    while answered < open.count, bench.result == nil {
      let word = open[answered].split(separator: " ")[0]
      answered += 1
      switch word {
      case "find": bench.feed(.found(.success(.nothing)))
      case "create": bench.feed(.created(.success(.part(IdlePart()))))
      case "restart", "reserve", "read": bench.feed(.prepared(.success(())))
      case "flush": bench.feed(.flushed)
      case "checkpoint": bench.feed(.checkpointed(.success(())))
      case "digests": bench.feed(.digested(.success([])))
      case "close": bench.feed(.closed)
      default: break
      }
      open = bench.wanted
    }
  }

  @Test(arguments: states.keys.sorted())
  func isStoppedInAnyState(_ name: String) throws {
    var bench = try MachineBench()
    let enter = try #require(Self.states[name])
    enter(&bench)
    let id = bench.id
    bench.feed(.stop, .stop)
    #expect(bench.machine.connections.isEmpty)
    settle(&bench)
    guard case .stopped(let received, _)? = bench.result else {
      Issue.record("\(bench.wanted)")
      return
    }
    #expect((0...1000).contains(received))
    // A part that was there is closed once, and nothing else is wanted after.
    let closes = bench.wanted.count { $0 == "close keep" }
    #expect(closes == (bench.machine.hasPart ? 1 : 0))
    #expect(bench.wanted.last == "stopped \(received)")
    // Whatever comes late is not heard.
    let late = bench.feed(
      .stop, .started, .tick(unreported: [:]), .landed(id, to: 900), .ended(id, .complete),
      .flushed, .closed,
      .writeFailed(FileFailure(code: .diskFull, message: "")), .checkpointed(.success(())),
      .prepared(.success(())), .digested(.success([])), .overlapDiffers(id),
      .verifiedStored(.success(IntervalSet([0..<9]))), .head(id, head(200)),
      .created(.success(.part(IdlePart()))), .found(.success(.nothing)),
      .published(.success(PublishedFile(path: "", byteCount: 0, version: FileVersion()))))
    #expect(late == [])
    #expect(bench.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  /// Whoever stops it wants to know whether the next run starts anew.
  @Test(arguments: [
    ([MachineBench.tag], "", true), ([], "", false), ([("ETag", "W/\"a\"")], "", false),
    ([], "digest", true), ([], "overlap", true), ([], "digest strict", false),
    ([MachineBench.tag, ("Content-Encoding", "gzip")], "", false),
  ])
  func itSaysWhetherALaterRunCanGoOn(
    _ fields: [(String, String)], _ options: String, _ isResumable: Bool
  ) throws {
    for isStopped in [true, false] {
      var bench = try MachineBench {
        if options.contains("digest") {
          $0.digest = Digest(parsing: "md5=00000000000000000000000000000000")
        }
        $0.trustsOverlap = options == "overlap"
        $0.isStrict = options.contains("strict")
      }
      bench.begin(landed: 400, fields)
      bench.feed(
        isStopped ? .stop : .writeFailed(FileFailure(code: .diskFull, message: "is full")))
      settle(&bench)
      if case .stopped(_, let said)? = bench.result { #expect(said == isResumable) }
      if let failure = bench.result?.failure { #expect(failure.isResumable == isResumable) }
      #expect(bench.result != nil)
    }
  }

  /// The disk was full already when the only checkpoint was made: what was received was said to be
  /// kept, and was not.
  @Test(arguments: [true, false])
  func withoutACheckpointThereIsNothingToGoOnFrom(_ isStopped: Bool) throws {
    let full = FileFailure(code: .diskFull, message: "is full")
    for hasEarlier in [true, false] {
      var bench = try MachineBench()
      bench.begin(landed: 400)
      if hasEarlier {
        #expect(bench.wait(2) == ["wake", "checkpoint"])
        bench.feed(.checkpointed(.success(())))
      }
      bench.feed(isStopped ? .stop : .writeFailed(full))
      #expect(bench.feed(.flushed) == ["checkpoint"])
      bench.feed(.checkpointed(.failure(full)))
      bench.feed(.closed)
      let isResumable: Bool? =
        switch bench.result {
        case .stopped(_, let isResumable)?: isResumable
        case .failed(let failure)?: failure.isResumable
        default: nil
        }
      #expect(isResumable == hasEarlier)
    }
  }

  @Test func withoutAByteThereIsNothingToGoOnFrom() throws {
    var bench = try MachineBench()
    bench.begin(landed: 0)
    bench.feed(.stop)
    settle(&bench)
    #expect(bench.result == .stopped(received: 0))
  }

  @Test(arguments: states.keys.sorted())
  func aDiskThatFailsEndsItInAnyState(_ name: String) throws {
    var bench = try MachineBench()
    let enter = try #require(Self.states[name])
    enter(&bench)
    bench.feed(.writeFailed(FileFailure(code: .diskFull, message: "is full")))
    settle(&bench)
    #expect(bench.result?.failure?.code == .diskFull)
  }

  /// The failure came up while the machine advanced; with nothing under way that could feed it
  /// again, the transfer hung.
  @Test func aSchemeThatIsNotFetchedEndsItAtOnce() throws {
    var bench = try MachineBench("ftp://example.org/file")
    #expect(bench.feed(.started, .found(.success(.nothing))) == ["find", "failed scheme"])
  }

  @Test func itIsTooLateToStopWhatIsBeingPublished() throws {
    var bench = try MachineBench()
    bench.begin(landed: 1000)
    bench.feed(.ended(bench.id, .complete), .flushed)
    #expect(bench.feed(.stop) == [])
    let file = PublishedFile(path: "/d/file", byteCount: 1000, version: FileVersion())
    #expect(bench.feed(.published(.success(file))) == ["finished"])
  }

  /// The completion of a checkpoint that was under way was taken for that of the last one: what
  /// had arrived since was not noted, and fetched again by the next run.
  @Test func theEndMakesACheckpointOfItsOwn() throws {
    var bench = try MachineBench()
    bench.begin()
    #expect(bench.wait(2) == ["wake", "checkpoint"])
    bench.feed(.landed(bench.id, to: 800))
    #expect(bench.feed(.stop) == ["cancel", "flush"])
    #expect(bench.feed(.flushed) == [])
    #expect(bench.feed(.checkpointed(.success(()))) == ["checkpoint"])
    #expect(bench.feed(.checkpointed(.success(()))) == ["close keep"])
    #expect(bench.feed(.closed) == ["stopped 800"])
  }

  /// A checkpoint carries the version of its moment. With a restart before its end the journal
  /// could name the old version beside bytes of the new one.
  @Test func aRestartWaitsForTheCheckpointUnderWay() throws {
    var bench = try MachineBench()
    bench.begin()
    #expect(bench.wait(2) == ["wake", "checkpoint"])
    _ = bench.cut(finishingCheckpoint: false)
    #expect(bench.whole(1000, [("ETag", "\"b\"")]) == ["restarted changed"])
    #expect(bench.feed(.checkpointed(.success(()))) == ["restart"])
    #expect(bench.feed(.prepared(.success(()))).first == "accept 0-1000")
  }

  /// A checkpoint takes what is on disk when its turn comes, in the name of the version for which
  /// it was wanted. Bytes under another tag, joined for the sake of a digest, were let in before
  /// its end: the journal vouched for them under the first tag, and a later run without the digest
  /// would have completed the mixture.
  @Test func bytesInDoubtWaitForTheCheckpointUnderWay() throws {
    for isOver in [false, true] {
      var bench = try MachineBench { $0.digest = OriginContent(size: 1000).digest() }
      bench.begin()
      #expect(bench.wait(2) == ["wake", "checkpoint"])
      #expect(bench.cut(finishingCheckpoint: false).last == "request bytes=400-")
      #expect(bench.part(400..<1000, 1000, [("ETag", "\"b\"")]) == [])
      // It may be over before its bytes are let in.
      if isOver { bench.feed(.ended(bench.id, .lost())) }
      #expect(bench.machine.checkpointVersion.validator == .entityTag("\"a\""))
      let words = bench.feed(.checkpointed(.success(())))
      let accepted = ["accept 400-1000", "wake", "checkpoint"]
      #expect(words == (isOver ? ["retrying connection-lost", "wake"] : accepted))
      #expect(bench.machine.version.validator == nil)
      guard !isOver else { continue }
      // From here on the journal is to say that they are in doubt.
      #expect(bench.machine.checkpointVersion.validator == nil)
      #expect(bench.machine.checkpointVersion.isCombined)
    }
  }

  /// Bytes of the version that the checkpoint names need not wait, once it is known as combined.
  @Test func bytesOfTheSameVersionDoNotWaitForACheckpoint() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    _ = bench.part(400..<1000, 1000)
    bench.feed(.landed(bench.id, to: 600))
    #expect(bench.wait(2).contains("checkpoint"))
    _ = bench.cut(finishingCheckpoint: false)
    #expect(bench.part(600..<1000, 1000) == ["accept 600-1000", "wake"])
  }

  @Test func aCheckpointThatFailsBeforeARestartEndsIt() throws {
    var bench = try MachineBench()
    bench.begin()
    bench.wait(2)
    _ = bench.cut(finishingCheckpoint: false)
    _ = bench.whole(1000, [("ETag", "\"b\"")])
    let failure = FileFailure(code: .inputOutput, message: "is broken")
    #expect(bench.feed(.checkpointed(.failure(failure))) == ["cancel", "flush"])
    #expect(bench.feed(.flushed) == ["close keep"])
    #expect(bench.feed(.closed) == ["failed io"])
  }
}
