internal import HaulHTTP

/// Several connections for one file. Each owns the bytes from where it is to an end. A further one asks
/// for the last bytes of another; only when its answer is there, and was judged, does the other one's
/// end move, so that a connection that never comes costs nothing.
extension TransferMachine {
  /// Bytes after which a connection was worth its request.
  private static let leastWorth: Int64 = 64 << 10
  /// Seconds before a source that refused one more connection is asked for another.
  private static let sourceRest = 5.0

  private var maySplit: Bool {
    segmenter.policy.maximumConnections > 1 && hasPart && !partJob && retryAt == nil && !isCoded
      && !isPassingOn && !onlyWhole && !mustRestart
      && rules.combining(version).isSure
  }

  /// Whether another connection fetches this file as well.
  func hasOthers(_ id: ConnectionID) -> Bool {
    connections.count > (connections[id] == nil ? 0 : 1)
  }

  /// Opens further connections, and lets those go that have nothing to do.
  mutating func advanceSegments() {
    guard maySplit, let total else { return }
    let running = connections.values.filter(\.isReceiving).count
    guard running > 0 else { return }
    segmenter.adapt(
      running: running, left: total - plan.done.byteCount, isHeldBack: moment.isHeldBack,
      at: moment.now)
    giveBack()
    if connections.count >= segmenter.wanted, segmenter.wanted > 1,
      let id = segmenter.laggard(holders(total), at: moment.now)
    {
      drop(id)
    }
    while connections.count < segmenter.wanted, let source = sourceForShare(),
      let share = nextShare(total, from: source)
    {
      send(
        Asked(start: share.range.lowerBound, end: share.range.upperBound),
        to: sources[source].url, redirects: 0, from: source, share: share)
    }
    guard nextLook.map({ $0 <= moment.now }) ?? true else { return }
    let next = segmenter.nextMoment(after: moment.now)
    nextLook = next
    actions.append(.wake(next))
  }

  /// Ends the youngest of those that turned out not to help. Others fetch what is left of theirs.
  private mutating func giveBack() {
    guard connections.count > segmenter.wanted else { return }
    let surplus = connections.values.filter { $0.share != nil }.map(\.id)
      .sorted { $0.value > $1.value }
    for id in surplus.prefix(connections.count - segmenter.wanted) { drop(id) }
  }

  private mutating func nextShare(_ total: Int64, from source: Int) -> Segmenter.Share? {
    segmenter.share(
      gap: plan.nextGap(total: total), holders: holders(total),
      from: Segmenter.Supplier(source: source, rate: measuredRate(of: source)), at: moment.now)
  }

  /// What a connection to a source brings in bytes a second; zero while that is not known.
  func measuredRate(of source: Int) -> Double {
    let rates = connections.values.filter { $0.source == source }
      .map { segmenter.measuredRate(of: $0.id, at: moment.now) }.filter { $0 > 0 }
    return rates.isEmpty ? 0 : rates.reduce(0, +) / Double(rates.count)
  }

  /// The connections that receive and whose end nobody has asked for yet, in order of their age.
  private func holders(_ total: Int64) -> [Segmenter.Holder] {
    let taken = Set(connections.values.compactMap { $0.isReceiving ? nil : $0.share?.holder })
    return connections.values.filter { $0.isReceiving && !taken.contains($0.id) }
      .sorted { $0.id.value < $1.id.value }
      .compactMap { connection in
        plan.claims[connection.id].map {
          Segmenter.Holder(
            id: connection.id, position: $0.position, end: $0.end ?? total,
            source: connection.source)
        }
      }
  }

