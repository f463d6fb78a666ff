import HaulTestKit
import Testing

/// Bytes of an earlier run that cannot be gone on from. The user heard nothing of it, and wondered at a
/// file that began again.
@Suite(.timeLimit(.minutes(1))) struct LossTests {
  private static let content = OriginContent(size: 3_000_000, seed: 43)

  struct Fault: Sendable, CustomTestStringConvertible {
    var reason: String
    var sentence: String
    /// The journal after the fault, or nil when it is gone.
    var change: @Sendable ([UInt8]) -> [UInt8]?

    var testDescription: String { reason }
  }

  static let faults = [
    Fault(reason: "journal-missing", sentence: "a part without the journal") { _ in nil },
    Fault(reason: "journal-damaged", sentence: "whose journal is damaged") {
      Array($0.prefix(100))
    },
  ]

  /// A part and its journal with a fault, and the server of the whole file.
  private func leave(_ fault: Fault, in folder: TemporaryFolder) async throws -> HostileOrigin {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { request in
      let response = resource.respond(to: request)
      return request.header("X-Cut") == nil ? response : response.resetting(after: 2_000_000)
    }
    let outcome = try await Haul.get(
      "--tries", "1", "-H", "X-Cut: 1", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(3))
    let journal = fault.change(try #require(folder.read("file.haul-journal")))
    try folder.remove("file.haul-journal")
    if let journal { try folder.write(journal, to: "file.haul-journal") }
    return origin
  }

  @Test(arguments: faults) func itIsToldWhyTheFileBeginsAgain(_ fault: Fault) async throws {
    let folder = try TemporaryFolder()
    let origin = try await leave(fault, in: folder)
    let plan = try await Haul.get("--dry-run", origin.url("/file"), in: folder.path)
    #expect(plan.error.contains("from the first byte"), "\(plan.error)")
    #expect(plan.error.contains(fault.sentence), "\(plan.error)")
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains("starting again from the first byte: "), "\(outcome.error)")
    #expect(outcome.error.contains(fault.sentence), "\(outcome.error)")
    #expect(folder.names() == ["file"])
    #expect(Self.content.matches(path: folder.path("file")))
  }

  @Test(arguments: faults) func programsHearTheReason(_ fault: Fault) async throws {
    let folder = try TemporaryFolder()
    let origin = try await leave(fault, in: folder)
    let outcome = try await Haul.get("--json", origin.url("/file"), in: folder.path)
    let events = try await Events(outcome.output)
    #expect(events.names == ["restarted", "started", "finished"])
    #expect(events.first("restarted")["reason"] as? String == fault.reason)
  }
}
