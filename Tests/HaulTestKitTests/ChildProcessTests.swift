import Glibc
import Testing

@testable import HaulTestKit

@Suite struct ChildProcessTests {
  @Test func `output, error, exit code and input are passed on`() async throws {
    let child = try ChildProcess(
      "sh", ["-c", "cat; echo $X >&2; pwd; exit 7"], environment: ["X": "a b"], folder: "/tmp",
      input: Array("in\n".utf8))
    #expect(await child.wait() == .exited(7))
    #expect(child.outputText == "in\n/tmp\n")
    #expect(child.errorText == "a b\n")
    #expect(child.exit == .exited(7))
  }

  @Test func `a signal ends a process`() async throws {
    let child = try ChildProcess("sh", ["-c", "echo ready >&2; exec sleep 100"])
    #expect(await child.waitForText("ready"))
    #expect(child.exit == nil)
    child.signal(SIGKILL)
    #expect(await child.wait() == .signalled(SIGKILL))
    child.signal(SIGTERM)
  }

  @Test func `a missing program is an error`() {
    #expect(throws: KitError.self) { try ChildProcess("/does/not/exist") }
  }

  @Test func `large output is bounded and does not block`() async throws {
    let child = try ChildProcess(
      "sh", ["-c", "head -c 3000000 /dev/zero"], captureLimit: 1_000_000)
    #expect(await child.wait() == .exited(0))
    #expect(child.output.count == 1_000_000)
    #expect(await child.waitForText("never", in: .output) == false)
  }

  @Test func `a child gets no descriptor of this process`() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 200) }
    let client = try RawClient(port: origin.port)
    let child = try ChildProcess("sh", ["-c", "ls /proc/$$/fd"])
    await child.wait()
    // Shells move nothing to other numbers while they run one command.
    #expect(child.outputText.split(separator: "\n") == ["0", "1", "2"])
    client.send("")
  }

  @Test func `a child dies with the process that started it`() async throws {
    let child = try ChildProcess("sleep", ["100"])
    // The death of this process closes the pipe without a word; so does losing the watcher.
    var watcher: Watcher? = try Watcher()
    watcher?.watch(child.pid)
    watcher = nil
    #expect(await child.wait() == .signalled(SIGKILL))
  }
}

@Suite struct TemporaryFolderTests {
  @Test func `a folder is removed with everything in it`() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(folder?.path)
    try folder?.makeFolder("deep")
    try folder?.write([1, 2], to: "deep/file")
    try folder?.write([3], to: "a")
    try folder?.makeLink("deep/link", to: "/usr")
    #expect(folder?.names() == ["a", "deep"])
    #expect(folder?.names(in: "deep") == ["file", "link"])
    #expect(folder?.read("deep/file") == [1, 2])
    #expect(folder?.read("none") == nil)
    folder = nil
    #expect(!exists(path))
    #expect(exists("/usr/bin"))
  }

  private func exists(_ path: String) -> Bool {
    // The path is a C string during the call.
    unsafe access(path, F_OK) == 0
  }
}
