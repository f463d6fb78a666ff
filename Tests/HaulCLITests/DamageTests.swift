import HaulTestKit
import Testing

/// CASES R17, R21: whatever became of part and journal meanwhile, the next run makes the right file.
@Suite(.timeLimit(.minutes(1))) struct DamageTests {
  static let content = OriginContent(size: 3_400_000, seed: 41)

  /// What a first run left: nearly three blocks, of which the last is a fragment.
  struct Left: Sendable {
    var part: [UInt8]
    var journal: [UInt8]
  }

  let folder: TemporaryFolder
  let origin: HostileOrigin

  init() throws {
    folder = try TemporaryFolder()
    let resource = OriginResource(Self.content)
    origin = try HostileOrigin { request in
      request.header("X-Cut") == nil
        ? resource.respond(to: request) : resource.respond(to: request).resetting(after: 2_900_000)
    }
  }

  func leave(_ path: String = "/file") async throws -> Left {
    let outcome = try await Haul.get(
      "--tries", "1", "-H", "X-Cut: 1", origin.url(path), in: folder.path)
    #expect(outcome.exit == .exited(3), "\(outcome.error)")
    #expect(folder.names() == ["file.haul-journal", "file.haul-part"])
    return Left(
      part: try #require(folder.read("file.haul-part")),
      journal: try #require(folder.read("file.haul-journal")))
  }

  /// A fault: what it makes of part and journal; nil means that the file is gone.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    /// Whether nothing that was there can be believed, so that the whole file is asked for.
    var isTotal: Bool
    var change: @Sendable (inout [UInt8]?, inout [UInt8]?) -> Void

    var testDescription: String { name }

    static func part(
      _ name: String, isTotal: Bool = false, _ change: @escaping @Sendable (inout [UInt8]?) -> Void
    ) -> Fault {
      Fault(name: "part \(name)", isTotal: isTotal) { part, _ in change(&part) }
    }

    static func journal(
      _ name: String, isTotal: Bool = false, _ change: @escaping @Sendable (inout [UInt8]?) -> Void
    ) -> Fault {
      Fault(name: "journal \(name)", isTotal: isTotal) { _, journal in change(&journal) }
    }
  }

  static let faults: [Fault] =
    [
      .part("untouched") { _ in },
      .part("deleted", isTotal: true) { $0 = nil },
      .part("empty", isTotal: true) { $0 = [] },
      .part("zeroed", isTotal: false) { $0 = [UInt8](repeating: 0, count: $0?.count ?? 0) },
      .part("of junk and longer") { $0 = [UInt8](repeating: 0x55, count: 5_000_000) },
      .part("with more at its end") { $0? += [UInt8](repeating: 7, count: 999) },
      .journal("deleted", isTotal: true) { $0 = nil },
      .journal("empty", isTotal: true) { $0 = [] },
      .journal("zeroed", isTotal: true) { $0 = [UInt8](repeating: 0, count: $0?.count ?? 0) },
      .journal("of junk", isTotal: true) { $0 = [UInt8](repeating: 0xFF, count: $0?.count ?? 0) },
      .journal("of text", isTotal: true) { $0 = Array("hello\n".utf8) },
      .journal("with junk at its end") { $0? += [UInt8](repeating: 7, count: 99_999) },
      .journal("with both slots zeroed") { journal in
        for index in 4096..<min(135_168, journal?.count ?? 0) { journal?[index] = 0 }
      },
      .journal("with a table of zeroes") { journal in
        for index in 135_168..<max(135_168, journal?.count ?? 0) { journal?[index] = 0 }
      },
      .journal("of the next version, with a checksum that is not renewed", isTotal: true) {
        $0?[8] = 2
      },
      Fault(name: "both deleted", isTotal: true) { ($0, $1) = (nil, nil) },
      Fault(name: "both empty", isTotal: true) { ($0, $1) = ([], []) },
    ]
    + [1, 1_000_000, 1_048_576, 1_048_577, 2_097_152, 2_899_999].map { count in
      .part("cut to \(count)") { $0 = Array(($0 ?? []).prefix(count)) }
    }
    + [0, 1_048_575, 1_048_576, 2_500_000, 2_899_999].map { index in
      .part("with another byte at \(index)") { $0?[index] ^= 1 }
    }
    + [1, 4095, 4096, 4097, 4200, 69_632, 70_000, 135_168, 135_170].map { count in
      .journal("cut to \(count)") { $0 = Array(($0 ?? []).prefix(count)) }
    }
    + [0, 8, 12, 16, 40, 4095, 4096, 4100, 4110, 4130, 4200, 69_632, 135_168, 135_176].map { at in
      .journal("with another byte at \(at)") { journal in
        if at < journal?.count ?? 0 { journal?[at] ^= 0x10 }
      }
    }

  @Test(arguments: faults)
  func theNextRunMakesTheRightFile(_ fault: Fault) async throws {
    let left = try await leave()
    var (part, journal): ([UInt8]?, [UInt8]?) = (left.part, left.journal)
    fault.change(&part, &journal)
    for (name, bytes) in [("file.haul-part", part), ("file.haul-journal", journal)] {
      if let bytes {
        try folder.write(bytes, to: name)
      } else {
        try folder.remove(name)
      }
    }
    let before = origin.requests.count
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.paths == ["file"])
    #expect(folder.names() == ["file"])
    #expect(Self.content.difference(path: folder.path("file")) == nil)
    let ranges = origin.requests[before...].map { $0.header("Range") }
    if fault.isTotal { #expect(ranges == [nil]) }
    if fault.name == "part untouched" { #expect(ranges == ["bytes=2900000-"]) }
  }

  /// Part and journal of one file under the names of another.
  @Test func whatIsOfAnotherFile() async throws {
    _ = try await leave("/other/file")
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    // The other's part is left for whoever goes on with it.
    #expect(outcome.paths == ["file (1)"])
    #expect(folder.names() == ["file (1)", "file.haul-journal", "file.haul-part"])
    #expect(Self.content.matches(path: folder.path("file (1)")))
    let other = try await Haul.get(origin.url("/other/file"), in: folder.path)
    #expect(other.paths == ["file"])
    #expect(Self.content.matches(path: folder.path("file")))
    #expect(folder.names() == ["file", "file (1)"])
  }

  /// The journal of one file beside the part of another, of the same size.
  @Test func aJournalBesideAPartThatItDoesNotSpeakOf() async throws {
    let left = try await leave()
    try folder.write(Self.content.changed.bytes(in: 0..<2_900_000), to: "file.haul-part")
    #expect(folder.read("file.haul-journal") == left.journal)
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains("damaged"), "\(outcome.error)")
    #expect(folder.names() == ["file"])
    #expect(Self.content.difference(path: folder.path("file")) == nil)
  }

  /// The file was renamed by its user while the journal was left.
  @Test func aJournalWhoseTargetIsTaken() async throws {
    _ = try await leave()
    try folder.write([1, 2, 3], to: "file")
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.paths == ["file (1)"])
    #expect(folder.names() == ["file", "file (1)"])
    #expect(folder.read("file") == [1, 2, 3])
    #expect(Self.content.matches(path: folder.path("file (1)")))
  }

  @Test func thePartIsReadableAndItsJournalIsThePrivateOne() async throws {
    _ = try await leave("/file?token=hunter2")
    let list = await Outcome(
      of: try ChildProcess(
        "stat", ["-c", "%a", "file.haul-part", "file.haul-journal"], folder: folder.path))
    #expect(list.output.split(separator: "\n").last == "600")
    #expect(folder.text("file.haul-journal")?.contains("hunter2") == false)
    #expect(folder.text("file.haul-journal")?.contains("127.0.0.1") == true)
  }
}
