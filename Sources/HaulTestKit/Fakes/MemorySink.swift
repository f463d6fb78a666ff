internal import Glibc
public import HaulSystem
internal import Synchronization

/// A sink that keeps what it was given, and fails or waits where a test says so.
public final class MemorySink: ByteSink {
  private struct State {
    var bytes: [UInt8] = []
    var isCancelled = false
    var failure: DiskError?
  }

  /// What it is called in messages.
  public let name = "the sink"
  private let state = Monitor(State())
  /// After so many bytes writes fail, with this error number.
  private let failing: (after: Int, errno: Int32)?
  /// After so many bytes a write waits for the gate.
  private let stalling: (after: Int, gate: Gate)?
  private let stop = StopSignal()

  /// Makes an empty sink.
  public init(
    failing: (after: Int, errno: Int32)? = nil, stalling: (after: Int, gate: Gate)? = nil
  ) {
    self.failing = failing
    self.stalling = stalling
  }

  /// What went out.
  public var bytes: [UInt8] { state.read(\.bytes) }
  /// How much went out.
  public var byteCount: Int64 { state.read { Int64($0.bytes.count) } }

  /// Suspends the task until so many bytes went out.
  public func wait(forBytes count: Int) async { await state.wait { $0.bytes.count >= count } }

  /// Keeps the bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(DiskError) {
    try check()
    // The caller's buffer lives through this call.
    var new = unsafe [UInt8](bytes)[...]
    if let (end, gate) = stalling, byteCount + Int64(new.count) > end {
      take(&new, upTo: end)
      _ = gate.pass(stop)
      try check()
    }
    if let (end, number) = failing, byteCount + Int64(new.count) > end {
      take(&new, upTo: end)
      let failure = DiskError(call: "write", path: name, errno: number)
      state.change { $0.failure = failure }
      throw failure
    }
    take(&new, upTo: .max)
  }

  private func take(_ bytes: inout ArraySlice<UInt8>, upTo end: Int) {
    let room = max(0, end == .max ? bytes.count : end - Int(byteCount))
    let taken = bytes.prefix(room)
    bytes = bytes.dropFirst(taken.count)
    state.change { $0.bytes += taken }
  }

  /// Fails once a write failed, or it was cancelled.
  public func check() throws(DiskError) {
    let failure = state.read { state in
      state.isCancelled
        ? DiskError(call: "write", path: "the sink", errno: ECANCELED) : state.failure
    }
    if let failure { throw failure }
  }

  /// There is nothing to be finished.
  public func finish() throws(DiskError) {
    if let failure = state.read(\.failure) { throw failure }
  }

  /// Ends a wait at the gate.
  public func cancel() {
    state.change { $0.isCancelled = true }
    stop.stop()
  }
}
