import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// The end of a transfer whose file was there.
@Suite struct MachineSkippingTests {
  private func begin(_ total: Int?) throws -> MachineBench {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    #expect(bench.whole(total) == ["create"])
    return bench
  }

  private let skipped = TransferMachine.Input.created(
    .success(.skipped(path: "/d/file", by: .sizeAndTime)))

  /// A new connection for each file of a list costs more than the rest of a small one.
  @Test func aShortBodyIsReadToItsEnd() throws {
    var bench = try begin(65_536)
    #expect(bench.feed(skipped) == ["abandon"])
    #expect(bench.wait(5) == [])
    #expect(bench.feed(.ended(bench.id, .complete)) == ["skipped"])
    #expect(bench.result == .skipped(path: "/d/file", by: .sizeAndTime))
  }

  @Test(arguments: [65_537, nil])
  func anotherBodyIsBrokenOff(_ total: Int?) throws {
    var bench = try begin(total)
    #expect(bench.feed(skipped) == ["cancel", "skipped"])
  }

  @Test func aBodyThatIsOverIsNotWaitedFor() throws {
    var bench = try begin(10)
    bench.feed(.ended(bench.id, .complete))
    #expect(bench.feed(skipped) == ["cancel", "skipped"])
  }

  /// Whatever comes of a body that nobody wants: the file is there.
  @Test func aBrokenBodyChangesNothing() throws {
    for end in [TransferMachine.Input.ended(ConnectionID(0), .lost()), .stop] {
      var bench = try begin(10)
      bench.feed(skipped)
      var input = end
      if case .ended = end { input = .ended(bench.id, .lost()) }
      #expect(bench.feed(input).last == "skipped")
    }
  }

  @Test func aFileWithTheDigestNeedsNoRequest() throws {
    var bench = try MachineBench()
    let words = bench.feed(.started, .found(.success(.existing(path: "/d/file"))))
    #expect(words == ["find", "skipped"])
    #expect(bench.message == nil)
  }

  // MARK: A long file

