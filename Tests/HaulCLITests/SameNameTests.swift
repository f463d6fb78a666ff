import Glibc
import HaulTestKit
import Testing

/// Files of one run that are to have one name: each of them is there in the end.
@Suite(.timeLimit(.minutes(1))) struct SameNameTests {
  let folder: TemporaryFolder
  /// Two builds that differ in nothing but their bytes and tags.
  let first = OriginContent(size: 30_000, seed: 71)
  let second = OriginContent(size: 30_000, seed: 72)

  init() throws { folder = try TemporaryFolder() }

  private func answer(_ request: OriginRequest) -> OriginResponse {
    let isFirst = request.path.hasPrefix("/A/")
    var resource = OriginResource(isFirst ? first : second)
    resource.etag = isFirst ? "\"a\"" : "\"b\""
    return resource.respond(to: request)
  }

  private func holdsBoth(_ place: String = "") -> Bool {
    let files = folder.names(in: place).map { folder.path(place + "/" + $0) }
    return files.contains { first.matches(path: $0) } && files.contains { second.matches(path: $0) }
  }

  /// The second file was there and the first one was not when the run was interrupted. The command
  /// that it printed left the first one out: a file of the same name, size and time was there.
  @Test func theCommandThatGoesOnLosesNone() async throws {
    let gate = Gate()
    let script = Script(
      .next(2) { request in
        request.path.hasPrefix("/A/") ? answer(request).delayed(gate) : answer(request)
      },
      finally: { answer($0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    try folder.write(text: origin.url("/A/f.bin\n") + origin.url("/B/f.bin\n"), to: "l")
    let child = try Haul.start(["get", "-i", "l", "-d", "d"], in: folder.path)
    #expect(await child.waitForText("d/f.bin\n", in: .output))
    child.signal(SIGINT)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130), "\(outcome.error)")
    let command = outcome.error.split(separator: "\n").last { $0.contains("to go on") }
    let words = try #require(command?.split(separator: ": ").last?.split(separator: " "))
    #expect(words.dropFirst().joined(separator: " ") == "get -i l -d d")
    let next = try await Haul.run(words.dropFirst().map(String.init), in: folder.path)
    #expect(next.exit == .exited(0))
    #expect(holdsBoth("d"), "\(next.error)")
  }

  /// With names of their own nothing is fetched twice.
  @Test func distinctNamesAreSkipped() async throws {
    let gate = Gate()
    let origin = try HostileOrigin { request in
      request.path.hasSuffix("late.bin") ? answer(request).delayed(gate) : answer(request)
    }
    try folder.write(text: origin.url("/A/late.bin\n") + origin.url("/B/f.bin\n"), to: "l")
    let child = try Haul.start(["get", "-i", "l"], in: folder.path)
    #expect(await child.waitForText("f.bin\n", in: .output))
    child.signal(SIGINT)
    let outcome = await Outcome(of: child)
    #expect(outcome.error.contains(" get --exists skip -i l\n"), "\(outcome.error)")
  }

  /// What a file was judged by is told: size and time prove nothing.
  @Test func whatAFileWasSkippedBy() async throws {
    let origin = try HostileOrigin { answer($0) }
    #expect(try await Haul.get(origin.url("/A/f.bin"), in: folder.path).status == 0)
    let events = try await Haul.get(
      "--exists=skip", "--json", origin.url("/B/f.bin"), in: folder.path)
    let skipped = try await Events(events.output).first("skipped")
    #expect(skipped["path"] as? String == "./f.bin")
    #expect(skipped["by"] as? String == "size-and-time")
    let digest = "\(first.digest())"
    let right = try await Haul.get(
      "--exists=skip", "--json", "--digest", digest, origin.url("/A/f.bin"), in: folder.path)
    #expect(right.output.contains(#""by":"digest""#), "\(right.output)")
  }

  /// The second one took the place of the first one, which had just been fetched, and both were
  /// said to be there.
  @Test(arguments: ["1", "3"])
  func overwritingSparesFilesOfTheSameRun(_ parallel: String) async throws {
    let origin = try HostileOrigin { answer($0) }
    let urls = [origin.url("/A/f.bin"), origin.url("/B/f.bin")]
    try folder.write(text: "old", to: "f.bin")
    let plan = try await Haul.run(
      ["get", "--exists=overwrite", "--dry-run", "-j", parallel] + urls, in: folder.path)
    #expect(plan.exit == .exited(0))
    #expect(plan.error.contains("f (1).bin"), "\(plan.error)")
    let outcome = try await Haul.run(
      ["get", "--exists=overwrite", "-j", parallel] + urls, in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(folder.names() == ["f (1).bin", "f.bin"])
    #expect(holdsBoth(), "\(outcome.error)")
    #expect(outcome.paths.sorted() == ["f (1).bin", "f.bin"])
  }

  /// The name was said to be taken, and no file of that name was there.
  @Test func aPartInTheWayIsNamed() async throws {
    let script = Script(.next { answer($0).cutting(after: 10_000) }, finally: { answer($0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    _ = try await Haul.get("--tries", "1", origin.url("/A/f.bin"), in: folder.path)
    let says = "f.bin is kept for the part of another address, f.bin.haul-part"
    let plan = try await Haul.get("--dry-run", origin.url("/B/f.bin"), in: folder.path)
    #expect(plan.error.contains(says), "\(plan.error)")
    let outcome = try await Haul.get(origin.url("/B/f.bin"), in: folder.path)
    #expect(outcome.paths == ["f (1).bin"])
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }
}
