/// What is told at the end of a run of several files.
struct RunSummary {
  let ledger: RunLedger
  /// The files that were known and have not begun.
  let waiting: Int
  /// Whether a list was left before its end.
  let isListOpen: Bool
  /// Whether nothing was to be fetched.
  let isDryRun: Bool
  /// Seconds.
  let time: Double

  /// How many files are there, what became of the others, and how fast it went.
  var line: StyledLine {
    let there = ledger.finished + ledger.skipped
    let files = ledger.over + waiting
    var line = StyledLine()
    let verb = isDryRun ? "would be" : there == 1 ? "is" : "are"
    if there == files, !isListOpen {
      line.add("\(there) \(there == 1 ? "file" : "files") \(verb) there", .good)
    } else {
      line.add("\(there) of \(files) files \(verb) there")
    }
    if ledger.skipped > 0 { line.add(" (\(ledger.skipped) skipped)") }
    if ledger.failed > 0 {
      line.add(", ")
      line.add("\(ledger.failed) failed", .bad)
    }
    if ledger.interrupted > 0 { line.add(", \(ledger.interrupted) interrupted") }
    if waiting > 0 { line.add(", \(waiting) not begun") }
    if isListOpen { line.add(", and the rest of the list was not read") }
    if ledger.fetched > 0 {
      line.add(
        ": \(Format.size(ledger.fetched))\(ledger.hasEarlierBytes ? " fetched" : "") in "
          + Format.pace(ledger.fetched, time))
    }
    return line
  }
}
