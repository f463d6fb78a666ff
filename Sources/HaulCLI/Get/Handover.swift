import Dispatch
import HaulTransfer
import Synchronization

/// The result of a transfer, for a thread that waits for it.
final class Ending: Sendable {
  private let result = Mutex(TransferResult.stopped(received: 0))
  private let bell = DispatchSemaphore(value: 0)

  func set(_ end: TransferResult) {
    result.withLock { $0 = end }
    bell.signal()
  }

  func wait() -> TransferResult {
    bell.wait()
    return result.withLock { $0 }
  }
}

/// Carries something to another thread.
final class Parcel<Content>: Sendable {
  private let content: Mutex<Content?>

  init(_ content: consuming sending Mutex<Content?>) { self.content = content }

  func take() -> sending Content? {
    content.withLock { content in
      let taken = content
      content = nil
      return taken
    }
  }
}
