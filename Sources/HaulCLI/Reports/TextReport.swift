import HaulHTTP
import HaulTransfer

/// Tells what happens in words: paths on standard output, everything else on standard error.
struct TextReport: Report {
  private let options: GetOptions
  private let command: RepeatCommand
  private let start = ContinuousClock.now
  private var tally = Tally()
  private var ledger = RunLedger()
  private var failures = FailureList()
  /// Whether something else was told after a failure, so that it may be out of sight.
  private var areFailuresFarAway = false
  private var display: ProgressDisplay
  /// What each running file is called, for messages.
  private var names: [Int: String] = [:]
  /// Whether bytes are kept from which the next run goes on, and whether some were fetched in vain.
  private var (isKept, isLost) = (false, false)

  init(_ options: GetOptions, _ command: RepeatCommand, _ terminal: Terminal = .current) {
    self.options = options
    self.command = command
    display = ProgressDisplay(options, terminal)
  }

  /// Whether lines are drawn that change.
  var drawsBars: Bool { display.drawsBars }

  mutating func take(_ news: FileNews) {
    ledger.take(news)
    switch news.kind {
    case .event(let event): take(event, job: news.file, news.url)
    case .refused(let error):
      tally.fail(.usage)
      failures.add("usage", error.message)
      tell(error.message)
    case .repeated: say("\(news.url ?? "a file") is in the list again; once is enough")
    }
  }

  mutating func show(_ run: RunStanding, now: Double) {
    ledger.look(run.running)
    display.show(run, ledger, now: now)
  }

  mutating func hide() { display.hide() }

  mutating func forget() { display.forget() }

  private mutating func take(_ event: TransferEvent, job: Int, _ url: String?) {
    switch event {
    case .started(let path, let total, let resumedFrom):
      let path = ShownPath.text(path)
      names[job] = path
      if display.drawsBars {
        // Its bar shows the rest.
        if resumedFrom > 0 { say("going on with \(path) after \(Format.size(resumedFrom))") }
        return
      }
      let size = total.map { " (\(Format.size($0)))" } ?? ""
      let from = resumedFrom > 0 ? ", going on after \(Format.size(resumedFrom))" : ""
      say("fetching \(path)\(size)\(from)")
    case .retrying(let failure, let delay):
      say("\(failure.message); trying again in \(Format.seconds(delay))")
    case .restarted(let reason):
      display.restart(job)
      say("starting again from the first byte: \(describe(reason))")
    case .damaged(let count):
      display.restart(job)
      say("\(Format.size(count)) on disk were damaged and are fetched again")
    case .verifying: break
    case .ended(let result): end(result, names.removeValue(forKey: job) ?? url)
    }
  }

  private mutating func end(_ result: TransferResult, _ name: String?) {
    switch result {
    case .finished(let file):
      tally.finish()
      let path = ShownPath.text(file.path)
      tellPath(path)
      let time = Format.elapsed(file.seconds)
      say("finished", .good, " \(path): \(Format.size(file.byteCount)) in \(time)\(proof(file))")
      if file.verification == .unverified, options.isQuiet {
        tell("\(path) is unverified: the server did not say how long it is")
      }
    case .skipped(let path):
      tally.finish()
      let path = ShownPath.text(path)
      tellPath(path)
      say("skipped \(path): the same file is there")
    case .failed(let failure):
      tally.fail(ExitStatus(failure.code.category))
      failures.add(failure.code.rawValue, failure.message)
      if failure.isResumable, [.network, .server, .file].contains(failure.code.category) {
        isKept = true
      }
      tell("failed", .bad, " [\(failure.code.rawValue)]: \(failure.message)")
    case .stopped(let received, let isResumable):
      tally.fail(.interrupted)
      if isResumable { isKept = true } else if received > 0 { isLost = true }
      let end = received == 0 || isResumable ? "" : "; the server gives nothing to resume it by"
      say("interrupted \(name.map { "\($0) " } ?? "")after \(Format.size(received))\(end)")
    }
  }

  mutating func finish(_ run: RunStanding, isCutShort: Bool) -> ExitStatus {
    display.hide()
    if isCutShort { tally.note(.interrupted) }
    let waiting = run.waiting(ledger)
    let hasSeveral = ledger.over + waiting > 1
    if hasSeveral, !options.isQuiet {
      if areFailuresFarAway || failures.count > FailureList.longest {
        for line in failures.lines { display.tell(line) }
      }
      let time = ContinuousClock.now - start
      let summary = RunSummary(
        ledger: ledger, waiting: waiting, isListOpen: isCutShort && run.isListOpen,
        time: time / .seconds(1))
      display.tell(summary.line)
    }
    tellHowToGoOn(hasSeveral: hasSeveral, isCutShort: isCutShort)
    display.hide()
    return tally.status
  }

  /// After an interrupt, or a failure that left bytes: how the rest is fetched.
  private mutating func tellHowToGoOn(hasSeveral: Bool, isCutShort: Bool) {
    guard isKept || isLost || isCutShort || hasSeveral && ledger.interrupted > 0 else { return }
    let skips =
      hasSeveral && ledger.finished > 0 && options.existing == .rename && !command.has("exists")
    let startsAgain = isLost && !isKept && !hasSeveral
    var text = isKept ? "what was received is kept; " : ""
    if let line = command.line(skipping: skips) {
      text += (startsAgain ? "to start again: " : "to go on: ") + line
    } else {
      text += "the same command" + (skips ? " with --exists skip" : "")
      text += startsAgain ? " starts again" : isKept ? " goes on from there" : " goes on"
    }
    say(text + (command.readsInput ? "   (with the same list)" : ""))
  }

  /// Whoever reads the paths must not take a list that was cut off for a whole one.
  private mutating func tellPath(_ path: String) {
    // The message for people names it, too; on one terminal once is enough.
    if Terminal.isOutputToo, !options.isQuiet { return }
    if Terminal.isOutputPiped { display.makeWay() }
    if !Output.result(path) {
      tally.note(.file)
      tell("standard output cannot be written to: \(path) is there but was not told")
    }
  }

  private func proof(_ file: FinishedTransfer) -> String {
    let name = file.path.split(separator: "/").last.map(String.init)
    let isRenamed = name != file.wantedName
    return verification(file) + (isRenamed ? "; \(file.wantedName) was taken" : "")
  }

  private func verification(_ file: FinishedTransfer) -> String {
    switch file.verification {
    case .digest: ", \(file.digest.map { $0.algorithm.rawValue } ?? "digest") is right"
    case .length: ""
    case .overlap: " (joined where 64 KiB were equal)"
    case .unverified: " (the server did not say how long it is: unverified)"
    }
  }

  private func describe(_ reason: RestartReason) -> String {
    switch reason {
    case .changed: "the file changed on the server"
    case .noValidator:
      "the server gives nothing by which the parts of one version can be known; --digest or --trust-overlap lets it go on"
    case .rangeIgnored: "the server sent the whole file in place of the rest"
    case .badRange: "the server's partial answers made no sense"
    case .digestMismatch: "the digest of the parts put together was wrong"
    }
  }

  /// Tells something that a quiet run leaves out.
  private mutating func say(
    _ word: String, _ style: StyledLine.Style = .plain, _ rest: String = ""
  ) {
    guard !options.isQuiet else { return }
    if failures.count > 0 { areFailuresFarAway = true }
    tell(word, style, rest)
  }

  private mutating func tell(
    _ word: String, _ style: StyledLine.Style = .plain, _ rest: String = ""
  ) {
    var line = StyledLine(Output.harmless(word), style)
    line.add(Output.harmless(rest))
    display.tell(line)
  }
}
