import Testing

@testable import HaulTransfer

extension RetryBudget {
  /// The pause before the next try, or nil when the budget is used up.
  fileprivate mutating func nextDelay(
    retryAfter: Int64?, jitter: Double, absence: TransportFailure.Absence? = nil
  ) -> Double? {
    switch noteFailure(retryAfter: retryAfter, jitter: jitter, absence: absence) {
    case .again(let delay, _): delay
    case .usedUp: nil
    }
  }

  fileprivate mutating func tries(_ absence: TransportFailure.Absence? = nil) -> [Int] {
    switch noteFailure(retryAfter: nil, jitter: 0, absence: absence) {
    case .again(_, let tries): [tries.made, tries.allowed]
    case .usedUp(let tries): [tries.made, tries.allowed, 0]
    }
  }
}

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

  @Test(arguments: [
    (TransportFailure.Absence.unknownName, 2, 0.5...1.0), (.refusedConnection, 3, 3.0...6.0),
  ])
  func aFirstContactWithNobodyThereIsGivenUpSoon(
    _ absence: TransportFailure.Absence, _ tries: Int, _ seconds: ClosedRange<Double>
  ) {
    for jitter in [0, 0.999_999] {
      var budget = budget(8)
      var sum = 0.0
      for _ in 1..<tries {
        sum += budget.nextDelay(retryAfter: nil, jitter: jitter, absence: absence) ?? .nan
      }
      #expect(seconds.contains(sum))
      #expect(budget.nextDelay(retryAfter: nil, jitter: jitter, absence: absence) == nil)
    }
  }

  @Test func theCountSaysWhichTryOfHowMany() {
    var budget = budget(4)
    #expect(budget.tries() == [1, 4])
    #expect(budget.tries() == [2, 4])
    budget.noteProgress(1)
    #expect(budget.tries() == [1, 4])
    #expect(budget.tries(.unknownName) == [1, 2])
    // Not twice in a row: an unreachable network came between.
    #expect(budget.tries() == [3, 4])
    #expect(budget.tries(.unknownName) == [1, 2, 0])
  }

  @Test func noFirstContactGetsMoreTriesThanOthers() {
    var budget = budget(1)
    #expect(budget.tries(.refusedConnection) == [1, 1, 0])
    var policy = RetryPolicy()
    policy.triesForUnknownName = 20
    budget = RetryBudget(policy)
    for made in 1..<8 { #expect(budget.tries(.unknownName) == [made, 8]) }
    #expect(budget.tries(.unknownName) == [8, 8, 0])
    policy.triesForUnknownName = -1
    budget = RetryBudget(policy)
    #expect(budget.tries(.unknownName) == [1, 1, 0])
  }
}
