import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization

/// The whole of one transfer against a hostile server and a failing disk, from a seed: runs that
/// are stopped or die, and a last one that may go to its end.
struct Simulation {
  /// What one seed comes to.
  struct Outcome {
    var problems: [String] = []
    var log: [String] = []
    var isFinished = false
    /// The most exchanges that were open at once.
    var mostExchanges = 0
    var code: TransferFailure.Code?
  }

  private let seed: UInt64
  private let random: SeededRandom
  /// The first is the one that is given; the others are mirrors.
  private let origins: [SimulatedOrigin]
  private var world: World
  private let request: TransferRequest
  private let hasWrongDigest: Bool
  private var isDiskFaulty: Bool
  private var hasDied = false
  private var outcome = Outcome()

  static func run(_ seed: UInt64) throws -> Outcome {
    var simulation = try Simulation(seed)
    simulation.runAll()
    return simulation.outcome
  }

  private init(_ seed: UInt64) throws {
    self.seed = seed
    let random = SeededRandom(seed: seed)
    self.random = random
    func happens(_ chance: Double) -> Bool { random.unit() < chance }
    func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }

    let traits = SimulatedOrigin.Traits(drawnFrom: random)
    let size = pick([0, 1, 700, 3000, 9000, 9000, happens(0.5) ? 70_000 : 700_000])
    let origin = SimulatedOrigin(seed: seed, traits: traits, size: Int64(size))
    var all = [origin]
    if happens(0.4) {
      for number in 1...pick([1, 1, 2, 3]) {
        // Most of them have the same file, though not by the same tags; some have another one by the
        // same tags.
        let mirrorSeed = seed ^ UInt64(number) << 40
        all.append(
          SimulatedOrigin(
            seed: mirrorSeed, contentSeed: happens(0.7) ? seed : mirrorSeed,
            traits: SimulatedOrigin.Traits(drawnFrom: random),
            size: Int64(happens(0.8) ? size : size / 2)))
      }
    }
    let origins = all
    self.origins = origins

    var faults = FakeStore.Faults()
    faults.slowest = pick([0.001, 0.02, 0.5])
    if happens(0.2) { faults.write = pick([0.01, 0.2]) }
    if happens(0.1) { faults.job = 0.02 }
    isDiskFaulty = faults.write > 0 || faults.job > 0
    let rate = happens(0.2) ? Int64(pick([500, 20_000])) * Int64(max(1, size / 3000)) : nil
    world = World(
      seed: seed, largestPiece: max(100, size / 20), faults: faults,
      limiter: rate.map { rate in { RateLimiter(bytesPerSecond: rate, clock: $0) } },
      places: pick([1, 3, 16])
    ) { request in
      // http://mirror1/file
      let number = request.message.url.dropFirst("http://mirror".count).prefix { $0 != "/" }
      return origins[request.message.url.hasPrefix("http://mirror") ? Int(number) ?? 0 : 0]
        .answer(request)
    }

