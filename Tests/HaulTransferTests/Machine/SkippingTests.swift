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

  private let skipped = TransferMachine.Input.created(.success(.skipped(path: "/d/file")))

  /// A new connection for each file of a list costs more than the rest of a small one.
  @Test func aShortBodyIsReadToItsEnd() throws {
    var bench = try begin(65_536)
    #expect(bench.feed(skipped) == ["abandon"])
    #expect(bench.wait(5) == [])
    #expect(bench.feed(.ended(bench.id, .complete)) == ["skipped"])
    #expect(bench.result == .skipped(path: "/d/file"))
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
}
