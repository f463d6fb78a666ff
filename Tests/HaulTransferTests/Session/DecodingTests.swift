import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// Makes out of each byte a thousand, and notes how many it made at each moment.
private final class Thousandfold: BodyDecoder {
  static let factor = 1000

  private struct State {
    var waiting: [UInt8] = []
    /// How often the first waiting byte was written out.
    var repeated = 0
    var madeAt: [Instant: Int] = [:]
  }

  private let clock: VirtualClock
  private let state = Mutex(State())

  init(_ clock: VirtualClock) {
    self.clock = clock
  }

  /// The most bytes that were made at one moment.
  var mostAtOnce: Int { state.withLock { $0.madeAt.values.max() ?? 0 } }

  func feed(_ bytes: RawSpan) {
    // The span lives through the call, and the bytes are copied.
    let new = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    state.withLock { $0.waiting += new }
  }

  func decode(into buffer: TransferBuffer) throws(BodyDecodingFailure) -> Bool {
    state.withLock { state in
      var used = 0
      let made = unsafe buffer.fill { free in
        var made = 0
        while made < free.count, used < state.waiting.count {
          let count = min(free.count - made, Self.factor - state.repeated)
          // `count` bytes from `made` on lie in the free space by the minimum above.
          for index in made..<made + count { unsafe free[index] = state.waiting[used] }
          made += count
          state.repeated += count
          guard state.repeated == Self.factor else { break }
          state.repeated = 0
          used += 1
        }
        return made
      }
      state.waiting.removeFirst(used)
      state.madeAt[clock.now, default: 0] += made
      return buffer.isFull
    }
  }

  var isComplete: Bool { state.withLock { $0.waiting.isEmpty } }
  func digests() -> [Digest] { [] }
}

private struct OneDecoder: BodyDecoders {
  let decoder: Thousandfold

  func makeDecoder(
    _ coding: ContentCoding, digests: Set<DigestAlgorithm>
  ) -> (any BodyDecoder)? { decoder }
}

/// Coded answers on their way through the shell.
@Suite struct DecodingTests {
  /// Only the start of a chunk waited for the disk. One chunk of 256 KiB became 256 MiB of waiting
  /// buffers where the disk was slow, and each file at once took as much.
  @Test(arguments: [1, 900, 40_000])
  func contentThatGrowsWaitsForTheDisk(_ largestPiece: Int) throws {
    let coded = OriginContent(size: 3000, seed: 8).bytes()
    for seed in 0..<2 as Range<UInt64> {
      var faults = FakeStore.Faults()
      faults.slowest = 5
      var world = World(seed: seed, largestPiece: largestPiece, faults: faults) { _ in
        FakeAnswer(200, [("Content-Encoding", "gzip")], body: coded)
      }
      let decoder = Thousandfold(world.clock)
      world.decode(by: OneDecoder(decoder: decoder))
      let ear = world.run(try World.request())
      #expect(ear.results.first?.finished?.byteCount == 3_000_000)
      let file = coded.flatMap { [UInt8](repeating: $0, count: Thousandfold.factor) }
      #expect(world.store.files == ["/d/file": file], "seed \(seed)")
      #expect(world.store.partCount == 0)
      #expect(world.violations == [])
      // A connection that is alone has four buffers on their way to the disk.
      let allowed = (4 + 1) * TransferBuffer.capacity
      #expect(decoder.mostAtOnce <= allowed)
    }
  }
}
