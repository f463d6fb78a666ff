import HaulTestKit
import Testing

@Suite struct ContentTests {
  @Test func `any byte of any size can be computed`() {
    let content = OriginContent(size: 40 << 30, seed: 7)
    let far: Int64 = (39 << 30) + 3
    let whole = content.bytes(in: far..<far + 1_000)
    for (start, end) in [(0, 1), (1, 9), (5, 21), (7, 8), (990, 1_000)] {
      #expect(content.bytes(in: far + Int64(start)..<far + Int64(end)) == Array(whole[start..<end]))
    }
    #expect(content.bytes(in: 3..<3).isEmpty)
    #expect(Set(whole).count > 200)
  }

  @Test func `versions differ in every byte and sizes share their beginning`() {
    let first = OriginContent(size: 10_000)
    let second = first.changed
    #expect(second.size == first.size)
    #expect(zip(first.bytes(), second.bytes()).allSatisfy { $0 != $1 })
    #expect(first.resized(to: 99).bytes() == first.bytes(in: 0..<99))
    #expect(OriginContent(text: "ab").changed.bytes() == [~0x61, ~0x62])
  }

  @Test func `a file is compared with content`() throws {
    let folder = try TemporaryFolder()
    let content = OriginContent(size: 600_001)
    let path = folder.path("file")
    try content.write(to: path)
    #expect(content.matches(path: path))
    var bytes = content.bytes()
    bytes[300_000] ^= 1
    try folder.write(bytes, to: "file")
    #expect(content.difference(path: path) == "the byte at 300000 is another")
    try content.write(to: path, range: 0..<500_000)
    #expect(content.difference(path: path) == "500000 bytes long instead of 600001")
    #expect(!content.matches(path: folder.path("none")))
  }

  @Test(arguments: [1, 258, 259, 260, 516, 517, 100_000, 5_000_000])
  func `gzip streams and bombs can be decoded`(count: Int) async throws {
    let bomb = Gzip.bomb(byteCount: count)
    let zeros = try ChildProcess("gzip", ["-dc"], input: bomb)
    #expect(await zeros.wait() == .exited(0), "\(zeros.errorText)")
    #expect(zeros.output == [UInt8](repeating: 0, count: count))
    #expect(bomb.count < count / 1_000 + 100)
    let bytes = OriginContent(size: Int64(count)).bytes()
    let stored = try ChildProcess("gzip", ["-dc"], input: Gzip.stored(bytes))
    #expect(await stored.wait() == .exited(0), "\(stored.errorText)")
    #expect(stored.output == bytes)
  }
}
