import Synchronization

/// Secrets in memory: for tests, and for apps that keep them elsewhere.
public final class MemorySecrets: SecretStore {
  private let kept = Mutex<[DownloadID: ItemSecrets]>([:])

  /// Makes an empty store.
  public init() {}

  /// What is kept for a download; nil when nothing is.
  public func secrets(of id: DownloadID) -> ItemSecrets? { kept.withLock { $0[id] } }

  /// Keeps secrets, each in the place of what was kept for its download.
  public func store(_ secrets: [DownloadID: ItemSecrets]) {
    kept.withLock { $0.take(secrets) }
  }

  /// The downloads that secrets are kept for, in no order.
  public func ids() -> [DownloadID] { kept.withLock { Array($0.keys) } }
}

extension [DownloadID: ItemSecrets] {
  /// Takes over changes; empty secrets go.
  mutating func take(_ changes: [DownloadID: ItemSecrets]) {
    for (id, secrets) in changes { self[id] = secrets.isEmpty ? nil : secrets }
  }
}
