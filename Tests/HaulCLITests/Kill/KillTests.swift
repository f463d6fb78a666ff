import HaulTestKit
import Testing

/// CASES R16, R18, R22: `kill -9` at any instant, then the same command again.
///
/// The kills are drawn from a seed, which `HAUL_KILL_SEED` sets; 40 in all, or 500 with
/// `HAUL_TEST_ALL`, and as many again with eight connections and two mirrors.
@Suite(.timeLimit(.minutes(10))) struct KillTests {
  /// Kills in the middle of a slow file. What was received is not fetched again, but for the last
  /// two seconds at most.
  @Test(arguments: Victim.seeds(1, Victim.count(4, 50)))
  func whileBytesArrive(_ seed: UInt64) async throws {
    let victim = try Victim(seed: seed)
    let rate = victim.draw(800_000...1_600_000)
    let content = OriginContent(size: Int64(victim.draw(3_000_000...9_000_000)), seed: seed)
    let resource = OriginResource(content)
    let origin = try HostileOrigin { request in
      let response = resource.respond(to: request)
      // The last run need not take its time.
      return request.header("X-Fast") == nil ? response.throttled(bytesPerSecond: rate) : response
    }
    let url = origin.url("/file")
    var asked = 0
    var reached: Int64 = 0
    for _ in 0..<4 {
      let sentBefore = origin.bodyBytesSent
      guard try await victim.kill(url, afterMicroseconds: victim.draw(30_000...3_200_000)) else {
        break
      }
      await origin.waitUntilIdle()
      victim.check([content])
      // Killed after its work and before its end; one more run would fetch another copy.
      if victim.isOver { break }
      guard origin.requests.count > asked else { continue }
      // A run that was killed before it asked has neither won nor lost anything.
      #expect(origin.requests.count == asked + 1, victim.note)
      let start = origin.requests[asked].range?.first ?? 0
      asked += 1
      #expect(reached - start <= Int64(2 * rate), "\(victim.note): \(reached) \(start)")
      reached = start + origin.bodyBytesSent - sentBefore
    }
    try await victim.finish(url, [content])
    if origin.requests.count > asked {
      let start = origin.requests[asked].range?.first ?? 0
      #expect(reached - start <= Int64(2 * rate), "\(victim.note): \(reached) \(start)")
    }
  }

  /// Kills while eight connections bring one file from three sources. What was received is not fetched
  /// again, but for the last two seconds of each run at most.
  @Test(arguments: Victim.seeds(5, Victim.count(10, 125)))
  func whileEightConnectionsBringIt(_ seed: UInt64) async throws {
    let content = OriginContent(size: 12 << 20, seed: seed)
    let rate = 200_000
    let origins = try (0..<3).map { number in
      var resource = OriginResource(content)
      // Tags of one server mean nothing to another.
      resource.etag = "\"\(number)\""
      let served = resource
      return try HostileOrigin { request in
        let response = served.respond(to: request)
        return request.header("X-Fast") == nil ? response.throttled(bytesPerSecond: rate) : response
      }
    }
    let mirrors = origins.dropFirst().flatMap { ["--mirror", $0.url("/file")] }
    let digest = ["--digest", "\(content.digest())"]
    let victim = try Victim(seed: seed, ["-x", "8"] + mirrors + digest)
    let url = origins[0].url("/file")
    var kills = 0
    for _ in 0..<4 {
      kills += 1
      let isKilled = try await victim.kill(url, afterMicroseconds: victim.draw(30_000...2_500_000))
      for origin in origins { await origin.waitUntilIdle() }
      victim.check([content])
      if !isKilled || victim.isOver { break }
    }
    try await victim.finish(url, [content])
    let sent = origins.reduce(0) { $0 + $1.bodyBytesSent }
    #expect(sent <= content.size + Int64(kills * 2 * 8 * rate), "\(victim.note): \(sent)")
    #expect(origins.dropFirst().contains { $0.bodyBytesSent > 0 }, victim.note)
  }

  /// Kills from the start of the program to the end of a small file that comes at once.
  @Test(arguments: Victim.seeds(2, Victim.count(8, 150)))
  func anywhereInAShortLife(_ seed: UInt64) async throws {
    let victim = try Victim(seed: seed)
    let content = OriginContent(size: Int64(victim.draw(0...300_000)), seed: seed)
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    _ = try await victim.kill(origin.url("/file"), afterMicroseconds: victim.draw(5_000...90_000))
    victim.check([content])
    try await victim.finish(origin.url("/file"), [content])
  }

  /// Kills around publishing, with a journal: the note, the rename, the journal's removal.
  @Test(arguments: Victim.seeds(3, Victim.count(10, 100)))
  func aroundPublishing(_ seed: UInt64) async throws {
    let victim = try Victim(seed: seed)
    let content = OriginContent(size: Int64(victim.draw(1...2_500_000)), seed: seed)
    let resource = OriginResource(content)
    let gate = Gate()
    let last = max(1, content.size / 2)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: last) },
      finally: { request in
        let response = resource.respond(to: request)
        return response.stalling(after: max(0, response.bodyByteCount - 1), at: gate)
      })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let url = origin.url("/file")
    let first = try victim.start(url, ["--tries", "1"])
    await first.wait()
    let child = try victim.start(url)
    await gate.waitUntilReached()
    gate.open()
    if victim.draw(0...1) == 0 {
      // Everything that is left to do takes some milliseconds.
      try await Task.sleep(for: .microseconds(victim.draw(0...25_000)))
    } else {
      // The name is given, and its journal is about to go.
      while !victim.hasName, child.exit == nil {}
    }
    child.signal(9)
    await child.wait()
    victim.check([content])
    let before = origin.requests.count
    let wasPublished = victim.isPublished
    try await victim.finish(url, [content])
    // A file that stands under its name is recognised, and not fetched again.
    if wasPublished { #expect(origin.requests.count == before, victim.note) }
  }

  /// The file changes between the kills, so that what is there has to be given up.
  @Test(arguments: Victim.seeds(4, Victim.count(3, 25)))
  func whileTheFileChanges(_ seed: UInt64) async throws {
    let victim = try Victim(seed: seed)
    let rate = victim.draw(2_000_000...4_000_000)
    let size = Int64(victim.draw(1_500_000...4_000_000))
    var versions = [OriginContent(size: size, seed: seed)]
    let resource = VersionedResource(OriginResource(versions[0]))
    let hasValidator = victim.draw(0...3) > 0
    let origin = try HostileOrigin { request in
      let current = hasValidator ? resource.current : resource.current.withoutValidators()
      let response = current.respond(to: request)
      return request.header("X-Fast") == nil ? response.throttled(bytesPerSecond: rate) : response
    }
    for _ in 0..<4 {
      _ = try await victim.kill(
        origin.url("/file"), afterMicroseconds: victim.draw(30_000...1_500_000))
      // What was published is of the version that was there.
      victim.check(versions)
      if victim.isPublished { break }
      if victim.draw(0...1) == 0 {
        var next = resource.current.changed
        if victim.draw(0...2) == 0 { next.content = next.content.resized(to: size / 2) }
        versions.append(next.content)
        resource.replace(with: next)
      }
    }
    let current = [versions[versions.count - 1]]
    try await victim.finish(origin.url("/file"), victim.isPublished ? versions : current)
  }
}
