public import HaulSystem
public import HaulTransfer
internal import Synchronization

/// Keeps the bytes of one transfer in memory, for small files that are read and not kept.
///
/// The request should say `maximumByteCount`: the memory grows with the file. Nothing outlives the
/// store, and a second transfer begins anew.
public final class MemoryStore: PartialFileStore {
  private let crypto: any Crypto
  private let part = Mutex<MemoryPart?>(nil)

  /// Makes an empty store.
  public init(crypto: any Crypto) {
    self.crypto = crypto
  }

  /// The whole file, once a transfer has finished; nil before.
  public var content: [UInt8]? { part.withLock { $0 }?.published }

  /// Finds nothing.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    DispatchLanes().run(.writer) { completion(.success(.nothing)) }
  }

  /// Makes an empty part.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    let made = MemoryPart(
      path: destination.name ?? suggestedName, version: version, crypto: crypto)
    part.withLock { $0 = made }
    DispatchLanes().run(.writer) { completion(.success(.part(made))) }
  }
}
