import Foundation
import HaulFiles
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// What most cases of the network need: a folder, some content, and the checks of an outcome.
struct Bench {
  let folder: Folder
  let content: OriginContent
  let resource: OriginResource

  init(size: Int64 = 900_000, seed: UInt64 = 11) throws {
    // OpenSSL writes to sockets that the other side has closed; the program ignores the signal, too.
    signal(SIGPIPE, SIG_IGN)
    folder = try Folder()
    content = OriginContent(size: size, seed: seed)
    resource = OriginResource(content)
  }

  func fetch(
    _ url: String, named name: String? = "file", in environment: TransferEnvironment = world(),
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> Fetch {
    try Fetch(url, into: folder.path, named: name, in: environment, change)
  }

  /// The file stands there alone, whole.
  func expectRight(
    _ result: TransferResult, _ expected: OriginContent? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.finished?.path == folder.file("file"), sourceLocation: location)
    let content = expected ?? content
    #expect(content.matches(path: folder.file("file")), sourceLocation: location)
    #expect(folder.names == ["file"], sourceLocation: location)
  }

  /// It failed in this way, and nothing at all is there.
  func expectNothing(
    _ result: TransferResult, _ code: TransferFailure.Code, status: Int? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.failure?.code == code, sourceLocation: location)
    #expect(result.failure?.status == status, sourceLocation: location)
    #expect(folder.names == [], sourceLocation: location)
  }

  /// It failed in this way, the bytes are kept, and a further run goes on from `position`.
  func expectKept(
    _ result: TransferResult, _ code: TransferFailure.Code, status: Int? = nil,
    at position: Int64 = Bench.cut, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(result.failure?.code == code, sourceLocation: location)
    #expect(result.failure?.status == status, sourceLocation: location)
    try await expectKept(at: position, location)
  }

  /// Only a part and its journal are there, and the right bytes up to `position` in them.
  func expectKept(
    at position: Int64 = Bench.cut, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(folder.names == ["file.haul-journal", "file.haul-part"], sourceLocation: location)
    let part = try #require(folder.bytes(of: "file.haul-part"), sourceLocation: location)
    #expect(
      Array(part.prefix(Int(position))) == content.bytes(in: 0..<position),
      sourceLocation: location)
  }

  /// Where the connection is cut that leaves a part.
  static let cut: Int64 = 300_000

  /// Leaves the first bytes of the file behind, as a run does whose connection was cut.
  func leavePart(
    of url: String, _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws {
    let fetch = try fetch(url) {
      $0.retries.tries = 1
      change(&$0)
    }
    try await expectKept(await fetch.run(), .connectionLost)
  }
}

/// The usual world, or one that differs from it.
func world(_ adjust: (inout TransferEnvironment) -> Void = { _ in }) -> TransferEnvironment {
  var environment = Engine.environment(store: FileStore())
  adjust(&environment)
  return environment
}

extension Fetch {
  /// An attempt in a world that differs from the usual one.
  init(
    _ url: String, into folder: String, named name: String?,
    in environment: TransferEnvironment,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws {
    var request = TransferRequest(
      url: try HTTPURL(parsing: url), destination: Destination(folder: folder, name: name))
    Connections.prepare(&request, change)
    let ear = Ear()
    self.ear = ear
    transfer = Transfer(request, in: environment) { ear.hear($0) }
  }
}

extension Ear {
  /// The pauses between tries, in seconds.
  var delays: [Double] {
    events.compactMap { if case .retrying(_, let delay) = $0 { delay } else { nil } }
  }

  /// Everything that was said in words.
  var text: String { events.map { "\($0)" }.joined(separator: "\n") }
}
