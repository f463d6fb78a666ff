import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// How long a transfer waits for somebody who may never have been there (CASES T1, T10).
@Suite struct FirstContactTests {
  static func nobody(_ absence: TransportFailure.Absence) -> TransportOutcome {
    .failed(
      TransportFailure(
        code: absence == .unknownName ? .nameNotResolved : .connectionFailed, isRetryable: true,
        message: "was not there", absence: absence))
  }

  /// Lets every try fail in this way; how many there were.
  static func failures(_ bench: inout MachineBench, _ outcome: TransportOutcome) -> Int {
    for count in 1..<100 {
      bench.feed(.ended(bench.id, outcome))
      if bench.result != nil { return count }
      bench.wait(600)
    }
    return 100
  }

  @Test(arguments: [(TransportFailure.Absence.unknownName, 2), (.refusedConnection, 3)])
  func withoutAnyAnswerItEndsSoon(_ absence: TransportFailure.Absence, _ tries: Int) throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    #expect(Self.failures(&bench, Self.nobody(absence)) == tries)
    let failure = try #require(bench.result?.failure)
    #expect(failure.message.hasSuffix("(tried \(tries) times; --tries N tries longer)"))
    #expect(failure.tries == TransferFailure.Tries(made: tries, allowed: tries))
  }

  @Test func otherTroublesGetAllTries() throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    #expect(Self.failures(&bench, .lost(.connectionFailed)) == 8)
    #expect(
      bench.result?.failure?.message.hasSuffix("(tried 8 times without getting further)") == true)
  }

  @Test func whoeverAskedForMoreTriesGetsThem() throws {
    var bench = try MachineBench {
      $0.retries.tries = 5
      $0.retries.triesForRefusedConnection = 5
    }
    bench.feed(.started, .found(.success(.nothing)))
    #expect(Self.failures(&bench, Self.nobody(.refusedConnection)) == 5)
    #expect(
      bench.result?.failure?.message.hasSuffix("(tried 5 times without getting further)") == true)
  }

  @Test func anAnswerOfAnyKindIsContact() throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    bench.feed(.head(bench.id, head(503, [])))
    bench.wait(600)
    // One of the eight was the answer.
    #expect(Self.failures(&bench, Self.nobody(.refusedConnection)) == 7)
  }

  @Test func aResumeIsWorthWaitingFor() throws {
    var bench = try MachineBench()
    _ = bench.resume()
    for _ in 1..<8 {
      bench.feed(.ended(bench.id, Self.nobody(.unknownName)))
      bench.wait(600)
    }
    #expect(bench.events.count == 7)
    guard case .retrying(let failure, _)? = bench.events.last else {
      Issue.record("it gave up")
      return
    }
    #expect(failure.tries == TransferFailure.Tries(made: 7, allowed: 8))
  }

  /// Thousands of files of one server that restarts must not fail for being new.
  @Test func aServerThatAnsweredAnotherTransferIsWorthWaitingFor() throws {
    let world = World { request in
      request.message.url.hasSuffix("first")
        ? FakeAnswer(404) : FakeAnswer([], outcome: Self.nobody(.refusedConnection))
    }
    let fresh = world.run(try World.request("https://example.org/file"))
    #expect(fresh.retries.count == 2)
    #expect(world.run(try World.request("https://example.org/first")).results.count == 1)
    #expect(world.run(try World.request("https://example.org/file")).retries.count == 7)
    // Another port is another server.
    #expect(world.run(try World.request("https://example.org:444/file")).retries.count == 2)
    #expect(world.violations == [])
  }
}
