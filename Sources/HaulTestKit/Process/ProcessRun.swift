internal import Glibc

/// What the threads of one child process share: they read its output and wait for its end.
final class ProcessRun: Sendable {
  struct State {
    var exit: ExitStatus?
    var output: [UInt8] = []
    var error: [UInt8] = []
    var openStreams = 2
    /// Whether the number still belongs to the process.
    var isSignallable = true

    var isOver: Bool { exit != nil && openStreams == 0 }

    subscript(stream: ChildProcess.Stream) -> [UInt8] {
      get { stream == .output ? output : error }
      set { if stream == .output { output = newValue } else { error = newValue } }
    }
  }

  let pid: pid_t
  let state = Monitor(State())
  private let watcher: Watcher

  init(_ spawn: Spawn, input: [UInt8], captureLimit: Int) throws {
    let (stdin, stdout, stderr) = (try Pipe(), try Pipe(), try Pipe())
    watcher = try Watcher()
    var spawn = spawn
    spawn.descriptors = [stdin.reading, stdout.writing, stderr.writing].map(\.number)
    do {
      pid = try spawn.start()
    } catch {
      watcher.dismiss()
      throw error
    }
    watcher.watch(pid)
    let (feed, output, error) = (stdin.writing, stdout.reading, stderr.reading)
    if !input.isEmpty { startThread { _ = feed.write(input) } }
    capture(.output, output, captureLimit)
    capture(.error, error, captureLimit)
    startThread { self.waitForEnd() }
  }

  func signal(_ number: Int32) {
    state.change { if $0.isSignallable { _ = kill(pid, number) } }
  }

  private func capture(_ stream: ChildProcess.Stream, _ source: FileDescriptor, _ limit: Int) {
    startThread { [state] in
      while let bytes = source.read() {
        state.change { $0[stream] += bytes.prefix(max(0, limit - $0[stream].count)) }
      }
      state.change { $0.openStreams -= 1 }
    }
  }

  private func waitForEnd() {
    // Only its kind of memory is needed: the result is not read.
    var information = unsafe siginfo_t()
    // The process stays a zombie, so its number is not used again while the watcher knows it.
    while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    watcher.dismiss()
    state.change { $0.isSignallable = false }
    var status: Int32 = 0
    // `status` is a local variable.
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    state.change { $0.exit = ExitStatus(waitStatus: status) }
  }
}
