import Glibc
import HaulRecords
import HaulTestKit
import Testing

@testable import HaulSQLite

/// A process that is killed in the middle of its commits.
@Suite(.timeLimit(.minutes(2))) struct KillTests {
  @Test func everyCommitThatReturnedIsThereInOrder() async throws {
    let place = try Place()
    let first = seed(of: "HAUL_RECORDS_SEED")
    let draws = RecordSample(seed: first)
    var known = 0
    let rounds = environment["HAUL_TEST_ALL"] == nil ? 12 : 100
    for _ in 0..<rounds {
      let child = try ChildProcess(TestHost.path, ["commit", place.path, "\(known)"])
      let goal = known + draws.draw(300)
      _ = await child.waitForText("\(goal)\n", in: .output)
      child.signal(SIGKILL)
      let exit = await child.wait()
      #expect(exit == .signalled(SIGKILL), "\(child.outputText)")
      // The last line may be cut.
      let returned = child.outputText.split(separator: "\n").dropLast().last.flatMap { Int($0) }
      let database = try place.reopen()
      let summaries = try database.summaries()
      #expect(summaries.unreadable.isEmpty)
      let count = summaries.items.count
      #expect(count > (returned ?? -1) && count >= goal, "HAUL_RECORDS_SEED=\(first)")
      for (number, summary) in summaries.items.enumerated().dropFirst(known) {
        let record = try RecordSample(seed: UInt64(number)).waiting(position: Int64(number))
        #expect(summary == record.summary, "HAUL_RECORDS_SEED=\(first)")
        #expect(try database.records([record.id]).items == [record])
      }
      #expect(try database.check() == [])
      known = count
      place.close()
    }
  }
}
