public import HaulSystem
public import HaulTransfer
import Synchronization

/// Gives one file to whoever reads a sink, such as standard output, and keeps nothing.
///
/// Without a digest the bytes go out as they come. When the destination has a digest of the whole or of the pieces, nothing goes
/// out before the whole file was found right: until then it lies in the destination's folder, under
/// no name, and it is gone with the process however that ends.
///
/// A store is for one transfer. Nothing is ever resumed, replaced or renamed, and the destination's
/// other wishes mean nothing here.
public struct StreamStore: PartialFileStore {
  private let context: StreamContext
  private let isDryRun: Bool

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - sink: Where the bytes go.
  ///   - disk: Where a file waits for its check.
  ///   - crypto: Where digests come from.
  ///   - isDryRun: Whether nothing is to be fetched, and so nothing to wait on the disk.
  ///   - lanes: Where the jobs run; one of `.writer` may wait for the sink's reader.
  public init(
    to sink: any ByteSink, disk: any Disk, crypto: any Crypto, isDryRun: Bool = false,
    lanes: any Lanes = DispatchLanes()
  ) {
    self.isDryRun = isDryRun
    context = StreamContext(sink: sink, disk: disk, crypto: crypto, lanes: lanes)
  }

  /// Nothing is left by an earlier run, ever.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    context.lanes.run(.writer) { completion(.success(.nothing)) }
  }

  /// Makes the part; fails with `inUse` the second time.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    context.lanes.run(.writer) { [context, isDryRun] in
      completion(
        outcome { () throws(FileFailure) in
          guard context.take() else { throw .taken(context.sink.name) }
          let name = destination.name ?? suggestedName
          guard let proof = SpoolProof(destination), !isDryRun else {
            return .part(StreamPart(context, name: name, version: version))
          }
          return .part(
            try SpoolPart(
              context, name: name, folder: destination.folder, version: version, proof: proof))
        })
    }
  }
}

/// What a store and its part share.
final class StreamContext: Sendable {
  let sink: any ByteSink
  let disk: any Disk
  let crypto: any Crypto
  let lanes: any Lanes
  private let isTaken = Atomic(false)

  init(sink: any ByteSink, disk: any Disk, crypto: any Crypto, lanes: any Lanes) {
    self.sink = sink
    self.disk = disk
    self.crypto = crypto
    self.lanes = lanes
  }

  /// Takes the sink; false when it was taken before.
  func take() -> Bool { isTaken.exchange(true, ordering: .acquiringAndReleasing) == false }

  /// Runs a job behind all jobs before it, and tells what came of it.
  func run<Value: Sendable>(
    _ completion: @escaping @Sendable (FileOutcome<Value>) -> Void,
    _ job: @escaping @Sendable () throws(FileFailure) -> Value
  ) {
    lanes.run(.writer) { completion(outcome(job)) }
  }
}

extension FileFailure {
  static func taken(_ name: String) -> FileFailure {
    FileFailure(
      code: .inUse,
      message: "\u{201C}\(name)\u{201D} takes one file, and another has it. Write into files.")
  }

  /// A fault of this program or of whoever uses the part; never of the network.
  static func outOfOrder(_ name: String) -> FileFailure {
    FileFailure(
      code: .inputOutput,
      message: "\u{201C}\(name)\u{201D} was to get other bytes than the next ones, so nothing more "
        + "was passed on. Please report this.")
  }
}
