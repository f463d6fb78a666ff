internal import Synchronization

/// Somebody who watches; he hears nothing more once this is cancelled, or let go of.
///
/// On a serial queue nothing of him runs once `cancel` has returned there.
public final class DownloadObservation: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Mutex(end)
  }

  deinit { cancel() }

  /// Ends it; it may be called twice.
  public func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
