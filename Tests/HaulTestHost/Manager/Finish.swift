import Haul
import HaulRecords

/// Lets a whole list come to its end, and tells what it holds then.
struct Finish {
  let owner: Owner

  func run() async throws {
    let manager = owner.manager
    manager.updateSettings { $0.parallel = 8 }
    manager.start(.all)
    var query = RecordQuery()
    query.limit = RecordQuery.largestLimit
    for await (page, totals) in manager.pages(query) {
      if totals.counts == [.finished: owner.wishes.count] { break }
      // A person who does not want to wait out a pause.
      let kept = page.items.filter { item in
        item.state == .failed || item.reason == .retry || item.reason == .network
      }
      if !kept.isEmpty { manager.retry(.ids(kept.map(\.id))) }
    }
    for item in try await owner.items() {
      let number = owner.wishes.number(of: item).map { "\($0)" } ?? "?"
      Output.output.write(
        "item \(number) \(item.id) \(item.state) \(item.received) \(item.path ?? "")")
    }
    // What was removed just before a kill may have left its part.
    for leftover in try await manager.restored().leftovers { try await manager.discard(leftover) }
    for problem in try await manager.check() { throw Wrong(problem) }
    await manager.close()
    Output.output.write("closed")
  }
}
