#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Threads of the system.
public enum SystemThread {
  /// Runs something on a thread of its own, which ends with it; it may block as long as it likes, which
  /// a thread of Dispatch or of Swift's tasks must not.
  ///
  /// - Returns: False, and nothing was run, when the system gives no more threads.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    // The box is retained here and released once by the thread that takes it over.
    let box = unsafe Unmanaged.passRetained(Box(body))
    let context = unsafe box.toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        }
        return nil
      }, context)
    guard status == 0 else {
      // Nobody took it over.
      unsafe box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
