internal import Synchronization

/// Lends buffers and keeps a few that came back.
public final class BufferPool: Sendable {
  private let free = Mutex<[TransferBuffer]>([])
  private let kept: Int

  /// Makes a pool that keeps at most this many unused buffers of 256 KiB.
  public init(keeping kept: Int = 32) {
    self.kept = kept
  }

  /// Lends an empty buffer that may take `limit` bytes.
  func lend(limit: Int) -> TransferBuffer {
    let buffer = free.withLock { $0.popLast() } ?? TransferBuffer()
    buffer.reset(limit: limit)
    return buffer
  }

  /// Takes a buffer back; nobody else may hold it.
  func takeBack(_ buffer: TransferBuffer) {
    free.withLock { if $0.count < kept { $0.append(buffer) } }
  }
}
