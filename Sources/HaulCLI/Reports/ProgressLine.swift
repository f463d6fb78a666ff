import HaulTransfer

/// The line that shows how far things are: one file by name, several as a sum.
struct ProgressLine {
  private var lastReceived: Int64?
  private var lastTime: Double = 0
  private var rate: Double?
  private(set) var isShown = false

  /// Makes the line for the running transfers; `now` is in seconds.
  mutating func text(
    _ running: [TransferProgress], finished: Int, now: Double, columns: Int
  ) -> String {
    let received = running.reduce(Int64(0)) { $0 &+ $1.received }
    measure(received, now)
    let totals = running.map(\.total)
    let total = totals.contains(nil) ? nil : totals.reduce(Int64(0)) { $0 &+ ($1 ?? 0) }
    var parts: [String] = []
    if running.count == 1, finished == 0 {
      parts.append(name(running[0].path))
    } else {
      parts.append("\(running.count) running, \(finished) done")
    }
    if let total {
      parts.append(Format.percentage(received, of: total))
      parts.append("\(Format.size(received)) of \(Format.size(total))")
    } else {
      parts.append(Format.size(received))
    }
    if let rate { parts.append(Format.rate(rate)) }
    if let total, let rate, rate > 0 {
      parts.append(Format.duration(Double(total - received) / rate) + " left")
    }
    if let reason = reason(running) { parts.append(reason) }
    isShown = true
    return fitted(parts, columns)
  }

  /// Leaves out whole fields until the rest fits, the name first.
  private func fitted(_ parts: [String], _ columns: Int) -> String {
    var parts = parts
    if running(parts) > columns, parts.count > 2 {
      let over = running(parts) - columns
      let name = parts[0]
      parts[0] = name.count - over >= 8 ? String(name.prefix(name.count - over - 1)) + "…" : ""
      if parts[0].isEmpty { parts.removeFirst() }
    }
    while parts.count > 1, running(parts) > columns { parts.removeLast() }
    return String(parts.joined(separator: "  ").prefix(max(0, columns)))
  }

  private func running(_ parts: [String]) -> Int {
    parts.reduce(-2) { $0 + $1.count + 2 }
  }

  mutating func clear() { isShown = false }

  /// The rate, smoothed over about two seconds.
  private mutating func measure(_ received: Int64, _ now: Double) {
    defer {
      lastReceived = received
      lastTime = now
    }
    guard let lastReceived, now > lastTime, received >= lastReceived else {
      return
    }
    let sample = Double(received - lastReceived) / (now - lastTime)
    let weight = min(1, (now - lastTime) / 2)
    rate = rate.map { $0 + (sample - $0) * weight } ?? sample
  }

  private func reason(_ running: [TransferProgress]) -> String? {
    guard running.count == 1 else { return nil }
    switch running[0].state {
    case .connecting: return "connecting"
    case .verifying: return "checking"
    case .waiting(let failure): return "trying again soon (\(failure.code.rawValue))"
    case .waitingForHost: return "waiting (the server asked for a pause)"
    case .receiving, .ended: return nil
    }
  }

  private func name(_ path: String?) -> String {
    let name = path?.split(separator: "/").last.map(String.init) ?? "…"
    guard name.count > 40 else { return name }
    return name.prefix(20) + "…" + name.suffix(19)
  }
}
