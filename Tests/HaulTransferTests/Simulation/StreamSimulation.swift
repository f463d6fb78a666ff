import HaulHTTP
import HaulTestKit
import HaulTransfer

/// One transfer to a reader, against a hostile server, from a seed: what he gets is the beginning of
/// one version, and all of it when the transfer says that it finished.
struct StreamSimulation {
  private let seed: UInt64
  private let random: SeededRandom
  private let origin: SimulatedOrigin
  private var world: World
  private let stream: FakeStream
  private let request: TransferRequest
  private var outcome = Simulation.Outcome()

  static func run(_ seed: UInt64) throws -> Simulation.Outcome {
    var simulation = try StreamSimulation(seed)
    simulation.runToItsEnd()
    return simulation.outcome
  }

  private init(_ seed: UInt64) throws {
    self.seed = seed
    let random = SeededRandom(seed: seed)
    self.random = random
    let traits = SimulatedOrigin.Traits(drawnFrom: random)
    let size = random.pick([0, 1, 700, 3000, 9000, random.happens(0.5) ? 70_000 : 700_000])
    let origin = SimulatedOrigin(seed: seed, traits: traits, size: Int64(size))
    self.origin = origin
    var reader = FakeStream.Reader()
    reader.slowest = random.pick([0.001, 0.02, 3])
    if random.happens(0.15) { reader.stallsAfter = random.below(size + 1) }
    if random.happens(0.15) { reader.leavesAfter = random.below(size + 1) }
    world = World(seed: seed, largestPiece: max(100, size / 20)) { origin.answer($0) }
    stream = FakeStream(
      clock: world.clock, random: SeededRandom(seed: seed &+ 4), reader: reader)
    world.keep(in: stream)
    let digest = random.happens(0.2) ? origin.versions[0].digest() : nil
    request = try World.request {
      $0.digest = digest
      $0.isStrict = random.happens(0.15)
      $0.trustsOverlap = random.happens(0.2)
      $0.retries.tries = random.pick([1, 3, 8])
      $0.maximumByteCount = random.happens(0.1) ? Int64(size) : nil
    }
    outcome.log.append(
      "seed \(seed): \(traits), size \(size), digest \(digest != nil), \(reader), "
        + "strict \(request.isStrict), overlap \(request.trustsOverlap), tries "
        + "\(request.retries.tries)")
  }

  private mutating func problem(_ text: String) {
    outcome.problems.append("seed \(seed): \(text)")
  }

  private mutating func runToItsEnd() {
    let ear = Ear()
    let transfer = Transfer(request, in: world.environment) { ear.hear($0) }
    let stop = random.happens(0.3) ? random.below(80) : nil
    transfer.start()
    var turns = 0
    while ear.results.isEmpty, turns < 200_000 {
      // Who waits for a reader that has stalled is interrupted.
      if turns == stop || !world.clock.advanceToNextJob() || isStalled(turns) { transfer.stop() }
      turns += 1
    }
    outcome.log += world.transport.requests.suffix(100).map {
      "  \($0.index) at \($0.time.nanoseconds / 1_000_000) ms: \($0.header("Range") ?? "whole")"
    }
    outcome.log += ear.events.map { "  \($0)" }
    guard let result = ear.results.first else { return problem("goes on for ever") }
    for _ in 0..<20 { world.clock.advanceToNextJob() }
    if ear.results.count != 1 || ear.events.last != .ended(result) {
      problem("the end is not one last event")
    }
    if world.transport.openExchanges > 0 { problem("an exchange outlives its transfer") }
    if !ear.restarts.isEmpty { problem("restarted") }
    for violation in world.violations + stream.violations { problem(violation) }
    judge(result)
  }

  /// Its ticks go on for as long as a transfer waits for its reader.
  private func isStalled(_ turns: Int) -> Bool {
    stream.reader.stallsAfter.map { stream.passedOn.count >= $0 } == true && turns % 500 == 499
  }

  private mutating func judge(_ result: TransferResult) {
    let bytes = stream.passedOn
    let possible = origin.versions.filter { bytes == Array($0.bytes().prefix(bytes.count)) }
    if possible.isEmpty { problem("a MIXTURE of \(bytes.count) bytes was passed on") }
    switch result {
    case .skipped: problem("skipped what is never there")
    case .planned: problem("planned what was to be done")
    case .stopped(let count, _):
      if count != Int64(bytes.count) { problem("says \(count) and passed on \(bytes.count)") }
    case .failed(let failure):
      outcome.code = failure.code
      if !bytes.isEmpty, !failure.message.contains(" \(bytes.count) bytes") {
        problem("passed on \(bytes.count), but says: \(failure.message)")
      }
      if let limit = request.maximumByteCount, Int64(bytes.count) > limit + 1 {
        problem("passed on \(bytes.count) where \(limit) were allowed")
      }
    case .finished(let file):
      outcome.isFinished = true
      if !possible.contains(where: { $0.size == bytes.count }) {
        problem("a WRONG FILE of \(bytes.count) bytes was reported as right")
      }
      if file.byteCount != Int64(bytes.count) { problem("says \(file.byteCount) bytes") }
      if let digest = request.digest, !possible.contains(where: { $0.digest() == digest }) {
        problem("has another digest")
      }
      if request.digest == nil, origin.traits.digest == .wrong, !bytes.isEmpty {
        problem("finished although the server's digest was wrong")
      }
    }
  }
}
