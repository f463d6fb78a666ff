import HaulTransfer

/// Says at the end how the rest is fetched: after an interrupt, or a failure that left bytes.
struct GoingOn {
  private let command: RepeatCommand
  private let mayAddSkip: Bool
  /// Whether bytes are kept from which the next run goes on.
  private var isKept = false
  /// Whether bytes were fetched in vain.
  private var isLost = false
  /// Whether a file failed that a later run may get, though nothing of it is kept.
  private var mayPass = false

  /// - Parameters:
  ///   - command: What was typed.
  ///   - mayAddSkip: Whether `--exists skip` would be something new.
  init(_ command: RepeatCommand, mayAddSkip: Bool) {
    self.command = command
    self.mayAddSkip = mayAddSkip && !command.has("exists")
  }

  mutating func noteStop(received: Int64, isResumable: Bool) {
    if isResumable { isKept = true } else if received > 0 { isLost = true }
  }

  mutating func note(_ failure: TransferFailure) {
    // What was refused for what it is will be refused again. A login page goes away with the log-in.
    let isWorthIt =
      [.network, .server, .file].contains(failure.code.category) || failure.code == .wrongType
    if failure.isResumable, isWorthIt { isKept = true }
    if Self.isPassing(failure) { mayPass = true }
  }

  /// Whether it is a failure of the moment.
  private static func isPassing(_ failure: TransferFailure) -> Bool {
    switch failure.code {
    case .httpStatus: failure.status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? false
    case .diskFull, .inUse, .folderMissing: true
    default: failure.code.category == .network
    }
  }

  /// The sentence, or nil where there is nothing to go on with: of one file nothing is there, or all
  /// that failed will fail again. `isInterrupted` says that the user
  /// stopped files that had not begun to arrive; `areNamesDistinct` that no file can be taken for
  /// another one by its name.
  func text(
    isInterrupted: Bool, hasSeveral: Bool, hasFinished: Bool,
    areNamesDistinct: @autoclosure () -> Bool
  ) -> String? {
    guard isKept || isLost || isInterrupted || hasSeveral && mayPass else { return nil }
    // Files that are there would otherwise be fetched again under the next name. Yet one of another
    // address with the same name, size and time would be left out as well, and lost by that.
    let hasTheirs = mayAddSkip && hasSeveral && hasFinished
    let skips = hasTheirs && areNamesDistinct()
    let again = hasTheirs && !skips ? " (fetches again what is there: files may share a name)" : ""
    let startsAgain = isLost && !isKept && !hasSeveral
    var text = isKept ? "what was received is kept; " : ""
    if let line = command.line(skipping: skips) {
      text += (startsAgain ? "to start again" : "to go on") + again + ": " + line
    } else {
      text += "the same command" + (skips ? " with --exists skip" : "")
      text += startsAgain ? " starts again" : isKept ? " goes on from there" : " goes on"
      text += again
    }
    return text
  }
}
