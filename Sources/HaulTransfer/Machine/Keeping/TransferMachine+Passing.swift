internal import HaulHTTP

/// What is different where bytes are passed on as they come: they cannot be taken back, so there is
/// no restart, and what follows them must surely be of the same version.
extension TransferMachine {
  var isPassingOn: Bool { rules.isPassingOn }

  /// Whether more bytes may still be put behind those that were passed on.
  var mayContinue: Bool {
    !partHasBytes || (!isCoded && rules.combining(version) != .never)
  }

  /// Whether bytes of an answer that is over may still wait for the reader.
  ///
  /// Each connection may have some of them on their way, so the next one waits for that: a reader who
  /// stands still while answer after answer ends would otherwise cost ever more memory.
  var isReaderBehind: Bool { isPassingOn && hasPart && (isCheckpointWanted || isCheckpointing) }

  /// Takes the whole file in place of its rest: what was passed on is passed over, if the file is
  /// surely the same.
  mutating func takeWholeAgain(
    _ connection: Connection, _ new: FileVersion, _ landing: Landing
  ) {
    let isShorter = new.total.map { $0 < plan.end } ?? false
    guard !isCoded, landing.coding == .identity, !isShorter, rules.isSurelySame(new, as: version)
    else {
      drop(connection.id)
      isShorter || rules.contradicts(new, version) ? failChanged() : failUnproven()
      return
    }
    version.total = new.total
    guard version.total != plan.end else {
      drop(connection.id)
      return
    }
    version.isCombined = true
    connections[connection.id]?.phase = .preparing(
      Landing(start: plan.end, end: new.total, skipped: plan.end))
    accept(connection.id)
  }

  /// The file changed, and what was passed on is of the version before.
  mutating func failChanged() {
    fail(
      .changing, "changed on the server while it was passed on",
      remedy: "run it again; with --digest, or into a file, nothing is given out before it is whole"
    )
  }

  private mutating func failUnproven() {
    fail(
      .badRange,
      "was sent from its start in place of the rest, and nothing shows that it is the same",
      remedy: Self.withoutProof)
  }

  /// A failure after which another try could only begin anew.
  mutating func failUncontinued(_ failure: TransferFailure) {
    var told = failure
    told.message +=
      "; it cannot be continued: the server gives nothing by which the rest would be "
      + "known to be of the same version; " + Self.withoutProof
    fail(told)
  }

  private static let withoutProof =
    "into a file (-o FILE) it starts again by itself, and so it does with --digest"

  /// Bytes beyond the largest file that is accepted are not needed to see that it is too large.
  func capped(_ landing: Landing) -> Landing {
    guard landing.end == nil, let limit = request.maximumByteCount, limit < .max else {
      return landing
    }
    var landing = landing
    landing.end = max(limit + 1, landing.start)
    return landing
  }

  /// The result, with what was passed on before it.
  func told(_ result: TransferResult) -> TransferResult {
    switch result {
    case .failed(var failure) where passedOn > 0:
      failure.message += failure.message.hasSuffix(".") ? " " : "; "
      failure.message += whatWasPassedOn(failure.code)
      return .failed(failure)
    case .stopped where isPassingOn || passedOn > 0: return .stopped(received: passedOn)
    default: return result
    }
  }

  private func whatWasPassedOn(_ code: TransferFailure.Code) -> String {
    switch code {
    case .digestMismatch: "the \(passedOn) bytes that were passed on are wrong"
    // Whether they are right is not known then, or says nothing new.
    case .badCoding, .inputOutput, .readerGone: "\(passedOn) bytes had been passed on"
    default: "the first \(passedOn) bytes were passed on and are valid, the rest is missing"
    }
  }
}
