import Dispatch
import HaulSystem
import HaulTransfer
import Synchronization

/// Makes folders durable for all who wait for that at once: of the files that get their names in one
/// folder while it is being made durable, one syncs it for all, as soon as that is done.
///
/// Who waits is told the truth: a sync that began before the name was given does not count, and one
/// that failed since then, for whomever, fails this one too, since the system may tell a failure once
/// and drop what it could not write.
final class FolderSyncs: Sendable {
  /// Who wants to wait for a folder; taken before a name in it is given.
  struct Ticket: Sendable {
    fileprivate let key: FolderKey
    fileprivate let folder: any DiskFolder
    /// The failures before.
    fileprivate let failures: Int
  }

  typealias Completion = @Sendable (Result<Void, DiskError>) -> Void
  typealias Waiter = (ticket: Ticket, completion: Completion)

  private struct State {
    /// Who waits for the next sync of a folder, while one runs.
    var waiting: [FolderKey: [Waiter]] = [:]
    /// The syncs that failed.
    var failures: [FolderKey: Int] = [:]
  }

  private let state = Mutex(State())
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// `run` is given what waits for the device; it may run it at once, or on another thread.
  init(run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }) {
    self.run = run
  }

  func ticket(_ folder: any DiskFolder) throws(DiskError) -> Ticket {
    ticket(folder, FolderKey(try folder.status()))
  }

  func ticket(_ folder: any DiskFolder, _ key: FolderKey) -> Ticket {
    let failures = state.withLock { $0.failures[key] ?? 0 }
    return Ticket(key: key, folder: folder, failures: failures)
  }

  /// Completes once the names that were given since the ticket was taken are durable, or not.
  ///
  /// The calling thread may be the one that syncs, and runs the completions of others then.
  func join(_ ticket: Ticket, _ completion: @escaping Completion) {
    let leads = state.withLock { state in
      guard state.waiting[ticket.key] != nil else {
        state.waiting[ticket.key] = []
        return true
      }
      state.waiting[ticket.key]?.append((ticket, completion))
      return false
    }
    if leads { sync(ticket, [(ticket, completion)]) }
  }

  /// Waits for it.
  func wait(_ ticket: Ticket) throws(DiskError) {
    let outcome = Outcome()
    join(ticket) { outcome.set($0) }
    try outcome.wait().get()
  }

  private func sync(_ leader: Ticket, _ waiters: [Waiter]) {
    let result: Result<Void, DiskError>
    do throws(DiskError) {
      try leader.folder.sync()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    let (next, failures) = state.withLock { state in
      if case .failure = result { state.failures[leader.key, default: 0] += 1 }
      let next = state.waiting[leader.key] ?? []
      state.waiting[leader.key] = next.isEmpty ? nil : []
      return (next, state.failures[leader.key] ?? 0)
    }
    if let first = next.first { run { [self] in sync(first.ticket, next) } }
    for waiter in waiters {
      let isSpoilt = waiter.ticket.failures != failures
      let failure = DiskError(call: "fsync", path: leader.folder.path, errno: 5)
      if case .success = result, isSpoilt {
        waiter.completion(.failure(failure))
      } else {
        waiter.completion(result)
      }
    }
  }
}

extension FolderSyncs {
  /// Tells of a file that has its name, once that is as durable as it is to be.
  func settle(
    _ named: FileOutcome<WholeFile.Named>,
    _ completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    switch named {
    case .failure(let failure): completion(.failure(failure))
    case .success(let named):
      guard let ticket = named.ticket else { return completion(.success(named.file)) }
      join(ticket) { result in
        completion(result.map { named.file }.mapError { FileFailure($0) })
      }
    }
  }
}

/// A result that a thread waits for.
private final class Outcome: Sendable {
  private let result: Mutex<Result<Void, DiskError>> = Mutex(.success(()))
  private let bell = DispatchSemaphore(value: 0)

  func set(_ result: Result<Void, DiskError>) {
    self.result.withLock { $0 = result }
    bell.signal()
  }

  func wait() -> Result<Void, DiskError> {
    bell.wait()
    return result.withLock { $0 }
  }
}
