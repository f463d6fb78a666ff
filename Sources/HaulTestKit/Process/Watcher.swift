internal import Glibc

/// Ends a child process when this process dies, however it dies.
///
/// A shell reads from a pipe whose other end only this process holds. The end of the pipe without
/// a word before it means that this process is gone; then the shell ends the child, by its number.
final class Watcher: Sendable {
  private let pipe: FileDescriptor
  private let pid: pid_t

  init() throws {
    let pipe = try Pipe()
    self.pipe = pipe.writing
    // The path is a constant.
    let null = FileDescriptor(unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
    let script = "trap '' INT TERM HUP; read -r child && { read -r word || kill -9 $child; }"
    pid = try Spawn(
      executable: "/bin/sh", arguments: ["-c", script],
      descriptors: [pipe.reading.number, null.number, null.number]
    ).start()
  }

  /// Begins to watch over a child.
  func watch(_ child: pid_t) {
    _ = pipe.write(Array("\(child)\n".utf8))
  }

  /// Ends the watch. It has to come before the child's number is given up.
  func dismiss() {
    _ = pipe.write(Array("\n\n".utf8))
    var status: Int32 = 0
    // `status` is a local variable.
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }
}
