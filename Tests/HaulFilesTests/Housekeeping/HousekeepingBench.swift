import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer

@testable import HaulFiles

extension Bench {
  /// A process whose owner keeps a record of each file.
  static func recorded(
    _ disk: any Disk = PosixDisk(), folder: String, isDurable: Bool = true
  ) -> Bench {
    var bench = Bench(disk, folder: folder, isDurable: isDurable)
    bench.destination.isRecorded = true
    return bench
  }

  /// The same process, asked for another address.
  func of(_ url: String, name: String? = nil) -> Bench {
    var bench = self
    let parsed = try? HTTPURL(parsing: url)
    bench.source = SourceIdentity(
      url: parsed?.identityText ?? url, redactedURL: parsed?.redacted ?? url)
    bench.destination.name = name
    return bench
  }

  func settle(_ path: String) throws(FileFailure) {
    try NoteSettling(context: context, source: source, path: path).settle()
  }

  func discard() throws(FileFailure) {
    try PartFinder(context: context, source: source, destination: destination).discard()
  }

  func leftovers() throws(FileFailure) -> [Leftover] {
    try LeftoverLister(context: context, path: destination.folder).list()
  }

  func discard(_ leftover: Leftover) throws(FileFailure) {
    try LeftoverRemoval(context: context, leftover: leftover).remove()
  }

  func remove(_ path: String) throws(FileFailure) {
    try FinishedFile(disk: context.disk, path: path).remove()
  }

  /// Writes and publishes a file; with `checkpoints` it has a journal on the way.
  @discardableResult
  func publish(
    _ bytes: [UInt8], as name: String = "file.bin", checkpoints: Bool = false
  ) throws -> String {
    let part = try make(name, version(bytes.count))
    if checkpoints {
      try part.write(bytes[..<(bytes.count / 2)], at: 0)
      try part.checkpoint(version(bytes.count))
    }
    try part.write(bytes[...], at: 0)
    return try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count)).path
  }

  /// Leaves a part of which the first half is claimed.
  func leave(_ bytes: [UInt8], as name: String = "file.bin") throws {
    let part = try make(name, version(bytes.count))
    try part.write(bytes[..<(bytes.count / 2)], at: 0)
    try part.checkpoint(version(bytes.count))
    part.close(.keep)
  }

  /// The path of a file that is found published, or nil.
  func foundPath() throws -> String? {
    guard case .published(let file) = try find() else { return nil }
    return file.path
  }
}

/// What a call fails with.
func failure(_ body: () throws -> Void) -> FileFailure.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? FileFailure)?.code
  }
}
