import HaulRecords
import HaulTestKit
import Testing

@Suite struct MemoryDatabaseTests {
  /// Memory is kept by whoever holds it.
  struct Fixture: DatabaseFixture {
    let database = MemoryDatabase()

    func open() -> any RecordDatabase { database }
  }

  @Test(arguments: DatabaseRule.all)
  func keepsTheRules(_ rule: DatabaseRule) throws {
    try rule.check(Fixture())
  }

  @Test func aCommitThatIsMadeToFailChangesNothing() throws {
    let database = FaultyDatabase(MemoryDatabase())
    let record = try RecordSample(seed: 1).any()
    database.failNextCommit(.diskFull)
    #expect(throws: DatabaseFailure.self) { try database.commit([.insert(record)], .durable) }
    #expect(try database.summaries().items.isEmpty)
    try database.commit([.insert(record)], .durable)
    #expect(try database.records([record.id]).items == [record])
  }

  /// Rules that cannot be broken would say nothing.
  @Test func aDatabaseThatForgetsBreaksRules() {
    struct Forgetful: DatabaseFixture {
      func open() -> any RecordDatabase { MemoryDatabase() }
    }
    let broken = DatabaseRule.all.filter { rule in
      (try? rule.check(Forgetful())) == nil
    }
    #expect(broken.count == 2)
  }
}
