internal import Glibc

/// A value under one lock, with threads and tasks that wait until it fulfils a condition.
///
/// Every change wakes the waiting threads and checks the waiting tasks, so a condition that holds
/// after a change is never missed.
@safe
final class Monitor<State>: @unchecked Sendable {
  // Sendable: `state` and `waiters` are only touched while `mutex` is held.

  private struct Waiter {
    let id: UInt64
    let condition: (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State
  private var waiters: [Waiter] = []
  private var nextID: UInt64 = 0

  init(_ state: sending State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    // Both pointers are to fresh memory of the right type, freed by `deinit` alone.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    // Nobody waits any more: a waiter would hold a reference.
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  private func lock() {
    // The mutex lives as long as this object.
    unsafe pthread_mutex_lock(mutex)
  }

  private func unlock() {
    // The mutex lives as long as this object and is held by this thread.
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Reads the value.
  func read<R>(_ body: (State) throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body(state)
  }

  /// Changes the value, then lets go of everyone whose condition holds now.
  func change<R>(_ body: (inout State) throws -> R) rethrows -> R {
    lock()
    var released: [Waiter] = []
    // Resumed after the lock is left, since a continuation may run at once.
    defer { for waiter in released { waiter.continuation.resume(returning: true) } }
    defer { unlock() }
    let result = try body(&state)
    // The condition variable lives as long as this object.
    unsafe pthread_cond_broadcast(changed)
    if !waiters.isEmpty {
      released = waiters.filter { $0.condition(state) }
      waiters.removeAll { $0.condition(state) }
    }
    return result
  }

  /// Wakes the waiting threads, so that conditions on something else are checked again.
  func recheck() {
    change { _ in }
  }

  /// Blocks this thread until the condition holds, or the time is over; says whether it holds.
  @discardableResult
  func block(forMilliseconds limit: Int? = nil, until condition: (State) -> Bool) -> Bool {
    let deadline = limit.map { MonotonicTime.now.adding(milliseconds: $0) }
    lock()
    defer { unlock() }
    while !condition(state) {
      guard let deadline else {
        // Mutex and condition variable live as long as this object; the mutex is held.
        unsafe pthread_cond_wait(changed, mutex)
        continue
      }
      var moment = deadline.timespec
      // As above; `moment` is a local variable.
      guard unsafe pthread_cond_timedwait(changed, mutex, &moment) == 0 else {
        return condition(state)
      }
    }
    return true
  }

  /// Suspends this task until the condition holds; false when the task was cancelled first.
  @discardableResult
  func wait(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
    let id = makeID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { add(Waiter(id: id, condition: condition, continuation: $0)) }
    } onCancel: {
      cancel(id)
    }
  }

  private func makeID() -> UInt64 {
    lock()
    defer { unlock() }
    nextID += 1
    return nextID
  }

  private func add(_ waiter: Waiter) {
    lock()
    let holds = waiter.condition(state)
    // A cancellation before this point found nothing to cancel; one after it finds the waiter.
    let ends = holds || Task.isCancelled
    if !ends { waiters.append(waiter) }
    unlock()
    if ends { waiter.continuation.resume(returning: holds) }
  }

  private func cancel(_ id: UInt64) {
    lock()
    let index = waiters.firstIndex { $0.id == id }
    let waiter = index.map { waiters.remove(at: $0) }
    unlock()
    waiter?.continuation.resume(returning: false)
  }
}
