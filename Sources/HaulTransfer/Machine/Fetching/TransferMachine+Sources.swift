internal import HaulHTTP

/// Several sources of one file.
///
/// Bytes of two sources make up one file only where a digest of the whole, or of all pieces, will be
/// checked (I4): an equal tag of another server proves nothing. Without one, sources are fall-backs.
extension TransferMachine {
  /// Whether bytes of several sources may be combined.
  var mayMix: Bool {
    sources.count > 1 && !rules.isStrict && !rules.isPassingOn
      && (rules.hasDigest || !version.digests.isEmpty)
  }

  /// What an answer of a source is compared with.
  func knownVersion(of source: Int) -> FileVersion {
    guard sources.count > 1, mayMix else { return version }
    var known = source == versionSource ? version : sources[source].version ?? FileVersion()
    if known.validator == nil { known.validator = sources[source].version?.validator }
    known.total = version.total ?? known.total
    known.digests = version.digests
    known.isCombined = version.isCombined
    known.isJoinedByOverlap = false
    return known
  }

  /// What all bytes have in common, now that those of an answer join them.
  mutating func join(_ new: FileVersion, of source: Int, _ head: ResponseHead) {
    guard sources.count > 1, mayMix else {
      version = new
      return
    }
    var told = new
    if told.validator == nil {
      told.validator = rules.validator(head, now: moment.unixTime)
    }
    sources[source].version = told
    if source == versionSource {
      let isInDoubt = version.validator == nil
      version = new
      if isInDoubt { version.validator = nil }
      return
    }
    version.total = new.total
    version.digests = new.digests
    version.isCombined = true
    version.isJoinedByOverlap = false
    (version.validator, version.weakTag) = (nil, nil)
  }

  /// More sources that a server names (RFC 6249, section 2). They are of use only where a digest will
  /// tell whether they have the same file.
  mutating func takeLinks(
    _ head: ResponseHead, _ new: FileVersion, from url: HTTPURL, of source: Int
  ) {
    guard request.followsLinks, rules.hasDigest || !new.digests.isEmpty, !rules.isStrict,
      !rules.isPassingOn, request.segments.maximumConnections > 1
    else { return }
    // Whom a server names is not asked for more of them, or there would be no end.
    guard source < givenSources else { return }
    for link in LinkField.mirrors(in: head.fields, of: url)
    where sources.count < givenSources + Self.maximumLinks {
      guard url.scheme == "http" || link.url.scheme == "https" || request.allowsDowngrade else {
        continue
      }
      sources.add(link.url)
    }
  }

  private static let maximumLinks = 8

  /// What is stored of a version: a later run begins with the first source, and compares its answers.
  func storable(_ version: FileVersion) -> FileVersion {
    guard versionSource != 0 else { return version }
    var version = version
    (version.validator, version.weakTag) = (nil, nil)
    return version
  }

  /// Which source a further connection goes to; nil when all of them rest.
  func sourceForShare() -> Int? {
    guard sources.count > 1, mayMix else {
      return sources[sources.current].servesNoRanges ? nil : sources.current
    }
    let rates = (0..<sources.count).map { source in
      (connections.values.count { $0.source == source }, measuredRate(of: source))
    }
    return sources.best(rates, at: moment.now)
  }

  /// Asks a source no more, for a reason that is told; its connections go.
  mutating func dropSource(_ source: Int, _ reason: TransferFailure, disagrees: Bool = false) {
    guard !sources[source].isOut else { return }
    sources[source].reason = reason
    if disagrees { sources.setAside(source) } else { sources.drop(source) }
    actions.append(.emit(.sourceDropped(url: sources[source].url.redacted, reason)))
    for connection in connections.values where connection.source == source { drop(connection.id) }
    if source == sources.current { _ = sources.changeCurrent() }
  }

  /// Asks the source of a connection no more, since it has another version than the bytes so far.
  mutating func setAside(_ connection: Connection) {
    let reason = failure(.changing, "has another version of the file", by: connection)
    dropSource(connection.source, reason, disagrees: true)
  }

  /// Names the sources whose bytes made the digest wrong, now that one alone made it right.
  mutating func tellSuspects() {
    for source in suspects where source != versionSource && !sources[source].isOut {
      let what =
        "\(sources[source].url) most likely has another version of the file: "
        + "the digest was wrong with bytes of it, and is right without"
      dropSource(source, TransferFailure(code: .digestMismatch, message: what))
    }
    suspects = []
  }

  /// Goes on with another source in place of failing; false when there is none.
  mutating func takesOtherSource(after failure: TransferFailure) -> Bool {
    guard sources.count > 1, mayAskOthers(failure.code) else { return false }
    // What went out cannot be taken back, and no tag of another source continues it.
    guard !rules.isPassingOn || !partHasBytes else { return false }
    switch mode {
    case .active, .finishing: break
    case .finding, .ending, .ended: return false
    }
    // Bytes of a file that is not the right one are of no use, whoever sends the rest.
    let isSuspect = failure.code.category == .integrity && failure.code != .badRange
    let failed = sources[sources.current].url
    sources[sources.current].reason = failure
    sources.drop(sources.current)
    if isSuspect { sources.readmit() }
    guard sources.changeCurrent() else { return false }
    actions.append(.emit(.sourceDropped(url: failed.redacted, failure)))
    for id in connections.keys { drop(id) }
    begin(with: failure.code == .digestMismatch ? .digestMismatch : .otherSource)
    if isSuspect { mustRestart = partHasBytes }
    return true
  }

  /// What to add to the last failure of a file that no source brings: which others there were, and
  /// what became of them. Empty where a failure says nothing of a source.
  func otherSources(than last: Int, _ code: TransferFailure.Code) -> String {
    guard sources.count > 1, mayAskOthers(code) else { return "" }
    let failed = (0..<sources.count).filter { $0 != last }.compactMap { source in
      sources[source].reason.map { "\(sources[source].url.redacted) (\($0.brief))" }
    }
    guard !failed.isEmpty else { return "" }
    let shown = failed.prefix(Self.mostSourcesNamed).joined(separator: ", ")
    let hidden = failed.count - Self.mostSourcesNamed
    return "; before it failed " + shown + (hidden > 0 ? " and \(hidden) more" : "")
  }

  private static let mostSourcesNamed = 3

  private func mayAskOthers(_ code: TransferFailure.Code) -> Bool {
    switch code.category {
    case .network, .server, .integrity: true
    case .policy: code == .redirectRefused
    case .file, .interrupted: false
    }
  }

  /// Asks the current source as if nothing had failed yet.
  private mutating func begin(with reason: RestartReason) {
    budget = RetryBudget(request.retries)
    retryAt = nil
    onlyWhole = false
    (rangeFaults, changes, restarts, shortEnds) = (0, 0, 0, 0)
    refetchedForDigest = false
    redirectTargetWorked = false
    if partHasBytes, !mayMix {
      mustRestart = true
      restartReason = reason
    }
    mode = .active
  }

  /// Where another source is as good, it is asked at once in place of the one that failed.
  mutating func rotateSource() -> Bool {
    guard sources.count > 1, mayMix || !partHasBytes else { return false }
    sources.noteFailure(sources.current, at: moment.now)
    return sources.changeCurrent()
  }
}
