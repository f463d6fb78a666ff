import HaulHTTP
import HaulTransfer

/// Tells what happens in words: paths on standard output, everything else on standard error.
struct TextReport: Report {
  private let options: GetOptions
  private var tally = Tally()
  private var isKept = false
  /// What each running file is called, for messages.
  private var names: [Int: String] = [:]
  private var line = ProgressLine()

  init(_ options: GetOptions) {
    self.options = options
  }

  mutating func take(_ news: FileNews) {
    erase()
    switch news.kind {
    case .event(let event): take(event, news)
    case .refused(let error):
      tally.fail(.usage)
      Output.message(error.message)
    case .repeated: say("\(news.url ?? "a file") is in the list again; once is enough")
    }
  }

  mutating func show(_ running: [RunningFile], now: Double) {
    guard !options.isQuiet, let columns = Output.terminalColumns, !running.isEmpty else { return }
    // The line would be in the middle of what is read there.
    guard !options.isStreaming || !Output.isTerminal(1) else { return }
    let text = line.text(
      running.map(\.progress), finished: tally.finished, now: now, columns: columns - 2)
    Output.write("\r" + text + "\u{1B}[K", to: 2)
  }

  private mutating func erase() {
    guard line.isShown else { return }
    Output.write("\r\u{1B}[K", to: 2)
    line.clear()
  }

  private mutating func take(_ event: TransferEvent, _ news: FileNews) {
    let job = news.file
    switch event {
    case .asked, .answered: Exchanges.tell(event)
    case .started(let path, let total, let resumedFrom):
      names[job] = path
      guard Output.terminalColumns == nil else { return }
      let size = total.map { " (\(Format.size($0)))" } ?? ""
      let from = resumedFrom > 0 ? ", going on after \(Format.size(resumedFrom))" : ""
      say("fetching \(path)\(size)\(from)" + (options.isStreaming ? " to standard output" : ""))
    case .retrying(let failure, let delay):
      say("\(failure.message); \(next(failure.tries)) in \(Format.seconds(delay))")
    case .restarted(let reason): say("starting again from the first byte: \(reason.sentence)")
    case .damaged(let count):
      say("\(Format.size(count)) on disk were damaged and are fetched again")
    case .verifying: break
    case .ended(let result): end(result, news)
    }
  }

  private func next(_ tries: TransferFailure.Tries?) -> String {
    tries.map { "try \($0.made + 1) of \($0.allowed)" } ?? "trying again"
  }

  mutating func finish(isCutShort: Bool) -> ExitStatus {
    erase()
    if isCutShort { tally.note(.interrupted) }
    if isKept {
      let command = tally.finished > 0 ? "the same command with --exists skip" : "the same command"
      say("what was received is kept; \(command) goes on from there, where the server lets it")
    }
    if tally.files > 1 {
      let state = options.isDryRun ? "would be there" : "are there"
      say("\(tally.finished) of \(tally.files) files \(state)")
    }
    return tally.status
  }

  private mutating func end(_ result: TransferResult, _ news: FileNews) {
    let name = names.removeValue(forKey: news.file)
    switch result {
    case .finished(let file):
      tally.finish()
      tellPath(file.path)
      let time = Format.seconds(file.seconds)
      say("finished \(file.path): \(Format.size(file.byteCount)) in \(time)\(proof(file, news))")
      if file.verification == .unverified, options.isQuiet {
        Output.message("\(file.path) is unverified: the server did not say how long it is")
      }
    case .planned(let plan):
      tally.finish()
      let url = news.url ?? ""
      say(
        options.isStreaming
          ? PlanText.streamed(plan, url: url, isChecked: options.hasDigest)
          : PlanText.line(plan, url: url, options.existing))
    case .skipped(let path) where options.isDryRun:
      tally.finish()
      say("would skip \(path): the same file is there")
    case .skipped(let path):
      tally.finish()
      tellPath(path)
      say("skipped \(path): the same file is there")
    case .failed(let failure):
      tally.fail(ExitStatus(failure.code.category))
      Output.message("failed [\(failure.code.rawValue)]: \(failure.message)")
    case .stopped(let received):
      tally.fail(.interrupted)
      if options.isStreaming { return sayInterrupted(name, received) }
      if received > 0 { isKept = true }
      say("interrupted \(name.map { "\($0) " } ?? "")after \(Format.size(received))")
    }
  }

  private func sayInterrupted(_ name: String?, _ received: Int64) {
    say(
      "interrupted \(name.map { "\($0) " } ?? "")after \(received) bytes; this cannot be continued, "
        + "with -o FILE it could")
  }

  /// Whoever reads the paths must not take a list that was cut off for a whole one.
  private mutating func tellPath(_ path: String) {
    // There the file itself went.
    guard !options.isStreaming else { return }
    if !Output.result(path) {
      tally.note(.file)
      Output.message("standard output cannot be written to: \(path) is there but was not told")
    }
  }

  private func proof(_ file: FinishedTransfer, _ news: FileNews) -> String {
    let name = file.path.split(separator: "/").last.map(String.init)
    let isRenamed = name != file.wantedName
    return verification(file, news) + (isRenamed ? "; \(file.wantedName) was taken" : "")
  }

  private func verification(_ file: FinishedTransfer, _ news: FileNews) -> String {
    switch file.verification {
    case .digest:
      ", \(file.digest.map { $0.algorithm.rawValue } ?? "digest")"
        + (news.digestSource.map { " from \($0)" } ?? "") + " is right"
    case .length: ""
    case .overlap: " (joined where 64 KiB were equal)"
    case .unverified: " (the server did not say how long it is: unverified)"
    }
  }

  private func say(_ line: String) {
    if !options.isQuiet { Output.message(line) }
  }
}

extension RestartReason {
  /// Why, in words.
  var sentence: String {
    switch self {
    case .changed: "the file changed on the server"
    case .noValidator:
      "the server gives nothing by which the parts of one version can be known; --digest or --trust-overlap lets it go on"
    case .rangeIgnored: "the server sent the whole file in place of the rest"
    case .badRange: "the server's partial answers made no sense"
    case .digestMismatch: "the digest of the parts put together was wrong"
    }
  }
}
