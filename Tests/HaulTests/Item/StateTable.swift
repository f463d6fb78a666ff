import HaulRecords

@testable import Haul

/// The table of all transitions, made by trying each of them.
enum StateTable {
  /// Something that happens, in the words of the table.
  struct Input: Sendable {
    var name: String
    var act: @Sendable (inout ItemMachine) -> [ItemMachine.Action]?
  }

  static let inputs: [Input] =
    ItemMachine.Command.allCases.map { command in
      Input(name: "\(command)") { $0.take(command) }
    } + [
      Input(name: "its turn") { $0.isReady ? $0.begin() : nil },
      Input(name: "gives way") { $0.giveWay() },
      Input(name: "release") { machine in
        machine.release()
        return []
      },
      end("ends: finished", .finished),
      end("ends: stopped", .stopped),
      end("fails: none", .failed(.none)),
      end("fails: network", .failed(.network)),
      end("fails: soon", .failed(.soon)),
      Input(name: "fails: soon, for the 6th time") { machine in
        guard machine.isRunning else { return nil }
        var exhausted = Situation.exhausted()
        if machine.state == .verifying { exhausted.verifies(true, attempt: exhausted.attempt) }
        exhaust(&exhausted, as: machine)
        machine = exhausted
        return machine.ended(attempt: machine.attempt, .failed(.soon), broughtBytes: false)
      },
      end("fails: room", .failed(.room)),
    ]

  private static func end(_ name: String, _ end: ItemMachine.End) -> Input {
    Input(name: name) { $0.ended(attempt: $0.attempt, end, broughtBytes: false) }
  }

  /// Brings one that has used up its tries to the same wish.
  private static func exhaust(_ machine: inout ItemMachine, as other: ItemMachine) {
    switch other.wish {
    case nil: break
    case .wait: _ = machine.giveWay()
    case .pause: _ = machine.take(.pause)
    case .cancel: _ = machine.take(.cancel)
    case .remove: _ = machine.take(.remove)
    case .removeWithFile: _ = machine.take(.removeWithFile)
    }
  }

  /// The rows of one situation: inputs that lead to the same are together, those that change nothing last.
  private static func rows(_ situation: Situation) -> [String] {
    var results: [(result: String, inputs: [String])] = []
    var idle: [String] = []
    for input in inputs {
      var machine = situation.machine
      guard let actions = input.act(&machine) else { continue }
      if actions.isEmpty, machine == situation.machine {
        idle.append(input.name)
        continue
      }
      let result = "\(next(machine, from: situation.machine)) | \(words(actions))"
      if let place = results.firstIndex(where: { $0.result == result }) {
        results[place].inputs.append(input.name)
      } else {
        results.append((result, [input.name]))
      }
    }
    var rows = results.map { "\($0.inputs.joined(separator: " · ")) | \($0.result)" }
    if !idle.isEmpty {
      let isMost = idle.count > inputs.count / 2
      rows.append("\(isMost ? "all others" : idle.joined(separator: " · ")) | — | —")
    }
    return rows
  }

  /// The state that follows; one that runs stays what it is, `downloading` or `verifying`.
  private static func next(_ machine: ItemMachine, from before: ItemMachine) -> String {
    guard !machine.isRemoved else { return "removed" }
    var text = machine.state.rawValue
    if machine.isRunning, before.isRunning, machine.state == before.state { text = "the same" }
    if machine.hold != .none { text += " (\(machine.hold))" }
    if let wish = machine.wish { text += ", to \(wish)" }
    return text
  }

  private static func words(_ actions: [ItemMachine.Action]) -> String {
    let words = actions.map { action in
      switch action {
      case .run: "run"
      case .stop: "stop"
      case .discard: "discard"
      case .removed(let withFile): withFile ? "removed with its file" : "removed"
      case .announce(_, .failed(let isTriedAgain)):
        isTriedAgain ? "announce failed, tried again" : "announce failed"
      case .announce(_, let end): "announce \(end)"
      }
    }
    return words.isEmpty ? "—" : words.joined(separator: ", ")
  }

  /// Lines of Markdown. Situations from which all leads to the same are one.
  static var lines: [String] {
    var groups: [(names: [String], rows: [String])] = []
    for situation in Situation.all {
      let rows = rows(situation)
      if let place = groups.firstIndex(where: { $0.rows == rows }) {
        groups[place].names.append(situation.name)
      } else {
        groups.append(([situation.name], rows))
      }
    }
    var lines = ["| state | what happens | next state | actions |", "|---|---|---|---|"]
    for group in groups {
      for (number, row) in group.rows.enumerated() {
        lines.append("| \(number == 0 ? group.names.joined(separator: "<br>") : "") | \(row) |")
      }
    }
    return lines + checking
  }

  /// What all that run do when their bytes are there, or turn out not to be, whatever is wished.
  private static var checking: [String] {
    var lines: [String] = []
    for situation in Situation.all {
      for (isVerifying, name) in [(true, "all bytes are there"), (false, "bytes are missing")] {
        var machine = situation.machine
        machine.verifies(isVerifying, attempt: machine.attempt)
        guard machine != situation.machine else { continue }
        var wish = ""
        if machine.wish != situation.machine.wish { wish = ", to \(machine.wish as Any)" }
        let line = "| \(situation.machine.state) | \(name) | \(machine.state)\(wish) | — |"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    return lines
  }
}
