// `environ` is a global variable of C; it is only read here.
@unsafe @preconcurrency internal import Glibc
internal import Synchronization

/// A process to be started, as `posix_spawn` takes it.
struct Spawn {
  /// Held while a process is started and while a descriptor is made that is not yet closed on
  /// exec, so that no child keeps a connection or a pipe open.
  static let descriptorLock = Mutex<Void>(())

  var executable: String
  var arguments: [String]
  /// The whole environment, or nil for that of this process.
  var environment: [String: String]?
  var folder: String?
  /// What the child gets as its descriptors 0, 1 and 2; it gets no other descriptor.
  var descriptors: [Int32]

  /// Starts the process and returns its number.
  func start() throws -> pid_t {
    // Copies above the numbers that are to be set, since setting one could destroy another.
    let sources = descriptors.map {
      FileDescriptor(fcntl($0, F_DUPFD_CLOEXEC, Int32(descriptors.count)))
    }
    return try Self.descriptorLock.withLock { _ in
      var actions = unsafe posix_spawn_file_actions_t()
      // The actions are local, initialised first and destroyed last.
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
      for (target, source) in sources.enumerated() {
        unsafe posix_spawn_file_actions_adddup2(&actions, source.number, Int32(target))
      }
      // Closing one that is not open any more is not an error.
      for number in Self.openDescriptors where number >= descriptors.count {
        unsafe posix_spawn_file_actions_addclose(&actions, number)
      }
      return try unsafe run(&actions)
    }
  }

  private static var openDescriptors: [Int32] {
    TemporaryFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }
  }

  private func run(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    // Attributes and sets are local; the attributes are initialised first and destroyed last.
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    // Signals that this process ignores or blocks are not ignored or blocked in the child.
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // In a session of its own the child has no terminal, wherever this process runs. POSIX has this
    // flag since 2024; glibc has it under the same number for longer.
    let newSession: Int32 = 0x80
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

    let command = commandWords
    let words = CStrings(command)
    let variables = environment.map { CStrings($0.map { "\($0.key)=\($0.value)" }) }
    var pid: pid_t = 0
    // Both arrays end with nil and live beyond the call.
    let code = unsafe posix_spawnp(
      &pid, command[0], &actions, &attributes, words.pointers, variables?.pointers ?? environ)
    withExtendedLifetime((words, variables)) {}
    guard code == 0 else { throw KitError("\(executable) cannot be started: errno \(code).") }
    return pid
  }

  /// The words of the command; a shell changes the folder and then becomes the program.
  private var commandWords: [String] {
    guard let folder else { return [executable] + arguments }
    let script = "cd \"$1\" && shift && exec \"$@\""
    return ["/bin/sh", "-c", script, "sh", folder, executable] + arguments
  }
}

/// Copies of strings for C, in an array that ends with nil.
@safe
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    // `count` copies and nil fill the array.
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  deinit {
    // Each copy was made by `init` and is freed once.
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
