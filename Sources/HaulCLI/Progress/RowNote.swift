import HaulTransfer

/// What is said of a file while no bytes of it arrive, in several lengths, the longest first.
struct RowNote: Hashable, Sendable {
  var forms: [String]
  var style: StyledLine.Style

  /// Nil while bytes arrive; `now` is in seconds by the clock of the transfer.
  init?(_ progress: TransferProgress, now: Double) {
    let wait = progress.resumesAt.map { instant in
      max(0, instant.seconds(since: Instant(nanoseconds: 0)) - now).rounded(.up)
    }
    let seconds = Format.duration(wait ?? 0)
    switch progress.state {
    case .receiving, .ended: return nil
    case .connecting: self.init(["connecting", "conn."], .faint)
    case .verifying: self.init(["checking", "check"], .good)
    case .waiting(let failure):
      self.init(
        [
          "\(Self.reason(failure)), next try in \(seconds)",
          "\(Self.reason(failure)): \(seconds)", "next try in \(seconds)",
          "try in \(seconds)", seconds,
        ], .waiting)
    case .waitingForHost:
      self.init(
        ["the server asked for a pause: \(seconds)", "pause: \(seconds)", seconds], .waiting)
    case .waitingForPlace:
      self.init(
        ["waiting for a free connection", "waiting for others", "waits"], .waiting)
    }
  }

  private init(_ forms: [String], _ style: StyledLine.Style) {
    self.forms = forms
    self.style = style
  }

  /// The longest form that fits.
  func form(within columns: Int) -> String {
    forms.first { DisplayWidth.of($0) <= columns } ?? ""
  }

  /// The code of a failure reads as words.
  private static func reason(_ failure: TransferFailure) -> String {
    if let status = failure.status { return "status \(status)" }
    return failure.code.rawValue.split(separator: "-").joined(separator: " ")
  }
}
