import HaulHTTP
import HaulTransfer

/// Tells what happens: paths on standard output, everything else on standard error.
struct GetReport {
  private let options: GetOptions
  private var failures: [ExitStatus] = []
  private var isKept = false
  private(set) var finishedCount = 0
  private var files = 0

  init(_ options: GetOptions) {
    self.options = options
  }

  mutating func takeUsageError(_ message: String) {
    failures.append(.usage)
    Output.message(message)
  }

  mutating func take(_ event: TransferEvent, job: Int) {
    switch event {
    case .started(let path, let total, let resumedFrom):
      guard Output.terminalColumns == nil || options.isVerbose else { return }
      let size = total.map { " (\(Format.size($0)))" } ?? ""
      let from = resumedFrom > 0 ? ", going on after \(Format.size(resumedFrom))" : ""
      say("fetching \(path)\(size)\(from)")
    case .retrying(let failure, let delay):
      say("\(failure.message); trying again in \(Format.seconds(delay))")
    case .restarted(let reason): say("starting again from the first byte: \(describe(reason))")
    case .damaged(let count):
      say("\(Format.size(count)) on disk were damaged and are fetched again")
    case .verifying: break
    case .ended(let result): end(result)
    }
  }

  /// Says what is left to say; the exit status of the program.
  ///
  /// `isCutShort` says that an interrupt came before every file had begun.
  mutating func finish(isCutShort: Bool) -> ExitStatus {
    if isCutShort { failures.append(.interrupted) }
    if isKept { say("what was received is kept; the same command again goes on from there") }
    if files > 1, !options.isQuiet {
      say("\(finishedCount) of \(files) files are there")
    }
    return ExitStatus.combined(failures)
  }

  private mutating func end(_ result: TransferResult) {
    files += 1
    switch result {
    case .finished(let file):
      finishedCount += 1
      Output.result(file.path)
      let time = Format.seconds(file.seconds)
      say("finished \(file.path): \(Format.size(file.byteCount)) in \(time)\(proof(file))")
    case .skipped(let path):
      finishedCount += 1
      Output.result(path)
      say("skipped \(path): it is there with the server's size and time")
    case .failed(let failure):
      failures.append(ExitStatus(failure.code.category))
      Output.message("failed [\(failure.code.rawValue)]: \(failure.message)")
    case .stopped(let received):
      failures.append(.interrupted)
      if received > 0 { isKept = true }
      say("interrupted after \(Format.size(received))")
    }
  }

  private func proof(_ file: FinishedTransfer) -> String {
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
    case .noValidator: "the server gives nothing by which the parts of one version can be known"
    case .rangeIgnored: "the server sent the whole file in place of the rest"
    case .badRange: "the server's partial answers made no sense"
    case .digestMismatch: "the digest of the parts put together was wrong"
    }
  }

  private func say(_ line: String) {
    if !options.isQuiet { Output.message(line) }
  }
}
