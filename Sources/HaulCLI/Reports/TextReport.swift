import HaulHTTP
import HaulTransfer

/// Tells what happens in words: paths on standard output, everything else on standard error.
struct TextReport: Report {
  private let options: GetOptions
  /// Whether standard output is the terminal on standard error.
  private let isOutputTerminal = Terminal.isOutputToo
  private let isOutputPiped = Terminal.isOutputPiped
  private let start = ContinuousClock.now
  private var tally = Tally()
  private var ledger = RunLedger()
  private var wantedNames = WantedNames()
  private var failures = FailureList()
  private var goingOn: GoingOn
  private var display: ProgressDisplay
  /// What each running file is called, for messages.
  private var names: [Int: String] = [:]
  /// The lines that were told after a failure: it may be out of sight.
  private var linesAfterFailures = 0
  /// The count of tries that was told last of each running file.
  private var tries: [Int: Int] = [:]
  private var isOutputLost = false

  init(_ options: GetOptions, _ command: RepeatCommand, _ terminal: Terminal = .current) {
    self.options = options
    goingOn = GoingOn(command, mayAddSkip: options.existing == .rename)
    display = ProgressDisplay(options, terminal)
  }

  /// Whether lines are drawn that change.
  var drawsBars: Bool { display.drawsBars }

  mutating func take(_ news: FileNews) {
    ledger.take(news)
    switch news.kind {
    case .event(let event): take(event, news)
    case .refused(let error):
      tally.fail(.usage)
      failures.add("usage", error.message)
      tell(error.message)
    case .repeated: say("\(news.url ?? "a file") was asked for before; once is enough")
    }
  }

  mutating func show(_ run: RunStanding, now: Double) {
    ledger.look(run.running)
    display.show(run, ledger, now: now)
  }

  mutating func hide() { display.hide() }

  private mutating func take(_ event: TransferEvent, _ news: FileNews) {
    let job = news.file
    switch event {
    case .asked, .answered: for line in Exchanges.lines(event) { tell(line) }
    case .started(let path, let total, let resumedFrom):
      names[job] = ShownPath.text(path)
      sayStarted(ShownPath.text(path), total, resumedFrom)
    case .retrying(let failure, let delay):
      // Another source is asked at once.
      guard let tries = failure.tries else { return say(failure.message) }
      let next = next(job, tries)
      say("\(failure.message); \(next) in \(Format.seconds(delay))")
    case .restarted(let reason):
      display.restart(job)
      say("\(name(news))starting again from the first byte: \(reason.sentence)")
    case .sourceDropped(let url, let reason):
      say("\(name(news))\(url) is not asked any more: \(reason.message)")
    case .damaged(let count, let reason):
      display.restart(job)
      say("\(name(news))\(Format.size(count)) \(reason.sentence) and are fetched again")
    case .verifying: break
    case .ended(let result): end(result, news)
    }
  }

  private mutating func sayStarted(_ path: String, _ total: Int64?, _ resumedFrom: Int64) {
    guard !options.isQuiet else { return }
    guard !display.drawsBars else {
      // Its bar shows the rest.
      if resumedFrom > 0 { say("going on with \(path) after \(Format.size(resumedFrom))") }
      return
    }
    let size = total.map { " (\(Format.size($0)))" } ?? ""
    let from = resumedFrom > 0 ? ", going on after \(Format.size(resumedFrom))" : ""
    say("fetching \(path)\(size)\(from)" + (options.isStreaming ? " to standard output" : ""))
  }

  /// The beginning of a message about a file.
  private func name(_ news: FileNews) -> String {
    (names[news.file] ?? news.url).map { $0 + ": " } ?? ""
  }

  private mutating func next(_ job: Int, _ tries: TransferFailure.Tries) -> String {
    let earlier = self.tries.updateValue(tries.made, forKey: job)
    let isNewCount = earlier.map { tries.made <= $0 } ?? false
    return (isNewCount ? "it got further: again try " : "try ")
      + "\(tries.made + 1) of \(tries.allowed)"
  }

  /// So many lines later a failure is still in sight.
  private static let nearLines = 5

