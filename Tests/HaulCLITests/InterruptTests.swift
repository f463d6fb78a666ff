import Glibc
import HaulTestKit
import Testing

/// Ctrl-C, SIGTERM and SIGHUP keep what is there, and the next run goes on from it.
@Suite(.timeLimit(.minutes(1))) struct InterruptTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 3_000_000, seed: 21)

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func whatIsThereIsKept(_ signal: Int32) async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).stalling(after: 2_000_000, at: gate) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url = origin.url("/file?token=hunter2")
    let child = try Haul.start(["get", url], in: folder.path)
    // The first checkpoint comes after a second.
    #expect(await eventually { folder.names().contains("file.haul-journal") })
    child.signal(signal)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130))
    #expect(outcome.output == "")
    #expect(outcome.error.contains("interrupted file after 1.91 MiB"), "\(outcome.error)")
    #expect(outcome.error.contains("the same command goes on from there"))
    #expect(!outcome.error.contains("hunter2"))
    #expect(folder.names() == ["file.haul-journal", "file.haul-part"])

    let next = try await Haul.get(url, in: folder.path)
    #expect(next.exit == .exited(0))
    #expect(next.error.contains("going on after 1.91 MiB"), "\(next.error)")
    #expect(next.error.contains("finished file: 2.86 MiB (977 KiB fetched in "), "\(next.error)")
    #expect(folder.names() == ["file"])
    #expect(content.matches(path: folder.path("file")))
    #expect(origin.requests.map { $0.header("Range") } == [nil, "bytes=2000000-"])
  }

  @Test func aScriptSeesThatItWasInterrupted() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let child = try Haul.shell(
      "\"$haul\" get \(origin.url("/file")) & echo $! >process; wait $!; echo \"status $?\"",
      in: folder.path)
    await gate.waitUntilReached()
    let process = try #require(folder.text("process").flatMap { Int32($0.dropLast()) })
    // What a script starts with `&` ignores SIGINT.
    kill(process, SIGTERM)
    let outcome = await Outcome(of: child)
    #expect(outcome.output == "status 130\n")
  }

  /// Ctrl-\ was taken for a crash: a report of seventy lines, and the download went on.
  @Test func quitIsAtOnceAndSilent() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let child = try Haul.shell(
      "ulimit -c 0; exec \"$haul\" get \(origin.url("/file"))", in: folder.path)
    await gate.waitUntilReached()
    child.signal(SIGQUIT)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .signalled(SIGQUIT))
    #expect(!outcome.error.contains("rash"), "\(outcome.error)")
  }

  @Test func beforeTheFirstByteNothingIsLeft() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { _ in OriginResponse(status: 200).delayed(gate) }
    let child = try Haul.start(["get", origin.url("/file")], in: folder.path)
    await gate.waitUntilReached()
    child.signal(SIGINT)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130))
    #expect(!outcome.error.contains("goes on from there"))
    #expect(folder.names() == [])
  }

  /// The end of the address was told, which a list or a document often shares among its files.
  @Test func aFileThatIsNamedIsCalledByItsName() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { _ in OriginResponse(status: 200).delayed(gate) }
    let child = try Haul.start(
      ["get", "-d", "out", "-i", "-"], in: folder.path,
      input: origin.url("/mid.bin?3") + "\tf3.bin\n")
    await gate.waitUntilReached()
    child.signal(SIGTERM)
    let outcome = await Outcome(of: child)
    #expect(outcome.error.contains("interrupted out/f3.bin after 0 B"), "\(outcome.error)")
  }

  @Test func duringAPauseBetweenTries() async throws {
    let origin = try HostileOrigin { _ in
      OriginResponse(status: 503, text: "busy").with("Retry-After", "500")
    }
    let child = try Haul.start(["get", origin.url("/file")], in: folder.path)
    #expect(await child.waitForText("; try 2 of 8 in "))
    child.signal(SIGINT)
    #expect(await child.wait() == .exited(130))
    #expect(origin.requests.count == 1)
    #expect(folder.names() == [])
  }

  @Test func filesThatHaveNotBegunAreNotBegun() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let child = try Haul.start(
      ["get", "-j", "1", origin.url("/a"), origin.url("/b"), origin.url("/c")], in: folder.path)
    await gate.waitUntilReached()
    child.signal(SIGINT)
    #expect(await child.wait() == .exited(130))
    #expect(origin.requests.count == 1)
    #expect(folder.names().allSatisfy { $0.hasPrefix("a.haul-") })
  }

  /// Who reads a list waits for its next line: the interrupt waited as well, for ever; and once
  /// nothing ran, the end of an interrupted list was reported as the end of the list, with 0.
  @Test func whileAListIsWaitedFor() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let child = try Haul.shell(
      """
      mkfifo list; exec 3<>list; echo '\(origin.url("/a"))' >&3; rm list
      exec "$haul" get -i - <&3
      """, in: folder.path)
    #expect(await child.waitForText("a\n", in: .output))
    child.signal(SIGTERM)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130), "\(outcome.error)")
    #expect(outcome.paths == ["a"])
    #expect(folder.names() == ["a"])
    #expect(content.matches(path: folder.path("a")))
  }

  /// `nohup` and the `&` of a script say by an ignored signal that it is not meant for them.
  @Test(arguments: ["HUP", "INT"])
  func aSignalThatIsIgnoredStaysIgnored(_ name: String) async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    let child = try Haul.shell(
      "trap '' \(name); exec \"$haul\" get \(origin.url("/file"))", in: folder.path)
    await gate.waitUntilReached()
    child.signal(name == "HUP" ? SIGHUP : SIGINT)
    gate.open()
    #expect(await child.wait() == .exited(0))
    #expect(content.matches(path: folder.path("file")))
  }

  @Test func stoppedManyTimesItStillBecomesTheRightFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).throttled(bytesPerSecond: 2_500_000) }
    var stops = 0
    for _ in 0..<50 {
      let child = try Haul.start(["get", origin.url("/file")], in: folder.path)
      guard stops < 5, await child.waitForText("fetching") else {
        #expect(await child.wait() == .exited(0))
        break
      }
      child.signal(SIGINT)
      let exit = await child.wait()
      #expect(exit == .exited(130) || exit == .exited(0))
      stops += 1
      if exit == .exited(0) { break }
    }
    #expect(folder.names() == ["file"])
    #expect(content.matches(path: folder.path("file")))
  }

  /// One that came while the program was starting was lost now and then, and the download went on.
  @Test func howeverEarlyItComesItIsHeard() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 1_000, at: gate) }
    for round in 0..<60 {
      let child = try Haul.start(["get", origin.url("/file")], in: folder.path)
      // Not to wait for something: every instant of the start is meant.
      try await Task.sleep(for: .microseconds(300 * round))
      child.signal(SIGINT)
      let exit = await child.wait()
      #expect([.exited(130), .signalled(SIGINT)].contains(exit), "after \(300 * round) µs")
    }
    #expect(!folder.names().contains("file"))
  }
}