  /// A file of 200,000 bytes is there, and the server is asked whether it has the same.
  private func ask(
    _ modified: Int64 = Self.modified, size: Int64 = 200_000,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> (MachineBench, [String]) {
    var bench = try MachineBench { change(&$0) }
    bench.feed(.started)
    let file = LikelyFile(byteCount: size, modified: modified)
    let words = bench.feed(.found(.success(.likely(file))))
    return (bench, words)
  }

  private static let modified: Int64 = 784_111_777
  private static let date = ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")

  @Test func ofALongFileOnlyTheLastByteIsAskedFor() throws {
    var (bench, words) = try ask()
    #expect(words == ["request bytes=199999-"])
    let condition = HeaderFields(bench.message?.fields ?? []).first("If-Range")
    #expect(condition == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(bench.part(199_999..<200_000, 200_000, [Self.date]) == ["create"])
    #expect(bench.machine.version.total == 200_000)
    #expect(bench.machine.version.lastModified == Self.modified)
    #expect(bench.feed(skipped) == ["abandon"])
    #expect(bench.feed(.ended(bench.id, .complete)) == ["skipped"])
  }

  @Test func aByteThatWasThereBeforeTheDiskAnsweredIsNotWaitedFor() throws {
    var (bench, _) = try ask()
    _ = bench.part(199_999..<200_000, 200_000, [Self.date])
    #expect(bench.feed(.ended(bench.id, .complete)) == [])
    #expect(bench.feed(skipped) == ["cancel", "skipped"])
  }

  /// A time of a moment ago, or none, says nothing; and a short file is asked for as a whole.
  @Test(arguments: [(1_699_999_941, 200_000), (0, 200_000), (-5, 200_000), (5, 2048)])
  func otherFilesAreAskedForAsAWhole(_ modified: Int64, _ size: Int64) throws {
    #expect(try ask(modified, size: size).1 == ["request whole"])
    #expect(try ask(1_699_999_940).1 == ["request bytes=199999-"])
  }

  static let otherFiles: [(Range<Int>, Int, [(String, String)])] = [
    (199_999..<300_000, 300_000, [date]), (199_999..<200_000, 200_000, []),
    (199_999..<200_000, 200_000, [("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT")]),
    (199_999..<200_000, 200_000, [date, ("Content-Encoding", "gzip")]),
    (199_999..<200_000, 200_000, [date, ("Content-Range", "bytes 0-0/200000")]),
  ]

  @Test(arguments: otherFiles.indices)
  func anotherFileIsFetchedFromItsStart(_ index: Int) throws {
    let row = Self.otherFiles[index]
    var (bench, _) = try ask()
    #expect(bench.part(row.0, row.1, row.2) == ["abandon", "request whole"])
    #expect(bench.whole(300_000) == ["create"])
  }

  @Test(arguments: [400, 403, 405, 412, 416, 501])
  func aRefusalOfTheQuestionIsNoneOfTheFile(_ status: Int) throws {
    var (bench, _) = try ask()
    #expect(bench.feed(.head(bench.id, head(status))) == ["abandon", "request whole"])
    #expect(bench.feed(.head(bench.id, head(404))).last == "failed http-status")
  }

  @Test func aWholeAnswerIsTheFile() throws {
    var (bench, _) = try ask()
    #expect(bench.whole(300_000) == ["create"])
    let words = bench.feed(.created(.success(.part(IdlePart()))))
    #expect(words == ["started", "accept 0-300000", "wake"])
  }

  @Test func redirectsAndBreaksAreAskedTheSame() throws {
    var (bench, _) = try ask()
    let moved = head(302, [("Location", "/other")])
    #expect(bench.feed(.head(bench.id, moved)) == ["abandon", "request bytes=199999-"])
    bench.feed(.ended(bench.id, .lost()))
    #expect(bench.wait(60) == ["request bytes=199999-"])
    bench.feed(.head(bench.id, head(503)))
    #expect(bench.wait(60) == ["request bytes=199999-"])
  }

  /// The disk looks again: the file went, was changed, or belongs to another address.
  @Test func aFileThatIsNotTheSameAfterAllIsFetched() throws {
    var (bench, _) = try ask()
    _ = bench.part(199_999..<200_000, 200_000, [Self.date])
    let words = bench.feed(.created(.success(.part(IdlePart()))))
    #expect(words == ["abandon", "request whole"])
    #expect(bench.whole(200_000, [Self.date]) == ["restart"])
    #expect(
      bench.feed(.prepared(.success(()))) == ["started", "accept 0-200000", "wake"])
    #expect(bench.feed(.landed(bench.id, to: 200_000), .ended(bench.id, .complete)) == ["flush"])
    #expect(bench.finish(200_000) == ["verifying", "publish 200000", "finished"])
  }

  @Test func whatWouldBeRefusedIsRefused() throws {
    var (bench, _) = try ask { $0.expectedType = "video/mp4" }
    #expect(bench.part(199_999..<200_000, 200_000, [Self.date]).last == "request whole")
    #expect(bench.whole(200_000).last == "failed wrong-type")
    var (large, _) = try ask { $0.maximumByteCount = 199_999 }
    #expect(large.part(199_999..<200_000, 200_000, [Self.date]).last == "request whole")
    #expect(large.whole(200_000).last == "failed too-large")
  }

  @Test func aDryRunAsksTheSame() throws {
    var (bench, _) = try ask { $0.isDryRun = true }
    _ = bench.part(199_999..<200_000, 200_000, [Self.date])
    #expect(bench.feed(skipped) == ["cancel", "skipped"])
    var (other, _) = try ask { $0.isDryRun = true }
    _ = other.part(199_999..<200_000, 200_000, [Self.date])
    other.feed(.created(.success(.part(IdlePart()))), .flushed, .closed)
    guard case .planned(let plan)? = other.result else {
      Issue.record("\(String(describing: other.result))")
      return
    }
    #expect(plan.step == .fetch)
    #expect(plan.total == 200_000)
  }
}