  mutating func finish(_ run: RunStanding, isCutShort: Bool) -> ExitStatus {
    display.hide()
    if isCutShort { tally.note(.interrupted) }
    let waiting = run.waiting(ledger)
    let hasSeveral = ledger.over + waiting > 1
    if hasSeveral, !options.isQuiet {
      if linesAfterFailures > Self.nearLines || failures.count > FailureList.longest {
        for line in failures.lines { display.tell(line) }
      }
      let summary = RunSummary(
        ledger: ledger, waiting: waiting, isListOpen: isCutShort && run.isListOpen,
        isDryRun: options.isDryRun, time: (ContinuousClock.now - start) / .seconds(1))
      display.tell(summary.line)
    }
    let isInterrupted = isCutShort || hasSeveral && ledger.interrupted > 0
    if let text = goingOn.text(
      isInterrupted: isInterrupted, hasSeveral: hasSeveral, hasFinished: ledger.finished > 0,
      areNamesDistinct: wantedNames.areDistinct(options))
    {
      say(text)
    }
    display.hide()
    return tally.status
  }

  private mutating func end(_ result: TransferResult, _ news: FileNews) {
    let name = names.removeValue(forKey: news.file) ?? news.url
    tries[news.file] = nil
    switch result {
    case .finished(let file):
      tally.finish()
      wantedNames.note(file, news)
      let path = ShownPath.text(file.path)
      tellPath(path)
      if !options.isQuiet {
        let time = Format.elapsed(file.seconds)
        say(
          "finished", .good,
          " \(NameText.path(file, news.url)): \(Format.size(file.byteCount)) in \(time)"
            + Proof.text(file, news.digestSource, options.existing)
            + NameText.change(file, news.url))
      } else if file.verification == .unverified {
        tell("\(path) is unverified: the server did not say how long it is")
      }
    case .planned(let plan):
      tally.finish()
      let url = news.url ?? ""
      say(
        options.isStreaming
          ? PlanText.streamed(plan, url: url, isChecked: options.hasDigest)
          : PlanText.line(plan, url: url, options.existing))
    case .skipped(let path, let likeness) where options.isDryRun:
      tally.finish()
      say("would skip \(ShownPath.text(path)): \(likeness.sentence)")
    case .skipped(let path, let likeness):
      tally.finish()
      let path = ShownPath.text(path)
      tellPath(path)
      say("skipped \(path): \(likeness.sentence)")
    case .failed(let failure):
      tally.fail(ExitStatus(failure.code.category))
      failures.add(failure.code.rawValue, failure.message)
      // What was passed on is not kept anywhere.
      if !options.isStreaming { goingOn.note(failure) }
      tell("failed", .bad, " [\(failure.code.rawValue)]: \(failure.message)")
    case .stopped(let received, let isResumable):
      tally.fail(.interrupted)
      sayInterrupted(name, received, isResumable)
    }
  }

  private mutating func sayInterrupted(_ name: String?, _ received: Int64, _ isResumable: Bool) {
    let start = "interrupted \(name.map { "\($0) " } ?? "")after "
    guard !options.isStreaming else {
      return say("\(start)\(received) bytes; this cannot be continued, with -o FILE it could")
    }
    goingOn.noteStop(received: received, isResumable: isResumable)
    let isLost = received > 0 && !isResumable
    say(
      start + Format.size(received) + (isLost ? "; the server gives nothing to resume it by" : ""))
  }

  /// Whoever reads the paths must not take a list that was cut off for a whole one.
  private mutating func tellPath(_ path: String) {
    // To standard output went the file itself, or the message for people goes there, too: once is
    // enough.
    if options.isStreaming || isOutputTerminal && !options.isQuiet { return }
    if isOutputPiped { display.makeWay() }
    guard !Output.result(path), !isOutputLost else { return }
    isOutputLost = true
    tally.note(.file)
    tell(
      "standard output cannot be written to: \(path) is there but was not told, nor is what follows"
    )
  }

  /// Tells something that a quiet run leaves out.
  private mutating func say(
    _ word: String, _ style: StyledLine.Style = .plain, _ rest: String = ""
  ) {
    guard !options.isQuiet else { return }
    if failures.count > 0 { linesAfterFailures += 1 }
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
