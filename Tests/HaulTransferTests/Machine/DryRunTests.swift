import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// A dry run ends as soon as the first answer was judged.
@Suite struct MachineDryRunTests {
  private func bench(
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> MachineBench {
    try MachineBench {
      $0.isDryRun = true
      change(&$0)
    }
  }

  private func plan(_ bench: MachineBench) throws -> PlannedTransfer {
    guard case .planned(let plan)? = bench.result else {
      throw Missing(description: "\(String(describing: bench.result))")
    }
    return plan
  }

  struct Missing: Error { var description: String }

  @Test func aNewFileIsPlannedAndItsBodyBrokenOff() throws {
    var bench = try bench()
    bench.feed(.started, .found(.success(.nothing)))
    let type = ("Content-Type", "Application/X-Test; a=b")
    #expect(bench.whole(1000, [MachineBench.tag, type, ("Accept-Ranges", "bytes")]) == ["create"])
    let made = bench.feed(.created(.success(.part(IdlePart()))))
    #expect(made == ["cancel", "flush"])
    #expect(bench.feed(.flushed) == ["close keep"])
    #expect(bench.feed(.closed) == ["planned"])
    let plan = try plan(bench)
    #expect(plan.path == "/d/file")
    #expect(plan.wantedName == "file")
    #expect(plan.step == .fetch)
    #expect(plan.total == 1000)
    #expect(plan.mediaType == "application/x-test")
    #expect(plan.finalURL == nil)
    #expect(plan.continuation == .validator)
    #expect(plan.acceptsRanges == true)
    #expect(plan.digests == [])
  }

  static let continuations:
    [(fields: [(String, String)], digest: Bool, PlannedTransfer.Continuation, ranges: Bool?)] = [
      ([], false, .never, nil), ([("ETag", "W/\"a\"")], false, .never, nil),
      ([], true, .digest, nil), ([("Accept-Ranges", "none")], true, .digest, false),
      ([MachineBench.tag, ("Accept-Ranges", "none")], false, .validator, false),
      ([("Content-Encoding", "gzip"), MachineBench.tag], false, .never, nil),
    ]

  @Test(arguments: continuations.indices)
  func whatWouldLetItGoOnIsTold(_ index: Int) throws {
    let row = Self.continuations[index]
    let digest = row.digest ? OriginContent(size: 3).digest() : nil
    var bench = try bench { $0.digest = digest }
    bench.feed(.started, .found(.success(.nothing)))
    _ = bench.whole(1000, row.fields)
    bench.feed(.created(.success(.part(IdlePart()))), .flushed, .closed)
    let plan = try plan(bench)
    #expect(plan.continuation == row.2)
    #expect(plan.acceptsRanges == row.ranges)
    #expect(plan.digests == (digest.map { [$0] } ?? []))
  }

  @Test func theServersDigestIsToBeChecked() throws {
    let content = OriginContent(size: 1000)
    var bench = try bench()
    bench.feed(.started, .found(.success(.nothing)))
    _ = bench.whole(1000, [("Repr-Digest", "sha-256=:\(content.base64SHA256):")])
    bench.feed(.created(.success(.part(IdlePart()))), .flushed, .closed)
    #expect(try plan(bench).digests == [content.digest()])
    #expect(try plan(bench).continuation == .digest)
  }

  /// What is there is neither read back nor written to, and no checkpoint is made.
  @Test func aPartWouldGoOn() throws {
    var bench = try bench()
    #expect(bench.resume() == ["request bytes=400-"])
    #expect(bench.part(400..<1000, 1000) == ["cancel", "flush"])
    #expect(bench.feed(.flushed) == ["close keep"])
    bench.feed(.closed)
    let plan = try plan(bench)
    #expect(plan.step == .resume(from: 400))
    #expect(plan.acceptsRanges == true)
    #expect(plan.total == 1000)
  }

  static let restarts: [([(String, String)], RestartReason)] = [
    ([("ETag", "\"b\"")], .changed), ([MachineBench.tag], .rangeIgnored),
  ]

  @Test(arguments: restarts.indices)
  func aPartWouldBeGivenUp(_ index: Int) throws {
    var bench = try bench()
    _ = bench.resume()
    // Nothing is told of a restart that does not happen.
    #expect(bench.whole(1000, Self.restarts[index].0) == ["cancel", "flush"])
    bench.feed(.flushed, .closed)
    #expect(try plan(bench).step == .restart(Self.restarts[index].1))
  }

  @Test func aPartOfAnotherVersionIsAskedForAnew() throws {
    var bench = try bench()
    _ = bench.resume()
    let words = bench.part(400..<900, 900, [("ETag", "\"b\"")])
    #expect(words == ["abandon", "request whole"])
    _ = bench.whole(900, [("ETag", "\"b\"")])
    bench.feed(.flushed, .closed)
    #expect(try plan(bench).step == .restart(.changed))
  }

  @Test func aWholePartWouldGetItsName() throws {
    let content = OriginContent(size: 400)
    let version = FileVersion(total: 400, isCombined: true)
    var bench = try bench { $0.digest = content.digest() }
    #expect(bench.resume([0..<400], version) == ["flush"])
    bench.feed(.flushed, .closed)
    #expect(try plan(bench).step == .publish)
    #expect(bench.message == nil)
    // Published, and killed before its journal was gone.
    let file = PublishedFile(path: "/d/file", byteCount: 400, version: FileVersion(total: 400))
    var other = try self.bench()
    other.feed(.started, .found(.success(.published(file))))
    #expect(try plan(other).step == .publish)
  }

  @Test func aPartOfAnotherSourceWouldBeAdopted() throws {
    var bench = try bench { $0.digest = OriginContent(size: 3).digest() }
    bench.feed(.started, .found(.success(.nothing)))
    _ = bench.whole(1000)
    let part = IdlePart(FileVersion(total: 1000), stored: IntervalSet([0..<300]))
    #expect(bench.feed(.created(.success(.part(part)))) == ["cancel", "flush"])
    bench.feed(.flushed, .closed)
    #expect(try plan(bench).step == .resume(from: 300))
  }

  @Test func redirectsAreFollowedAndTold() throws {
    var bench = try bench()
    bench.feed(.started, .found(.success(.nothing)))
    bench.feed(.head(bench.id, head(302, [("Location", "https://cdn.test/f?token=hunter2")])))
    _ = bench.whole(1000)
    bench.feed(.created(.success(.part(IdlePart()))), .flushed, .closed)
    #expect(try plan(bench).finalURL == "https://cdn.test/f?token=***")
  }

  @Test func whatIsThereIsSkippedAndFailuresStayFailures() throws {
    var bench = try bench()
    bench.feed(.started, .found(.success(.nothing)))
    _ = bench.whole(1000)
    #expect(
      bench.feed(.created(.success(.skipped(path: "/d/file", by: .sizeAndTime)))) == [
        "cancel", "skipped",
      ])
    var other = try self.bench { $0.expectedType = "video/mp4" }
    other.feed(.started, .found(.success(.nothing)))
    #expect(other.whole(1000) == ["cancel", "failed wrong-type"])
    var missing = try self.bench()
    missing.feed(.started, .found(.success(.nothing)))
    #expect(missing.feed(.head(missing.id, head(404))) == ["cancel", "failed http-status"])
  }

  @Test func aTryThatFailsIsMadeAgain() throws {
    var bench = try bench()
    bench.feed(.started, .found(.success(.nothing)))
    #expect(bench.feed(.ended(bench.id, .lost())) == ["retrying connection-lost", "wake"])
    #expect(bench.wait(60) == ["request whole"])
  }
}
