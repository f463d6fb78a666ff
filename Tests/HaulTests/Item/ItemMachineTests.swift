import HaulRecords
import HaulTestKit
import Testing

@testable import Haul

/// What becomes of one download, by what its owner asks for and how its attempts end.
@Suite struct ItemMachineTests {
  @Test(arguments: Situation.ends)
  func aRemovalIsFinal(_ end: ItemMachine.End) {
    for wish in [ItemMachine.Wish.remove, .removeWithFile] {
      var machine = Situation.stopping(wish)
      for command in ItemMachine.Command.allCases {
        #expect(machine.take(command) == [], "\(command)")
      }
      #expect(machine.wish == .remove || machine.wish == .removeWithFile)
      _ = machine.ended(attempt: 1, end, broughtBytes: true)
      #expect(machine.isRemoved)
      #expect(!machine.isRunning && !machine.isReady)
      let after = machine
      for command in ItemMachine.Command.allCases { #expect(machine.take(command) == []) }
      #expect(machine.ended(attempt: 1, .finished, broughtBytes: true) == [])
      machine.verifies(true, attempt: 1)
      machine.release()
      #expect(machine == after)
    }
  }

  /// A download that was removed while it ran counted as running ever after, and kept its place in the
  /// queue: after three of them nothing ran any more.
  @Test func whatIsRemovedRunsNoMore() {
    var machine = Situation.stopping(.remove)
    #expect(machine.isRunning)
    let actions = machine.ended(attempt: 1, .stopped, broughtBytes: false)
    #expect(actions == [.announce(attempt: 1, .removed), .discard, .removed(withFile: false)])
    #expect(!machine.isRunning)
  }

  @Test(arguments: ItemMachine.Wish.allCases)
  func aFinishWinsOverAnyWishThatCameTooLate(_ wish: ItemMachine.Wish) {
    var machine = Situation.stopping(wish)
    let actions = machine.ended(attempt: 1, .finished, broughtBytes: true)
    #expect(actions.first == .announce(attempt: 1, .finished))
    #expect(!actions.contains(.discard))
    switch wish {
    case .wait, .pause, .cancel:
      #expect(machine.state == .finished)
      #expect(actions.count == 1)
    case .remove: #expect(actions.last == .removed(withFile: false))
    case .removeWithFile: #expect(actions.last == .removed(withFile: true))
    }
  }

  @Test func aFileOfAnItemThatIsNotWholeIsNeverNamedForRemoval() {
    for situation in Situation.all where situation.machine.state != .finished {
      var machine = situation.machine
      guard !machine.isRunning, !machine.isRemoved else { continue }
      let actions = machine.take(.removeWithFile)
      #expect(actions == [.discard, .removed(withFile: false)], "\(situation.name)")
    }
    var whole = ItemMachine(state: .finished)
    #expect(whole.take(.removeWithFile) == [.removed(withFile: true)])
    whole = ItemMachine(state: .finished)
    #expect(whole.take(.remove) == [.removed(withFile: false)])
  }

  @Test func lateNewsOfAnEarlierAttemptAreNoNews() {
    for situation in Situation.all {
      var machine = situation.machine
      for end in Situation.ends {
        for attempt: UInt32 in [0, 2, .max] {
          #expect(machine.ended(attempt: attempt, end, broughtBytes: true) == [])
          machine.verifies(true, attempt: attempt)
          machine.verifies(false, attempt: attempt)
        }
      }
      #expect(machine == situation.machine, "\(situation.name)")
    }
  }

  @Test func aSecondEndOfAnAttemptIsNoNews() {
    for first in Situation.ends {
      var machine = Situation.running()
      _ = machine.ended(attempt: 1, first, broughtBytes: false)
      let after = machine
      for second in Situation.ends {
        #expect(machine.ended(attempt: 1, second, broughtBytes: true) == [])
      }
      #expect(machine == after)
    }
  }

  @Test func noAttemptOutlivesTheProgram() {
    for state in DownloadState.allCases {
      let machine = ItemMachine(state: state, attempt: 7)
      let ran = state == .downloading || state == .verifying
      #expect(machine.state == (ran ? .waiting : state))
      #expect(!machine.isRunning)
      #expect(machine.attempt == 7)
    }
  }

  @Test func theNumberOfAnAttemptWrapsAround() {
    var machine = ItemMachine(state: .waiting, attempt: .max)
    #expect(machine.begin() == [.run(attempt: 0)])
    #expect(machine.ended(attempt: 0, .finished, broughtBytes: true).count == 1)
  }

  @Test func startTakesBackAPauseAndACancelThatAreUnderWay() {
    for wish in [ItemMachine.Wish.pause, .cancel] {
      var machine = Situation.stopping(wish)
      #expect(machine.take(.start) == [])
      #expect(machine.wish == .wait)
      #expect(
        machine.ended(attempt: 1, .stopped, broughtBytes: false)
          == [.announce(attempt: 1, .interrupted)])
      #expect(machine.isReady)
    }
  }

