import Foundation
import Glibc
import HaulHTTP
import HaulTestKit
import Testing

/// `haul get -o - URL`: what goes into a real pipe, and what comes of it.
@Suite(.timeLimit(.minutes(1))) struct PipeTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 3_000_000, seed: 71)

  init() throws {
    folder = try TemporaryFolder()
  }

  func digest(_ content: OriginContent) -> String { "\(content.digest())" }

  /// The sum that `sha256sum` shows.
  func sum(_ content: OriginContent) -> String { content.digest().hex }

  @Test func thePipeGetsTheFileAndNothingElse() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = await Outcome(
      of: try Haul.shell(
        "\"$haul\" get -o - '\(origin.url("/file.bin"))' | sha256sum", in: folder.path))
    #expect(outcome.output == "\(sum(content))  -\n")
    #expect(outcome.error.contains("fetching file.bin (2.86 MiB) to standard output"))
    #expect(outcome.error.contains("finished file.bin: 2.86 MiB in"), "\(outcome.error)")
    let quiet = try Haul.start(["get", "-qo-", "--no-sync", origin.url("/file")], in: folder.path)
    #expect(await quiet.wait() == .exited(0))
    #expect(quiet.output == content.bytes())
    #expect(quiet.errorText == "")
    #expect(folder.names() == [])
  }

  /// A terminal was flooded with whatever the file held, and might obey it.
  @Test func aTerminalGetsNothingThatIsNoText() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let url = origin.url("/file")
    let refused = await Outcome(
      of: try Haul.shell("script -qec '\"$haul\" get -o - \(url)' /dev/null", in: folder.path))
    #expect(refused.exit == .exited(6))
    #expect(refused.output.contains("it is a terminal, and this is no text"), "\(refused.exit)")
    // Nothing but messages.
    let lines = refused.output.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { $0.hasPrefix("haul: ") })
    let others = await Outcome(
      of: try Haul.shell(
        "script -qec '\"$haul\" get -qo- \(url) | sha256sum' /dev/null", in: folder.path))
    #expect(others.exit == .exited(0))
    #expect(others.output.hasPrefix(sum(content)))
  }

  /// curl fails here, or begins anew behind what is out.
  @Test(arguments: [true, false])
  func aBrokenConnectionIsNotSeenByTheReader(_ honoursRanges: Bool) async throws {
    let resource =
      honoursRanges ? OriginResource(content) : OriginResource(content).ignoringRanges()
    let script = Script(
      .next(2) { resource.respond(to: $0).resetting(after: 1_000_000) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let outcome = await Outcome(
      of: try Haul.shell(
        """
        { "$haul" get -o - --retry-max-delay 0 '\(origin.url("/file"))'; echo "exit $?" >&2; } |
        sha256sum
        """, in: folder.path))
    #expect(outcome.output == "\(sum(content))  -\n")
    #expect(outcome.error.contains("exit 0\n"), "\(outcome.error)")
    #expect(outcome.error.contains("; try 2 of "))
  }

  @Test func aFileThatChangesInTheMiddleFails() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 1_000_000) },
      finally: { resource.changed.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let child = try Haul.start(
      ["get", "-o", "-", "--retry-max-delay", "0", origin.url("/file")], in: folder.path)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(5))
    #expect(child.output == content.bytes(in: 0..<1_000_000))
    #expect(outcome.error.contains("failed [changing]"), "\(outcome.error)")
    #expect(outcome.error.contains("the first 1000000 bytes were passed on and are valid"))
  }

  /// `| head` and the like: the end comes at once, in one line, and not by a signal.
  @Test(arguments: [[], ["--digest"]])
  func aReaderWhoHasEnough(_ options: [String]) async throws {
    let content = OriginContent(size: 20 << 20, seed: 72)
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let options = options.map { "\($0)=\(digest(content))" }.joined()
    let outcome = await Outcome(
      of: try Haul.shell(
        """
        { "$haul" get -qo - \(options) '\(origin.url("/file"))'; echo "exit $?" >&2; } |
        head -c 100000 | wc -c
        """, in: folder.path))
    #expect(outcome.output == "100000\n")
    #expect(outcome.error.contains("exit 6\n"), "\(outcome.error)")
    #expect(outcome.error.contains("failed [reader-gone]: "))
    #expect(outcome.error.contains("nobody reads from it any more"))
    #expect(outcome.error.split(separator: "\n").count == 2, "\(outcome.error)")
  }

  /// A reader who goes away while nothing arrives is noticed all the same.
  @Test func aReaderWhoGoesWhileTheServerIsSilent() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1000, at: gate) }
    let outcome = await Outcome(
      of: try Haul.shell(
        """
        { "$haul" get -qo - '\(origin.url("/file"))'; echo "exit $?" >&2; } | head -c 1000 | wc -c
        """, in: folder.path))
    #expect(outcome.output == "1000\n")
    #expect(outcome.error.contains("failed [reader-gone]: "), "\(outcome.error)")
    #expect(outcome.error.contains("exit 6\n"))
  }

  /// What has arrived is passed on though the rest takes its time.
  @Test func bytesGoOutAsTheyCome() async throws {
    let gate = Gate()
    let resource = OriginResource(OriginContent(text: "one line\nand another\n"))
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 9, at: gate) }
    let child = try Haul.start(["get", "-o", "-", origin.url("/log")], in: folder.path)
    #expect(await child.waitForText("one line\n", in: .output))
    #expect(child.exit == nil)
    gate.open()
    #expect(await child.wait() == .exited(0))
    #expect(child.outputText == "one line\nand another\n")
  }

  /// A slow reader holds up the server; memory does not grow.
  @Test func aReaderWhoStopsForAWhile() async throws {
    let content = OriginContent(size: 200 << 20, seed: 73)
    let resource = OriginResource(content)
    let gate = Gate()
    let origin = try HostileOrigin {
      resource.respond(to: $0).stalling(after: content.size - 1, at: gate)
    }
    // The path is a C string during the call.
    try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    let child = try Haul.shell(
      "exec \"$haul\" get -qo - '\(origin.url("/file"))' >pipe", in: folder.path)
    let path = folder.path("pipe")
    let memory = await onThread { () -> Int? in
      guard let reader = FileHandle(forReadingAtPath: path) else { return nil }
      // It begins, waits until the server can send no more, and takes the rest.
      var wanted = content.bytes(in: 0..<1000)
      guard (try? reader.read(upToCount: 1000)).map({ $0.map(Array.init) }) == wanted else {
        return nil
      }
      var last: Int64 = -1
      while origin.bodyBytesSent != last {
        last = origin.bodyBytesSent
        usleep(100_000)
      }
      guard last < 64 << 20 else { return nil }
      var position: Int64 = 1000
      while position < content.size - 1 {
        let end = min(position + 256 * 1024, content.size - 1)
        let read = try? reader.read(upToCount: Int(end - position))
        guard let read, !read.isEmpty else { return nil }
        wanted = content.bytes(in: position..<position + Int64(read.count))
        guard Array(read) == wanted else { return nil }
        position += Int64(read.count)
      }
      let peak = Self.peakMemory(of: child.pid)
      gate.open()
      guard (try? reader.readToEnd())?.count == 1 else { return nil }
      return peak
    }
    #expect(await child.wait() == .exited(0), "\(child.errorText)")
    // In KiB. The program itself takes about 30 MiB.
    #expect((1...64 * 1024).contains(memory ?? 0), "\(memory ?? 0) KiB")
  }

  static func peakMemory(of pid: Int32) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }

  /// Runs what blocks on a thread that may.
  func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  // MARK: What is no pipe

  @Test func aFileOfTheShellGetsItToo() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = await Outcome(
      of: try Haul.shell(
        "printf xy >file; \"$haul\" get -o - '\(origin.url("/file"))' >>file", in: folder.path))
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(folder.read("file") == Array("xy".utf8) + content.bytes())
  }

  @Test func aSocketIsAsGoodAsAPipe() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    // Bash opens a socket by this name; the server there says what it was sent.
    let heard = try HostileOrigin { OriginResponse(status: 200, text: "\($0.body.count)") }
    let port = try #require(URL(string: heard.url("/"))?.port)
    let outcome = await Outcome(
      of: try Haul.shell(
        """
        exec bash -c '
          exec 3<>/dev/tcp/127.0.0.1/\(port)
          printf "POST / HTTP/1.0\\r\\nContent-Length: \(content.size)\\r\\n\\r\\n" >&3
          "$haul" get -qo - "\(origin.url("/file"))" >&3 && cat <&3'
        """, in: folder.path))
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.output.hasSuffix("\(content.size)"), "\(outcome.output)")
  }

  /// On a terminal the text is what counts: no line of progress runs through it.
  @Test func aTerminalShowsTheFileAlone() async throws {
    let gate = Gate()
    let resource = OriginResource(OriginContent(text: "one line\nand another\n"))
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 9, at: gate) }
    let child = try Haul.shell(
      """
      export TERM=xterm
      exec script -qec '"$haul" get --low-speed=0 -o - \(origin.url("/log"))' /dev/null
      """, in: folder.path)
    #expect(await child.waitForText("one line\r\n", in: .output))
    // The time is what is tested: a line of progress would be shown ten times a second.
    try await Task.sleep(for: .milliseconds(300))
    gate.open()
    #expect(await child.wait() == .exited(0), "\(child.outputText)")
    // Messages have lines of their own; which comes first is left to the terminal.
    let lines = child.outputText.split(whereSeparator: \.isNewline).filter {
      !$0.hasPrefix("haul: ")
    }
    #expect(lines == ["one line", "and another"], "\(child.outputText)")
  }

  @Test func aFullDiskIsNamed() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = await Outcome(
      of: try Haul.shell("\"$haul\" get -o - '\(origin.url("/file"))' >/dev/full", in: folder.path))
    #expect(outcome.exit == .exited(6))
    #expect(outcome.error.contains("failed [disk-full]: "), "\(outcome.error)")
    #expect(outcome.error.contains("“standard output”"))
  }

  @Test func aClosedStandardOutputIsSaidBeforeAnythingIsFetched() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    for redirection in [">&-", "1</dev/null"] {
      let outcome = await Outcome(
        of: try Haul.shell(
          "\"$haul\" get -o - '\(origin.url("/file"))' \(redirection)", in: folder.path))
      #expect(outcome.exit == .exited(6), "\(outcome.error)")
      #expect(outcome.error.contains("tandard output"), "\(outcome.error)")
    }
    #expect(origin.requests.count == 0)
  }
}
