import HaulRecords
import HaulTransfer
import Testing

@testable import Haul

/// How often one that failed is tried again by itself.
@Suite struct FailureTests {
  /// Fails until it is not tried again, and says how often.
  private func tries(
    _ machine: inout ItemMachine, _ outlook: ItemMachine.Outlook, atMost limit: Int = 1000
  ) -> Int {
    for count in 1...limit {
      #expect(machine.begin() == [.run(attempt: machine.attempt)])
      let actions = machine.ended(attempt: machine.attempt, .failed(outlook), broughtBytes: false)
      let isTriedAgain = machine.state == .waiting
      #expect(
        actions == [.announce(attempt: machine.attempt, .failed(isTriedAgain: isTriedAgain))])
      guard isTriedAgain else { return count }
      #expect(!machine.isReady)
      machine.release()
      #expect(machine.isReady)
    }
    return limit
  }

  @Test func whatMayPassSoonIsTriedAgainFiveTimesInARow() {
    var machine = ItemMachine(state: .waiting)
    #expect(tries(&machine, .soon) == 6)
    #expect(machine.state == .failed)
    // Asked to, it tries as often again.
    _ = machine.take(.retry)
    #expect(tries(&machine, .soon) == 6)
  }

  @Test func whatBringsTheSameIsNotTriedAgain() {
    var machine = ItemMachine(state: .waiting)
    #expect(tries(&machine, .none) == 1)
  }

  @Test(arguments: [ItemMachine.Outlook.network, .room])
  func whatTheNetworkOrTheDiskKeepsBackIsTriedWithoutEnd(_ outlook: ItemMachine.Outlook) {
    var machine = ItemMachine(state: .waiting)
    #expect(tries(&machine, outlook, atMost: 600) == 600)
    #expect(machine.failures == .max)
  }

  @Test func newBytesResetTheCount() {
    var machine = Situation.exhausted()
    let actions = machine.ended(attempt: machine.attempt, .failed(.soon), broughtBytes: true)
    #expect(actions == [.announce(attempt: machine.attempt, .failed(isTriedAgain: true))])
    #expect(machine.failures == 1)
  }

  @Test func whoAsksForItWhileItWaitsGivesAllTriesAgain() {
    for command in [ItemMachine.Command.start, .retry] {
      var machine = Situation.held(.soon)
      _ = machine.take(command)
      #expect(machine.isReady)
      #expect(tries(&machine, .soon) == 6)
    }
  }

  @Test func resumeLeavesAHoldAlone() {
    var machine = Situation.held(.soon)
    _ = machine.take(.resume)
    #expect(machine == Situation.held(.soon))
  }

  /// One count was kept for failures of all kinds: after a night without a network the first `503` of
  /// the server that was starting made the download fail for good, and so did it after a full disk.
  @Test(arguments: [ItemMachine.Outlook.network, .room])
  func whatHasNoEndUsesUpNoneOfTheTries(_ outlook: ItemMachine.Outlook) {
    var machine = ItemMachine(state: .waiting)
    _ = tries(&machine, outlook, atMost: 20)
    #expect(tries(&machine, .soon) == 6)
    // Nor do they come back by it, or a download that fails in turns would be tried for ever.
    machine = Situation.exhausted()
    _ = machine.ended(attempt: machine.attempt, .failed(outlook), broughtBytes: false)
    machine.release()
    #expect(tries(&machine, .soon) == 1)
  }

  @Test(arguments: [
    (408, ItemMachine.Outlook.soon), (429, .soon), (500, .soon), (503, .soon), (599, .soon),
    (501, .none), (505, .none), (400, .none), (404, .none), (416, .none), (600, .none),
  ])
  func theStatusSaysWhetherItMayPass(_ status: Int, _ outlook: ItemMachine.Outlook) {
    #expect(TransferFailure(code: .httpStatus, status: status, message: "").outlook == outlook)
  }

  @Test func theCodeSaysWhatMayCome() {
    var found: [ItemMachine.Outlook: Set<TransferFailure.Code>] = [:]
    for code in TransferFailure.Code.allCases {
      found[TransferFailure(code: code, message: "").outlook, default: []].insert(code)
    }
    #expect(
      found[.network]
        == [.nameNotResolved, .connectionFailed, .connectionLost, .timeout, .stalled])
    #expect(found[.soon] == [.inUse, .proxy, .changing, .badResponse])
    #expect(found[.room] == [.diskFull])
    // A wrong digest or a certificate is not cured by asking again.
    #expect(found[.none]?.isSuperset(of: [.digestMismatch, .certificate, .exists]) == true)
  }
}