  @Test func resumeTakesBackAPauseOnly() {
    var pausing = Situation.stopping(.pause)
    _ = pausing.take(.resume)
    #expect(pausing.wish == .wait)
    var cancelling = Situation.stopping(.cancel)
    _ = cancelling.take(.resume)
    #expect(cancelling.wish == .cancel)
  }

  @Test func oneThatGivesWayCanBePausedCancelledAndRemovedWithoutASecondStop() {
    for (command, wish) in [
      (ItemMachine.Command.pause, ItemMachine.Wish.pause), (.cancel, .cancel), (.remove, .remove),
      (.removeWithFile, .removeWithFile),
    ] {
      var machine = Situation.stopping(.wait)
      #expect(machine.take(command) == [])
      #expect(machine.wish == wish)
    }
  }

  @Test func aFailureWhileItIsBeingStoppedIsAStop() {
    for outlook in ItemMachine.Outlook.allCases {
      var machine = Situation.stopping(.pause)
      #expect(
        machine.ended(attempt: 1, .failed(outlook), broughtBytes: false)
          == [.announce(attempt: 1, .paused)])
      #expect(machine.state == .paused)
    }
  }

  @Test func anAttemptThatTheEngineStoppedIsPaused() {
    var machine = Situation.running()
    _ = machine.ended(attempt: 1, .stopped, broughtBytes: false)
    #expect(machine.state == .paused)
  }
}

// MARK: - Sequences

extension ItemMachineTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func eachAttemptThatBeganHasOneTerminalAnnouncement(_ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    var machine = ItemMachine(state: .waiting)
    var begun: Set<UInt32> = []
    var announced: [UInt32] = []
    var stopped: Set<UInt32> = []
    var isOut = false
    func take(_ actions: [ItemMachine.Action]) {
      #expect(!isOut || actions.isEmpty, "told after its removal, seed \(seed)")
      for action in actions {
        switch action {
        case .run(let attempt):
          #expect(begun.insert(attempt).inserted, "seed \(seed)")
          #expect(announced.count == begun.count - 1, "two at once, seed \(seed)")
        case .stop(let attempt): #expect(stopped.insert(attempt).inserted, "seed \(seed)")
        case .announce(let attempt, _): announced.append(attempt)
        case .removed: isOut = true
        case .discard: break
        }
      }
    }
    for _ in 0..<200 {
      let draw = Int(random.next() % 24)
      switch draw {
      case 0..<5:
        // Removals would end most sequences early.
        take(machine.take([.start, .resume, .retry, .pause, .cancel][draw]))
      case 5..<7:
        if random.next() % 40 == 0 { take(machine.take([.remove, .removeWithFile][draw - 5])) }
      case 7..<12: if machine.isReady { take(machine.begin()) }
      case 12: take(machine.giveWay())
      case 13: machine.verifies(random.next() % 2 == 0, attempt: machine.attempt)
      case 14..<19:
        let end = Situation.ends[Int(random.next() % UInt64(Situation.ends.count))]
        take(machine.ended(attempt: machine.attempt, end, broughtBytes: random.next() % 4 == 0))
      case 19:
        take(machine.ended(attempt: machine.attempt &- 1, .finished, broughtBytes: true))
      default: machine.release()
      }
      #expect(machine.hold == .none || machine.state == .waiting, "seed \(seed)")
      #expect(machine.wish == nil || machine.isRunning, "seed \(seed)")
      #expect(machine.isRunning == (announced.count < begun.count), "seed \(seed)")
    }
    take(machine.ended(attempt: machine.attempt, .stopped, broughtBytes: false))
    #expect(Set(announced) == begun && announced.count == begun.count, "seed \(seed)")
  }
}
