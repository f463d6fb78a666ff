import Testing

@testable import HaulTransfer

@Suite struct RetryBudgetTests {
  private func budget(_ tries: Int, maximumDelay: Double = 60) -> RetryBudget {
    var policy = RetryPolicy()
    policy.tries = tries
    policy.maximumDelay = maximumDelay
    return RetryBudget(policy)
  }

  @Test(arguments: [(8, 7), (2, 1), (1, 0), (0, 0), (-4, 0)])
  func allowsOnePauseLessThanTries(_ tries: Int, _ pauses: Int) {
    var budget = budget(tries)
    for _ in 0..<pauses { #expect(budget.nextDelay(retryAfter: nil, jitter: 0.5) != nil) }
    #expect(budget.nextDelay(retryAfter: nil, jitter: 0.5) == nil)
    #expect(budget.nextDelay(retryAfter: 1, jitter: 0.5) == nil)
  }

  @Test func pausesGrowToTheirBound() {
    var budget = budget(100, maximumDelay: 10)
    let bounds = (0..<40).compactMap { _ in budget.nextDelay(retryAfter: nil, jitter: 0.5) }
    #expect(bounds.prefix(6) == [0.5, 1, 2, 4, 5, 5])
    #expect(bounds.count == 40 && bounds.allSatisfy { $0 <= 5 })
  }

  @Test(arguments: [-1.0, 0, 1e300, .infinity, .nan])
  func anAbsurdMaximumIsNoTrap(_ maximum: Double) {
    var budget = budget(70, maximumDelay: maximum)
    for _ in 0..<69 {
      let delay = budget.nextDelay(retryAfter: nil, jitter: 0.99)
      #expect(delay.map { $0 >= 0 } == true)
    }
  }

  @Test(arguments: [(Int64(5), 5.0), (0, 0), (600, 600), (601, 600), (.max, 600)])
  func retryAfterIsObeyedUpToItsCap(_ asked: Int64, _ expected: Double) throws {
    var budget = budget(8)
    #expect(budget.nextDelay(retryAfter: asked, jitter: 0) == expected)
    let drawn = budget.nextDelay(retryAfter: asked, jitter: 0.9)
    let jittered = try #require(drawn)
    #expect(jittered >= expected && jittered <= expected + 1)
  }

  @Test func onlyBytesBeyondAllEarlierOnesRenewIt() {
    var budget = budget(3)
    budget.noteProgress(100)
    _ = budget.nextDelay(retryAfter: nil, jitter: 0)
    _ = budget.nextDelay(retryAfter: nil, jitter: 0)
    budget.noteProgress(100)
    #expect(budget.nextDelay(retryAfter: nil, jitter: 0) == nil)
    budget.noteProgress(101)
    #expect(budget.nextDelay(retryAfter: nil, jitter: 0) != nil)
  }

  @Test func afterARestartTheFirstByteRenewsIt() {
    var budget = budget(2)
    budget.noteProgress(100)
    _ = budget.nextDelay(retryAfter: nil, jitter: 0)
    budget.noteRestart()
    budget.noteProgress(1)
    #expect(budget.nextDelay(retryAfter: nil, jitter: 0) != nil)
    #expect(budget.nextDelay(retryAfter: nil, jitter: 0) == nil)
  }
}
