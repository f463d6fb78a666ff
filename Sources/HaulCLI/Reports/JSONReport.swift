import Glibc
import HaulHTTP
import HaulTransfer

/// Tells events as JSON, one object a line on standard output; failures also on standard error.
struct JSONReport: Report {
  private struct Standing {
    var received: Int64 = 0
    var measuredAt: Double?
    var rate: Double = 0
  }

  private let isQuiet: Bool
  private let tellsSegments: Bool
  private var tally = Tally()
  private var standings: [Int: Standing] = [:]
  private var lastProgress = -Double.infinity
  private var isOutputLost = false

  /// The seconds between two events of progress of one file.
  private static let progressInterval = 0.5

  init(_ options: GetOptions) {
    isQuiet = options.isQuiet
    tellsSegments = options.tellsSegments
  }

  mutating func take(_ news: FileNews) {
    switch news.kind {
    case .event(let event): take(event, news)
    case .repeated:
      if !isQuiet { Output.message("\(news.url ?? "a file") was asked for before; once is enough") }
    case .refused(let error):
      tally.fail(.usage)
      write("failed", news) { line in
        line.add("code", "usage")
        line.add("status", nil as Int64?)
        line.add("message", error.message)
        line.add("exit", Int64(ExitStatus.usage.rawValue))
      }
      Output.message(error.message)
    }
  }

  mutating func show(_ run: RunStanding, now: Double) {
    guard now - lastProgress >= Self.progressInterval else { return }
    lastProgress = now
    let tellsSegments = tellsSegments
    for file in run.running where file.progress.state == .receiving {
      let received = file.progress.received
      let rate = measure(file.file, received, now)
      write("progress", FileNews(file: file.file, url: file.url, kind: .repeated)) { line in
        line.add("received", received)
        line.add("total", file.progress.total)
        line.add("rate", rate)
        line.add("connections", Int64(file.progress.connections))
        guard tellsSegments else { return }
        line.add("segments", file.progress.segments) { segment, line in
          line.add("position", segment.position)
          line.add("end", segment.end)
          line.add("source", segment.source)
        }
      }
    }
  }

  mutating func finish(_ run: RunStanding, isCutShort: Bool) -> ExitStatus {
    if isCutShort { tally.note(.interrupted) }
    return tally.status
  }

  /// The rate in bytes a second, smoothed over about two seconds.
  private mutating func measure(_ file: Int, _ received: Int64, _ now: Double) -> Double {
    var standing = standings[file] ?? Standing(received: received)
    if let last = standing.measuredAt, now > last, received >= standing.received {
      let sample = Double(received - standing.received) / (now - last)
      let weight = min(1, (now - last) / 2)
      standing.rate =
        standing.rate == 0 ? sample : standing.rate + (sample - standing.rate) * weight
    }
    standing.received = received
    standing.measuredAt = now
    standings[file] = standing
    return standing.rate
  }

  private mutating func take(_ event: TransferEvent, _ news: FileNews) {
    switch event {
    case .asked, .answered: Exchanges.tell(event)
    case .started(let path, let total, let resumedFrom):
      write("started", news) { line in
        line.add("path", path)
        line.add("total", total)
        line.add("resumedFrom", resumedFrom)
        line.add("connections", Int64(1))
      }
    case .retrying(let failure, let delay):
      write("retrying", news) { line in
        line.add("reason", failure.code.rawValue)
        line.add("message", failure.message)
        line.add("delay", delay)
        if let tries = failure.tries {
          line.add("try", Int64(tries.made) + 1)
          line.add("tries", Int64(tries.allowed))
        }
      }
    case .restarted(let reason): write("restarted", news) { $0.add("reason", reason.rawValue) }
    case .sourceDropped(let url, let reason):
      write("source-dropped", news) { line in
        line.add("source", url)
        line.add("reason", reason.code.rawValue)
        line.add("message", reason.message)
      }
    case .damaged(let count, let reason):
      write("damaged", news) { line in
        line.add("bytes", count)
        line.add("reason", reason.rawValue)
      }
    case .verifying: break
    case .ended(let result):
      standings[news.file] = nil
      end(result, news)
    }
  }

  private mutating func end(_ result: TransferResult, _ news: FileNews) {
    switch result {
    case .finished(let file):
      tally.finish()
      write("finished", news) { line in
        line.add("path", file.path)
        line.add("bytes", file.byteCount)
        line.add("seconds", file.seconds)
        line.add("digest", file.digest.map { "\($0)" })
        line.add("verified", file.verification.rawValue)
      }
    case .planned(let plan):
      tally.finish()
      write("planned", news) { Self.fill(&$0, plan) }
    case .skipped(let path, let likeness):
      tally.finish()
      write("skipped", news) { line in
        line.add("path", path)
        line.add("by", likeness.rawValue)
      }
    case .stopped(let received, _):
      tally.fail(.interrupted)
      write("interrupted", news) { $0.add("received", received) }
    case .failed(let failure):
      let status = ExitStatus(failure.code.category)
      tally.fail(status)
      write("failed", news) { line in
        line.add("code", failure.code.rawValue)
        line.add("status", failure.status.map(Int64.init))
        line.add("message", failure.message)
        line.add("exit", Int64(status.rawValue))
      }
      Output.message("failed [\(failure.code.rawValue)]: \(failure.message)")
    }
  }

  private static func fill(_ line: inout JSONLine, _ plan: PlannedTransfer) {
    let (action, resumedFrom, reason): (String, Int64, RestartReason?) =
      switch plan.step {
      case .fetch: ("fetch", 0, nil)
      case .resume(let from): ("resume", from, nil)
      case .restart(let reason): ("restart", 0, reason)
      case .publish: ("publish", plan.total ?? 0, nil)
      }
    line.add("path", plan.path)
    line.add("total", plan.total)
    line.add("resumedFrom", resumedFrom)
    line.add("action", action)
    line.add("reason", reason?.rawValue)
    line.add("wantedName", plan.wantedName)
    line.add("type", plan.mediaType)
    line.add("finalURL", plan.finalURL)
    line.add("continuation", plan.continuation.rawValue)
    line.add("ranges", plan.acceptsRanges)
    line.add("digest", plan.digests.first.map { "\($0)" })
  }

  private static var now: String {
    var time = timespec()
    // The time is a local variable.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp.format(
      unixTime: Int64(time.tv_sec), milliseconds: Int(time.tv_nsec / 1_000_000))
  }

  /// Whoever reads the events must not take a list that was cut off for a whole one.
  private mutating func write(
    _ event: String, _ news: FileNews, _ fill: (inout JSONLine) -> Void
  ) {
    var line = JSONLine()
    line.add("event", event)
    line.add("url", news.url)
    line.add("time", Self.now)
    line.add("file", Int64(news.file))
    fill(&line)
    guard !Output.result(line.line), !isOutputLost else { return }
    isOutputLost = true
    tally.note(.file)
    Output.message("standard output cannot be written to: events are lost")
  }
}
