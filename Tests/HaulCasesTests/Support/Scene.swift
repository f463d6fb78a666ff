import Foundation
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// A folder, a file on a hostile origin, and what both must look like in the end.
struct Scene {
  let folder: Folder
  let content: OriginContent

  init(_ content: OriginContent = OriginContent(size: 900_000, seed: 7)) throws {
    folder = try Folder()
    self.content = content
  }

  /// Fetches `/file` once more, under the name `file`.
  func fetch(
    _ origin: HostileOrigin, path: String = "/file", named name: String? = "file",
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> (TransferResult, Ear) {
    let fetch = try Fetch(origin.url(path), into: folder.path, named: name, change)
    return (await fetch.run(), fetch.ear)
  }

  /// Leaves a part of the file behind, as a run does whose only try was cut.
  func leavePart(
    _ origin: HostileOrigin, path: String = "/file",
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws {
    let (result, _) = try await fetch(origin, path: path) {
      $0.retries.tries = 1
      change(&$0)
    }
    #expect(result.failure?.code == .connectionLost)
    #expect(folder.names == ["file.haul-journal", "file.haul-part"])
  }

  /// The file stands under its name, byte for byte, and nothing else is there.
  func expectRight(
    _ result: TransferResult, _ expected: OriginContent? = nil,
    verified: Verification = .length, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.finished?.path == folder.file("file"), sourceLocation: location)
    #expect(result.finished?.verification == verified, sourceLocation: location)
    let difference = (expected ?? content).difference(path: folder.file("file"))
    #expect(difference == nil, sourceLocation: location)
    #expect(folder.names == ["file"], sourceLocation: location)
  }

  /// Nothing stands under the final name; what is kept is a part with its journal, or nothing.
  func expectFailure(
    _ result: TransferResult, _ code: TransferFailure.Code, keepsPart: Bool,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.failure?.code == code, "\(result)", sourceLocation: location)
    let kept = keepsPart ? ["file.haul-journal", "file.haul-part"] : []
    #expect(folder.names == kept, sourceLocation: location)
  }
}

extension Folder {
  /// Copies every file into another folder.
  func copy(to other: Folder) throws {
    for name in names {
      try FileManager.default.copyItem(atPath: file(name), toPath: other.file(name))
    }
  }
}

extension OriginContent {
  /// The digest of the content, or of some of it.
  func digest(_ algorithm: DigestAlgorithm = .sha256, in range: Range<Int64>? = nil) -> Digest {
    Digest.of(bytes(in: range), algorithm)
  }
}

extension Digest {
  static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm = .sha256) -> Digest {
    let hasher = SystemCrypto().makeHasher(algorithm)
    // The array lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }

  var base64: String { Data(bytes).base64EncodedString() }

  /// As `Repr-Digest` and `Content-Digest` carry it.
  var structured: String { "\(algorithm.rawValue)=:\(base64):" }
}

extension HostileOrigin {
  /// The `Range` of every request so far, nil for none.
  var ranges: [String?] { requests.map { $0.header("Range") } }
}