    let digest: Digest? = happens(0.3) ? origin.versions[0].digest() : nil
    let isWrong = digest != nil && happens(0.2)
    hasWrongDigest = isWrong
    let mirrors = try (1..<max(1, origins.count)).map {
      try HTTPURL(parsing: "http://mirror\($0)/file")
    }
    request = try World.request {
      $0.mirrors = mirrors
      $0.digest = isWrong ? OriginContent(size: 3, seed: seed).digest() : digest
      $0.isStrict = happens(0.15)
      $0.trustsOverlap = happens(0.2)
      $0.retries.tries = pick([1, 3, 8])
      if happens(0.6) {
        $0.segments = SegmentPolicy(
          maximumConnections: pick([2, 4, 8]), isAdaptive: happens(0.3))
        $0.segments.minimumByteCount = Int64(pick([100, 1000, 10_000]))
      }
      $0.maximumByteCount = happens(0.1) ? Int64(size) : nil
      $0.destination.isRecorded = happens(0.3)
    }
    outcome.log.append(
      "seed \(seed): \(traits), size \(size), digest \(digest != nil), wrong \(isWrong), "
        + "strict \(request.isStrict), overlap \(request.trustsOverlap), tries "
        + "\(request.retries.tries), segments \(request.segments), \(origins.count) sources, rate \(rate ?? 0), disk \(faults)"
    )
  }

  private mutating func runAll() {
    let runs = 1 + Int(random.next() % 4)
    for run in 0..<runs {
      let isLast = run == runs - 1
      let steps = isLast ? nil : Int(random.next() % 80)
      let dies = random.unit() < 0.4
      if let result = runOnce(stopAfter: steps, dies: dies) {
        judge(result)
        if case .finished(let file) = result {
          if request.destination.isRecorded { findAgain(file) }
          break
        }
      }
      for origin in origins where random.unit() < 0.3 { origin.change() }
      if random.unit() < 0.2 {
        world.store.damage(chance: 1)
        isDiskFaulty = true
      }
    }
    let requests = origins.reduce(0) { $0 + $1.requestCount }
    if requests > (60 + 60 * runs) * origins.count { problem("asked \(requests) times") }
    let hours = world.clock.now.seconds(since: Instant(nanoseconds: 0)) / 3600
    if hours > 48 { problem("took \(hours) hours") }
    for violation in world.violations { problem(violation) }
  }

  /// The owner died before he recorded the file: it is found, and nobody is asked for it.
  private mutating func findAgain(_ file: FinishedTransfer) {
    let asked = origins.reduce(0) { $0 + $1.requestCount }
    guard let result = runOnce(stopAfter: nil, dies: false) else { return }
    if case .finished(let again) = result {
      if again.path != file.path { problem("found at \(again.path), not at \(file.path)") }
    } else if !isDiskFaulty {
      problem("not found again: \(result)")
    }
    if world.store.files.count != 1 { problem("doubled: \(world.store.files.keys)") }
    if origins.reduce(0, { $0 + $1.requestCount }) != asked { problem("asked for it once more") }
  }

  /// Every version that stood anywhere.
  private var versions: [OriginContent] { origins.flatMap(\.versions) }

  private mutating func problem(_ text: String) {
    outcome.problems.append("seed \(seed): \(text)")
  }

  /// One run; nil when it died.
  private mutating func runOnce(stopAfter steps: Int?, dies: Bool) -> TransferResult? {
    let ear = Ear()
    let transfer = Transfer(request, in: world.environment) { ear.hear($0) }
    transfer.start()
    var turns = 0
    var isOver = false
    while ear.results.isEmpty {
      if turns == steps {
        if dies {
          note(ear, "died")
          hasDied = true
          world.crash()
          return nil
        }
        transfer.stop()
      }
      turns += 1
      isOver = !world.clock.advanceToNextJob()
      outcome.mostExchanges = max(outcome.mostExchanges, world.transport.openExchanges)
      checkProgress(transfer)
      if isOver || turns > 200_000 { break }
    }
    note(ear, "ended")
    guard let result = ear.results.first else {
      problem(isOver ? "hangs: nothing is left to happen" : "goes on for ever")
      return nil
    }
    // Late completions and ticks must change nothing.
    for _ in 0..<20 { world.clock.advanceToNextJob() }
    if ear.results.count != 1 || ear.events.last != .ended(result) {
      problem("the end is not one last event: \(ear.events.suffix(3))")
    }
    if world.transport.openExchanges > 0 { problem("an exchange outlives its transfer") }
    let counts = world.environment.hosts.counts
    if counts.taken > 0 || counts.waiting > 0 { problem("it keeps places: \(counts)") }
    return result
  }

  private mutating func note(_ ear: Ear, _ what: String) {
    outcome.log += world.transport.requests.suffix(100).map {
      "  \($0.index) at \($0.time.nanoseconds / 1_000_000) ms: \($0.header("Range") ?? "whole") "
        + "if \($0.header("If-Range") ?? "-")"
    }
    outcome.log += ear.events.map { "  \($0)" } + [what]
  }

  private mutating func checkProgress(_ transfer: Transfer) {
    let progress = transfer.progress
    let longest = versions.map(\.size).max() ?? 0
    // Surplus bytes are never counted, so no version is longer than what was received.
    if progress.received < 0 || progress.received > progress.total ?? longest {
      problem("received \(progress.received) of \(progress.total ?? -1)")
    }
    if progress.resumedFrom < 0 || progress.resumedFrom > max(longest, progress.received) {
      problem("resumed from \(progress.resumedFrom)")
    }
  }

  private mutating func judge(_ result: TransferResult) {
    switch result {
    case .failed(let failure): outcome.code = failure.code
    case .stopped(let received, _):
      if received < 0 { problem("stopped at \(received)") }
      let kept = world.store.claims.values.reduce(0) { $0 + $1.byteCount }
      if kept < received, !isDiskFaulty { problem("received \(received) and kept \(kept)") }
    case .skipped: problem("skipped a file that is not there")
    case .planned: problem("planned what was to be done")
    case .finished(let file):
      outcome.isFinished = true
      if hasWrongDigest { problem("finished although the digest was wrong") }
      guard let bytes = world.store.files[file.path] else { return problem("no file") }
      let equal = versions.filter { $0.size == bytes.count && $0.bytes() == bytes }
      if equal.isEmpty { problem("a WRONG FILE of \(bytes.count) bytes was reported as right") }
      if file.byteCount != Int64(bytes.count) { problem("says \(file.byteCount) bytes") }
      if world.store.partCount > 0 { problem("left a part behind") }
      if let digest = request.digest {
        if file.verification != .digest || file.digest != digest {
          problem("was not checked by the digest that was given")
        }
        if !equal.contains(where: { $0.digest() == digest }) { problem("has another digest") }
      } else if origins.allSatisfy({ $0.traits.digest == .wrong }), !bytes.isEmpty {
        problem("finished although the server's digest was wrong")
      }
    }
    // A process that died may have published the file before. It stands there then, right, and a later
    // run that fails by something else, such as the disk, does not take it away.
    if world.store.files.count > (outcome.isFinished || hasDied ? 1 : 0) {
      problem("files \(world.store.files.keys) after \(result)")
    }
    for (path, bytes) in world.store.files where !isRight(bytes) {
      problem("a WRONG FILE stands as \(path) after \(result)")
    }
  }

  private func isRight(_ bytes: [UInt8]) -> Bool {
    guard !hasWrongDigest else { return false }
    return versions.contains { version in
      version.size == bytes.count && version.bytes() == bytes
        && (request.digest.map { version.digest() == $0 } ?? true)
    }
  }
}
