import HaulRecords

@testable import Haul

/// A machine in a state that the table of states has a row for.
struct Situation {
  var name: String
  var machine: ItemMachine

  static let ends: [ItemMachine.End] =
    [.finished, .stopped] + ItemMachine.Outlook.allCases.map { .failed($0) }

  /// What runs as its first attempt.
  static func running(isVerifying: Bool = false) -> ItemMachine {
    var machine = ItemMachine(state: .waiting)
    _ = machine.begin()
    machine.verifies(isVerifying, attempt: 1)
    return machine
  }

  /// What waits out a failure.
  static func held(_ outlook: ItemMachine.Outlook) -> ItemMachine {
    var machine = running()
    _ = machine.ended(attempt: 1, .failed(outlook), broughtBytes: false)
    return machine
  }

  /// What is being stopped, and what follows then.
  static func stopping(_ wish: ItemMachine.Wish, isVerifying: Bool = false) -> ItemMachine {
    var machine = running(isVerifying: isVerifying)
    switch wish {
    case .wait: _ = machine.giveWay()
    case .pause: _ = machine.take(.pause)
    case .cancel: _ = machine.take(.cancel)
    case .remove: _ = machine.take(.remove)
    case .removeWithFile: _ = machine.take(.removeWithFile)
    }
    return machine
  }

  /// What failed as often as is waited out, and runs again.
  static func exhausted() -> ItemMachine {
    var machine = ItemMachine(state: .waiting)
    for _ in 0..<ItemMachine.maximumFailures {
      _ = machine.begin()
      _ = machine.ended(attempt: machine.attempt, .failed(.soon), broughtBytes: false)
      machine.release()
    }
    _ = machine.begin()
    return machine
  }

  /// Every state, with each hold and each wish.
  static var all: [Situation] {
    var all = [DownloadState.none, .waiting, .paused, .finished, .failed].map {
      Situation(name: $0.rawValue, machine: ItemMachine(state: $0, attempt: 1))
    }
    for outlook in [ItemMachine.Outlook.network, .soon, .room] {
      let machine = held(outlook)
      all.append(Situation(name: "waiting (\(machine.hold))", machine: machine))
    }
    for isVerifying in [false, true] {
      let name = isVerifying ? "verifying" : "downloading"
      all.append(Situation(name: name, machine: running(isVerifying: isVerifying)))
      for wish in ItemMachine.Wish.allCases {
        let machine = stopping(wish, isVerifying: isVerifying)
        all.append(Situation(name: "\(name), to \(wish)", machine: machine))
      }
    }
    var removed = ItemMachine(state: .paused)
    _ = removed.take(.remove)
    all.append(Situation(name: "removed", machine: removed))
    return all
  }
}