  /// Judges the answer of a further connection while others bring bytes: what is wrong with it costs
  /// that connection only. False for one that is as it should be, or that concerns them all.
  mutating func takeSegmentHead(_ connection: Connection, _ head: ResponseHead) -> Bool {
    guard connection.share != nil, hasOthers(connection.id) else { return false }
    let now = moment.unixTime
    var wait: Int64?
    switch StatusKind(head.status) {
    case .redirect:
      let decision = Redirect.decide(
        status: head.status, location: head.fields.first("Location"), from: connection.url,
        allowsDowngrade: request.allowsDowngrade)
      if case .follow = decision, connection.redirects < request.maximumRedirects { return false }
    case .partial:
      let known = knownVersion(of: connection.source)
      let verdict = rules.judgePart(head, asked: connection.asked, stored: known, now: now)
      switch verdict {
      case .part: return false
      case .changed:
        guard mayMix else { return false }
        setAside(connection)
        return true
      default: break
      }
    case .ok:
      let verdict = try? rules.judgeWhole(head, now: now)
      if case .whole(let new, _) = verdict,
        rules.contradicts(new, knownVersion(of: connection.source))
      {
        if mayMix {
          setAside(connection)
          return true
        }
        drop(connection.id)
        noteChange()
        return true
      }
      sources[connection.source].servesNoRanges = true
    case .rangeNotSatisfiable:
      let verdict = rules.judgeUnsatisfied(
        head, asked: connection.asked, stored: knownVersion(of: connection.source), now: now)
      if case .changed = verdict { return false }
    case .retryable:
      wait = head.fields.first("Retry-After").flatMap { RetryAfter.seconds($0, now: now) }
    case .permanent where mayMix && !sharesSource(connection):
      dropSource(connection.source, statusFailure(head, by: connection))
      return true
    case .proxyAuthentication, .permanent: break
    }
    actions.append(.abandon(connection.id))
    lose(connection, pause: wait.map { min(Double($0), request.retries.maximumRetryAfter) } ?? 0)
    return true
  }

  /// Whether another connection to the same source brings bytes.
  private func sharesSource(_ connection: Connection) -> Bool {
    connections.values.contains {
      $0.id != connection.id && $0.source == connection.source && $0.isReceiving
    }
  }

  /// Goes on without a connection, while others bring bytes.
  mutating func lose(_ connection: Connection, pause: Double = 0) {
    let id = connection.id
    connections[id] = nil
    _ = plan.release(id)
    segmenter.end(id, at: moment.now)
    // One that brought bytes was not one too many.
    guard connection.landed < Self.leastWorth else { return }
    guard !mayMix else {
      if sharesSource(connection) {
        // It is one too many, and no failure.
        let rest = moment.now.advanced(seconds: max(Self.sourceRest, pause))
        sources.rest(connection.source, until: rest)
      } else {
        sources.noteFailure(connection.source, at: moment.now)
      }
      return
    }
    segmenter.noteRefusal(others: connections.count, pause: pause, at: moment.now)
    actions.append(.crowded(id, connection.url.origin))
  }

  /// Goes on with those that it has: other files have the places at the server.
  mutating func takeNoPlace(_ id: ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    _ = plan.release(id)
    segmenter.end(id, at: moment.now)
    segmenter.noteNoRoom(others: connections.count, at: moment.now)
  }

  /// Lets the bytes of a further connection in, once those who have them stop before.
  mutating func takeOver(_ id: ConnectionID, _ landing: Landing) {
    guard let holder = connections[id]?.share?.holder, plan.claims[holder] != nil else {
      return takeRest(id, landing)
    }
    connections[id]?.phase = .takingOver(landing)
    actions.append(.limit(holder, to: landing.start, for: id))
  }

  mutating func takeLimited(_ holder: ConnectionID, end: Int64, for id: ConnectionID) {
    if case .receiving(var landing) = connections[holder]?.phase, let claim = plan.claims[holder],
      end < claim.end ?? .max
    {
      landing.end = end
      // Its body goes on, and a digest of all of it says nothing of what is kept.
      landing.claims = []
      connections[holder]?.phase = .receiving(landing)
      connections[holder]?.isLimited = true
      plan.limit(holder, to: end)
      endIfLimited(holder)
    }
    guard case .active = mode, case .takingOver(let landing) = connections[id]?.phase else {
      return
    }
    takeRest(id, landing)
  }

  /// Lets in what nobody else has of an answer.
  private mutating func takeRest(_ id: ConnectionID, _ answer: Landing) {
    guard let end = answer.end,
      let free = plan.free(in: answer.start..<end, for: id)
    else { return drop(id) }
    var landing = answer
    landing.skipped += free.lowerBound - answer.start
    landing.start = free.lowerBound
    landing.end = free.upperBound
    if free.upperBound < end { connections[id]?.isLimited = true }
    connections[id]?.phase = .preparing(landing)
    accept(id)
  }

  /// Ends a connection whose body goes on behind the bytes that it still had to bring.
  mutating func endIfLimited(_ id: ConnectionID) {
    guard connections[id]?.isLimited == true, let claim = plan.claims[id], let end = claim.end,
      claim.position >= end
    else { return }
    drop(id)
  }

  /// Everything is there: nothing is awaited of those that were to fetch some of it as well.
  mutating func dropIdle() {
    for connection in connections.values where connection.share != nil && !connection.isReceiving {
      drop(connection.id)
    }
  }
}
