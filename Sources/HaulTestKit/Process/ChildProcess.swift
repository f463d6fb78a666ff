internal import Glibc

/// A process started by a test. It ends at the latest with this object or with the test process.
///
/// ```swift
/// let child = try ChildProcess("haul", ["get", origin.url("/file")], folder: folder.path)
/// await gate.waitUntilReached()
/// child.signal(SIGKILL)
/// #expect(await child.wait() == .signalled(SIGKILL))
/// ```
public final class ChildProcess: Sendable {
  /// One of the two streams that are captured.
  public enum Stream: Sendable, Hashable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// The number of the process.
  public let pid: Int32
  private let run: ProcessRun

  /// Starts a process.
  ///
  /// A name without a slash is looked up in `PATH`. Standard input holds `input` and then ends;
  /// of each output stream the first `captureLimit` bytes are kept and the rest is dropped.
  ///
  /// - Parameters:
  ///   - executable: A path, or a name that is looked up in `PATH`.
  ///   - arguments: The arguments, without the name of the program.
  ///   - environment: The whole environment, or nil for that of this process.
  ///   - folder: The working folder, or nil for that of this process.
  ///   - input: What the process reads from standard input.
  ///   - captureLimit: How many bytes of each output stream are kept.
  /// - Throws: `KitError` when it cannot be started.
  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    folder: String? = nil, input: [UInt8] = [], captureLimit: Int = 16 << 20
  ) throws {
    let spawn = Spawn(
      executable: executable, arguments: arguments, environment: environment, folder: folder,
      descriptors: [])
    run = try ProcessRun(spawn, input: input, captureLimit: captureLimit)
    pid = run.pid
  }

  deinit {
    run.signal(SIGKILL)
  }

  /// Sends a signal, unless the process is over.
  public func signal(_ number: Int32) {
    run.signal(number)
  }

  /// How the process ended, or nil while it runs.
  public var exit: ExitStatus? { run.state.read(\.exit) }

  /// Suspends the task until the process is over and its output is complete.
  ///
  /// When the task is cancelled the process is killed first.
  @discardableResult
  public func wait() async -> ExitStatus {
    if await !run.state.wait(until: \.isOver) {
      run.signal(SIGKILL)
      // The task is cancelled, so it cannot wait; a killed process ends at once.
      run.state.block(until: \.isOver)
    }
    return exit ?? .signalled(SIGKILL)
  }

  /// Suspends the task until the captured stream contains a text; false when the stream ended, or
  /// the task was cancelled, without it.
  public func waitForText(_ text: String, in stream: Stream = .error) async -> Bool {
    let wanted = Array(text.utf8)
    await run.state.wait { state in
      state.isOver || state[stream].contains(wanted)
    }
    return captured(stream).contains(wanted)
  }

  /// What the process wrote to standard output so far.
  public var output: [UInt8] { captured(.output) }

  /// What the process wrote to standard output so far, as UTF-8.
  public var outputText: String { String(decoding: output, as: UTF8.self) }

  /// What the process wrote to standard error so far, as UTF-8.
  public var errorText: String { String(decoding: captured(.error), as: UTF8.self) }

  private func captured(_ stream: Stream) -> [UInt8] {
    run.state.read { $0[stream] }
  }

  /// Blocks the thread until the process is over; for use outside of tasks.
  ///
  /// Nil when the time is over first.
  @discardableResult
  func waitBlocking(forMilliseconds limit: Int? = nil) -> ExitStatus? {
    run.state.block(forMilliseconds: limit, until: \.isOver)
    return run.state.read { $0.isOver ? $0.exit : nil }
  }
}
