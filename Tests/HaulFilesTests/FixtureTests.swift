import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// Opens a part and a journal that are checked in, so that the format cannot drift unnoticed.
///
/// After a deliberate change of the format, with a new version number, `HAUL_WRITE_FIXTURES=1`
/// writes them anew.
@Suite struct FixtureTests {
  static let folder =
    #filePath.split(separator: "/").dropLast()
    .reduce("") { $0 + "/" + $1 } + "/Fixtures"
  static let fixtureVersion = FileVersion(
    total: 1 << 20 | 3000, validator: .entityTag("\"fixture\""), lastModified: 1_700_000_000,
    digests: [Digest(algorithm: .sha1, bytes: Array(1...20))].compactMap(\.self),
    isCombined: true)
  // Long runs of equal bytes, which the repository compresses.
  let bytes = [UInt8](repeating: 0x5A, count: 1 << 20) + content(3000)

  /// Writes the life that the fixtures are of.
  private func write(_ disk: SimulatedDisk) throws {
    let bench = Bench(disk, folder: "/d")
    let part = try bench.make("fixture.bin", Self.fixtureVersion)
    try part.write(bytes[..<(1 << 20 | 1000)], at: 0)
    try part.checkpoint(Self.fixtureVersion)
    try part.write(bytes[(1 << 20 | 2000)...], at: 1 << 20 | 2000)
    try part.checkpoint(Self.fixtureVersion)
    part.close(.keep)
  }

  @Test func theJournalIsWrittenByteForByteAsBefore() throws {
    let disk = SimulatedDisk()
    try write(disk)
    let journal = try #require(disk.content("fixture.bin.haul-journal", in: "/d"))
    if unsafe getenv("HAUL_WRITE_FIXTURES") != nil {
      let folder = try PosixDisk().openFolder(Self.folder, create: true)
      try folder.remove("fixture.haul-journal")
      try folder.open("fixture.haul-journal", .createNew(permissions: 0o644)).write(journal, at: 0)
    }
    let isSame = same(try fixture(), journal[...])
    #expect(isSame)
  }

  @Test func anOldJournalIsUnderstood() throws {
    let disk = SimulatedDisk()
    disk.put(bytes, as: "fixture.bin.haul-part", in: "/d")
    disk.put(try fixture(), as: "fixture.bin.haul-journal", in: "/d")
    let part = try Bench(disk, folder: "/d").resume()
    #expect(part.version == Self.fixtureVersion)
    #expect(
      part.stored
        == IntervalSet([0..<(1 << 20 | 1000), (1 << 20 | 2000)..<Int64(bytes.count)]))
    #expect(try part.verifyStored().isEmpty)
    #expect(part.header.requestedName == "fixture.bin")
    #expect(part.header.redactedURL == "https://example.org/file.bin")
  }

  private func fixture() throws -> [UInt8] {
    let folder = try PosixDisk().openFolder(Self.folder, create: false)
    let file = try folder.open("fixture.haul-journal", .read)
    return try file.bytes(at: 0, count: Int(try file.status().byteCount))
  }
}
