import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

@Suite struct TransferBufferTests {
  private func fill(_ buffer: TransferBuffer, _ bytes: [UInt8]) -> Int {
    // The array lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe buffer.fill(from: $0.bytes) }
  }

  private func content(_ buffer: TransferBuffer) -> [UInt8] {
    // The bytes are copied inside the call.
    unsafe buffer.withBytes { unsafe [UInt8]($0) }
  }

  @Test func takesWhatFitsInOrder() {
    let buffer = TransferBuffer()
    buffer.reset(limit: 5)
    #expect(fill(buffer, [1, 2, 3]) == 3)
    #expect(!buffer.isFull)
    #expect(fill(buffer, [4, 5, 6, 7]) == 2)
    #expect(buffer.isFull)
    #expect(fill(buffer, [8]) == 0)
    #expect(fill(buffer, []) == 0)
    #expect(content(buffer) == [1, 2, 3, 4, 5])
  }

  @Test func resetEmptiesIt() {
    let buffer = TransferBuffer()
    #expect(fill(buffer, [UInt8](repeating: 7, count: 300_000)) == TransferBuffer.capacity)
    buffer.reset(limit: 2)
    #expect(buffer.count == 0 && content(buffer) == [])
    #expect(fill(buffer, [1, 2, 3]) == 2)
    buffer.reset()
    #expect(buffer.limit == TransferBuffer.capacity)
  }

  @Test func aProducerSeesOnlyTheFreeSpace() {
    let buffer = TransferBuffer()
    buffer.reset(limit: 4)
    _ = fill(buffer, [9])
    let written = unsafe buffer.fill { free in
      let count = free.count
      #expect(count == 3)
      // The first of three free bytes is written.
      unsafe free[0] = 8
      return 1
    }
    #expect(written == 1)
    #expect(content(buffer) == [9, 8])
  }
}

@Suite struct BufferPoolTests {
  @Test func lendsOneBufferToOneBorrower() {
    let pool = BufferPool(keeping: 2)
    let buffers = (0..<5).map { _ in pool.lend(limit: 10) }
    #expect(Set(buffers.map(ObjectIdentifier.init)).count == 5)
    for buffer in buffers { pool.takeBack(buffer) }
    let again = (0..<5).map { _ in pool.lend(limit: 20) }
    #expect(Set(again.map(ObjectIdentifier.init)).count == 5)
    #expect(again.allSatisfy { $0.count == 0 && $0.limit == 20 })
    // Two were kept, the rest went.
    let old = Set(buffers.map(ObjectIdentifier.init))
    #expect(again.prefix(2).allSatisfy { old.contains(ObjectIdentifier($0)) })
  }

  @Test func keepsNothingIfToldSo() {
    let pool = BufferPool(keeping: 0)
    let buffer = pool.lend(limit: 1)
    pool.takeBack(buffer)
    #expect(pool.lend(limit: 1) !== buffer)
  }
}

@Suite struct HostGateTests {
  private func origin(_ url: String) throws -> Origin { try HTTPURL(parsing: url).origin }
  private func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: 0).advanced(seconds: seconds)
  }

  @Test func closesOneServerUntilItsMoment() throws {
    let gate = HostGate()
    let one = try origin("https://one.example/a")
    #expect(gate.closedUntil(one, now: at(0)) == nil)
    gate.close(one, until: at(10))
    #expect(gate.closedUntil(try origin("https://one.example/b?c"), now: at(1)) == at(10))
    #expect(gate.closedUntil(try origin("https://two.example/"), now: at(1)) == nil)
    #expect(gate.closedUntil(try origin("http://one.example/"), now: at(1)) == nil)
    #expect(gate.closedUntil(one, now: at(10)) == nil)
    #expect(gate.closedUntil(one, now: at(1)) == nil)
  }

  @Test func theLaterMomentStays() throws {
    let gate = HostGate()
    let one = try origin("https://one.example/a")
    gate.close(one, until: at(10))
    gate.close(one, until: at(5))
    #expect(gate.closedUntil(one, now: at(6)) == at(10))
    gate.close(one, until: at(20))
    #expect(gate.closedUntil(one, now: at(15)) == at(20))
  }
}
