internal import HaulHTTP

/// The addresses of one file, the first one being that which was given, and what is known of each.
struct SourceList: Sendable {
  struct Source: Sendable {
    let url: HTTPURL
    /// What its answers said of the version of the file.
    var version: FileVersion?
    /// It answers requests for a part with the whole file.
    var servesNoRanges = false
    /// It has answered once.
    var hasContact = false
    /// The bytes that it sent.
    var landed = IntervalSet()
    /// Why it was given up, if it was.
    var reason: TransferFailure?
    /// It is not asked any more.
    fileprivate(set) var isOut = false
    /// It is out since it has another version than the bytes so far.
    fileprivate var disagrees = false
    /// Failures in a row.
    fileprivate(set) var failures = 0
    fileprivate var restsUntil: Instant?
  }

  /// The longest pause after a failure, in seconds.
  private static let longestRest = 60.0

  private var all: [Source]
  /// Which one is asked while there is one connection only.
  private(set) var current = 0

  /// Each address counts once.
  init(_ urls: [HTTPURL]) {
    all = []
    for url in urls { add(url) }
  }

  var count: Int { all.count }

  subscript(index: Int) -> Source {
    get { all[index] }
    set { all[index] = newValue }
  }

  mutating func add(_ url: HTTPURL) {
    guard !all.contains(where: { $0.url.requestText == url.requestText }) else { return }
    all.append(Source(url: url))
  }

  /// Notes that a source did as it should.
  mutating func noteSuccess(_ index: Int) {
    all[index].failures = 0
    all[index].restsUntil = nil
  }

  /// Notes a failed try, after which a source rests for a second, two, four and so on.
  mutating func noteFailure(_ index: Int, at now: Instant) {
    let pause = min(Self.longestRest, Double(1 << min(all[index].failures, 10)))
    all[index].failures += 1
    all[index].restsUntil = now.advanced(seconds: pause)
  }

  /// Lets a source have no further connection for a while; that is no failure.
  mutating func rest(_ index: Int, until instant: Instant) {
    all[index].restsUntil = max(instant, all[index].restsUntil ?? instant)
  }

  /// Never asks a source again.
  mutating func drop(_ index: Int) {
    all[index].isOut = true
    all[index].disagrees = false
  }

  /// Does not ask a source that has another version than the bytes so far.
  mutating func setAside(_ index: Int) {
    guard !all[index].isOut else { return }
    all[index].isOut = true
    all[index].disagrees = true
  }

  /// Takes back those that had another version: it is the bytes so far that are wrong.
  mutating func readmit() {
    for index in all.indices where all[index].disagrees {
      all[index].isOut = false
      all[index].disagrees = false
      all[index].version = nil
      all[index].reason = nil
    }
  }

  /// Goes on with the source that failed least, the earlier one of several; false when that is the same
  /// one.
  mutating func changeCurrent() -> Bool {
    let usable = all.indices.filter { !all[$0].isOut }
    guard let best = usable.min(by: { all[$0].failures < all[$1].failures }),
      all[current].isOut || all[best].failures < all[current].failures
    else { return false }
    current = best
    return true
  }

  mutating func makeCurrent(_ index: Int) { current = index }

  /// Which one would be asked after the current one; nil when there is no other.
  var next: Int? {
    all.indices.filter { $0 != current && !all[$0].isOut }
      .min { all[$0].failures < all[$1].failures }
  }

  /// Those that sent some of the bytes.
  var senders: [Int] { all.indices.filter { !all[$0].landed.isEmpty } }

  /// Forgets who sent what.
  mutating func forgetLanded() {
    for index in all.indices { all[index].landed = IntervalSet() }
  }

  /// Forgets who sent a range, and tells who did.
  mutating func blame(_ range: Range<Int64>) -> [Int] {
    all.indices.filter { index in
      let before = all[index].landed
      all[index].landed.remove(range)
      return all[index].landed != before
    }
  }

  /// Which source a further connection goes to: the one whose connections are fewest for how fast they
  /// are. `connections` has their number and the bytes a second of each, zero where that is not known.
  func best(_ connections: [(count: Int, rate: Double)], at now: Instant) -> Int? {
    let known = connections.map(\.rate).max() ?? 0
    func load(_ index: Int) -> Double {
      let (count, rate) = connections[index]
      return Double(count + 1) / max(rate > 0 ? rate : known, 1)
    }
    return all.indices
      .filter { !all[$0].isOut && !all[$0].servesNoRanges && (all[$0].restsUntil ?? now) <= now }
      .min { load($0) < load($1) }
  }
}
