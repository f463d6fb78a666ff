import Glibc
import HaulTestKit
import Testing

/// T11: look-ups that hang, and addresses that lead nowhere. Files of the system are covered by
/// others in a mount namespace, which needs root.
@Suite(.timeLimit(.minutes(1)), .enabled(if: geteuid() == 0, "covering /etc needs root"))
struct NameServerTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 50_000, seed: 5)

  init() throws {
    folder = try TemporaryFolder()
  }

  func origin() throws -> HostileOrigin {
    let resource = OriginResource(content)
    return try HostileOrigin { resource.respond(to: $0) }
  }

  /// Starts the program where `text` stands in a file of the system.
  func start(_ text: String, as file: String, _ arguments: String) throws -> ChildProcess {
    try folder.write(Array(text.utf8), to: "covering")
    let cover = "mount --bind covering \(file)"
    return try Haul.shell(
      "exec unshare -m sh -c '\(cover) && mkdir -p out && exec \"$haul\" get -d out \(arguments)'",
      in: folder.path)
  }

  /// A server of names that takes every question and answers none.
  final class DeadNameServer {
    let address: String
    private let socket: Int32

    /// Takes port 53 of 127.0.0.`number`.
    init(_ number: UInt8) throws {
      address = "127.0.0.\(number)"
      socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(53).bigEndian
      address.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(number)).bigEndian
      // The address is a local variable of the size that is passed.
      let isBound = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      #expect(isBound == 0)
    }

    deinit {
      close(socket)
    }
  }

  @Test func aLookUpThatHangsHoldsUpNobody() async throws {
    let server = try DeadNameServer(9)
    defer { withExtendedLifetime(server) {} }
    let origin = try origin()
    let child = try start(
      "nameserver \(server.address)\noptions timeout:20 attempts:3\n",
      as: "/etc/resolv.conf", "http://name.that.hangs.example/x \(origin.url("/file"))")
    #expect(await child.waitForText("finished"))
    #expect(child.exit == nil)
    // Nor the end of the program.
    let clock = ContinuousClock()
    let start = clock.now
    child.signal(SIGINT)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130), "\(outcome.error)")
    // The look-up would take a minute.
    #expect(start.duration(to: clock.now) < .seconds(40))
    #expect(outcome.paths == ["out/file"])
    #expect(content.matches(path: folder.path("out/file")))
  }

  /// A mistyped name took eight tries, about a minute.
  @Test func aNameThatDoesNotExistIsTriedAgainOnce() async throws {
    let child = try start(
      "hosts: files\n", as: "/etc/nsswitch.conf", "http://nonexistent.invalid/file")
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(3), "\(outcome.error)")
    #expect(outcome.error.contains("try 2 of 2 in"), "\(outcome.error)")
    #expect(
      outcome.error.contains("(tried 2 times; --tries N tries longer)"), "\(outcome.error)")
  }

  @Test func aLookUpThatHangsIsANamedFailureInTheEnd() async throws {
    let server = try DeadNameServer(10)
    defer { withExtendedLifetime(server) {} }
    let child = try start(
      "nameserver \(server.address)\noptions timeout:20 attempts:3\n",
      as: "/etc/resolv.conf", "--connect-timeout 1 --tries 1 http://name.that.hangs.example/x")
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(3), "\(outcome.error)")
    #expect(outcome.error.contains("failed [timeout]"), "\(outcome.error)")
    #expect(outcome.error.contains("--connect-timeout"), "\(outcome.error)")
  }

  @Test func anAddressThatLeadsNowhereGivesWayToTheOther() async throws {
    let origin = try origin()
    let child = try start(
      "2001:db8::1 two.example\n127.0.0.1 two.example\n", as: "/etc/hosts",
      "http://two.example:\(origin.port)/file")
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(content.matches(path: folder.path("out/file")))
  }
}
