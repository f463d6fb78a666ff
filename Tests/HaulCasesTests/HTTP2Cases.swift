import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// CASES T11: many exchanges over one HTTP/2 connection.
@Suite(.serialized) struct HTTP2Cases {
  let bench: Bench
  let nginx: NginxServer

  init() throws {
    bench = try Bench()
    nginx = try NginxServer()
    try bench.content.write(to: nginx.path("file"))
  }

  func trusting(_ request: inout TransferRequest) {
    request.connection.certificateAuthorities = nginx.authorityPath
  }

  func write(_ count: Int, of size: Int64) throws -> [OriginContent] {
    try (0..<count).map { number in
      let content = OriginContent(size: size, seed: UInt64(100 + number))
      try content.write(to: nginx.path("\(number)"))
      return content
    }
  }

  @Test func filesAreFetchedOverHTTP2() async throws {
    bench.expectRight(try await bench.fetch(nginx.url("/file", on: .http2), trusting).run())
    if Connections.count == 1 {
      #expect(
        nginx.accessLog.filter { $0.contains("/file") }.allSatisfy { $0.contains("HTTP/2.0") })
    }
  }

  @Test func aConnectionThatGoesAwayIsReplaced() async throws {
    // GOAWAY after three requests, whatever is still under way.
    let contents = try write(12, of: 200_000)
    let url = nginx.url("/", on: .fewHTTP2)
    try await withThrowingTaskGroup(of: TransferResult.self) { group in
      for number in contents.indices {
        let fetch = try bench.fetch("\(url)\(number)", named: "\(number)", trusting)
        group.addTask { await fetch.run() }
      }
      for try await result in group { #expect(result.finished != nil, "\(result)") }
    }
    for (number, content) in contents.enumerated() {
      #expect(content.matches(path: bench.folder.file("\(number)")))
    }
    #expect(bench.folder.names.count == contents.count)
  }

  /// Exchanges that pause for the rate limit hold up the others on their connection for as long
  /// as they pause; none may wait for ever, and none may get bytes of another.
  @Test func manyFilesUnderOneLimitAllArrive() async throws {
    let contents = try write(20, of: 100_000)
    let clock = SystemClock()
    let limiter = RateLimiter(bytesPerSecond: 2_000_000, clock: clock)
    let start = clock.now
    try await withThrowingTaskGroup(of: TransferResult.self) { group in
      for number in contents.indices {
        let fetch = try bench.fetch(
          nginx.url("/\(number)", on: .http2), named: "\(number)",
          in: world { $0.limiter = limiter }
        ) {
          trusting(&$0)
          $0.connection.receiveBuffer = 64 << 10
        }
        group.addTask { await fetch.run() }
      }
      for try await result in group { #expect(result.finished != nil, "\(result)") }
    }
    for (number, content) in contents.enumerated() {
      #expect(content.matches(path: bench.folder.file("\(number)")))
    }
    // 2 MB at 2 MB/s, less what the bucket holds at first and what the last draw may exceed.
    #expect(clock.now.seconds(since: start) > 0.6)
  }

  @Test func stoppingAPausedExchangeLetsTheOthersGoOn() async throws {
    let contents = try write(6, of: 400_000)
    let limiter = RateLimiter(bytesPerSecond: 1, clock: SystemClock())
    let stopped = try (0..<3).map { number in
      try bench.fetch(
        nginx.url("/\(number)", on: .http2), named: "\(number)",
        in: world { $0.limiter = limiter }, trusting)
    }
    for fetch in stopped { fetch.transfer.start() }
    // The first draw is free, so that these hold bytes now and pause for an age.
    for fetch in stopped {
      while !fetch.ear.events.contains(where: { if case .started = $0 { true } else { false } }) {
        await Task.yield()
      }
    }
    let others = try (3..<6).map { number in
      try bench.fetch(nginx.url("/\(number)", on: .http2), named: "\(number)", trusting)
    }
    for fetch in others { fetch.transfer.start() }
    for fetch in stopped { fetch.transfer.stop() }
    for fetch in stopped { #expect(await fetch.transfer.result().stoppedAt != nil) }
    for (number, fetch) in zip(3..<6, others) {
      #expect(await fetch.transfer.result().finished != nil)
      #expect(contents[number].matches(path: bench.folder.file("\(number)")))
    }
  }

  /// Streams that pause and are cancelled at any time, on the connection on which others go on. A
  /// byte of another file would show in a file, or in a part that is continued later.
  @Test(arguments: [1, 2] as [UInt64])
  func cancelsAtRandomMixNoFiles(_ seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    let contents = try (0..<30).map { number in
      // Some arrive as a whole, others in many pieces.
      let size = Int64([3000, 120_000, 260_000, 700_000][number % 4] + number)
      let content = OriginContent(size: size, seed: seed &* 1000 &+ UInt64(number))
      try content.write(to: nginx.path("\(number)"))
      return content
    }
    let limiter = RateLimiter(bytesPerSecond: 30_000, clock: SystemClock())
    let limited = world { $0.limiter = limiter }
    let free = world()
    let isLimited = contents.map { _ in random.next() % 3 == 0 }
    let fetches = try contents.indices.map { number in
      try bench.fetch(
        nginx.url("/\(number)", on: .http2), named: "\(number)",
        in: isLimited[number] ? limited : free, trusting)
    }
    for fetch in fetches { fetch.transfer.start() }
    // A third is stopped: at once, when bytes have come, or somewhere in between.
    for fetch in fetches where random.next() % 3 == 0 {
      for _ in 0..<random.next() % 3000 { await Task.yield() }
      fetch.transfer.stop()
    }
    var stopped: [Int] = []
    for (number, fetch) in fetches.enumerated() {
      // The limited ones would take their time; what they have is compared below.
      if isLimited[number] { fetch.transfer.stop() }
      let result = await fetch.transfer.result()
      if Connections.count == 1 {
        #expect(fetch.ear.endCount == 1 && fetch.ear.retries == [])
      }
      guard result.finished == nil else { continue }
      #expect(result.stoppedAt != nil, "\(number): \(result), seed \(seed)")
      stopped.append(number)
    }
    #expect(!stopped.isEmpty)
    for number in stopped {
      let again = try bench.fetch(nginx.url("/\(number)", on: .http2), named: "\(number)", trusting)
      #expect(await again.run().finished != nil)
      #expect(again.ear.restarts == [])
    }
    for (number, content) in contents.enumerated() {
      #expect(content.matches(path: bench.folder.file("\(number)")), "\(number), seed \(seed)")
    }
    #expect(bench.folder.names == contents.indices.map { "\($0)" }.sorted())
  }

  @Test func connectionsOfHTTP1ThatEndAfterThreeRequestsAreReplaced() async throws {
    let contents = try write(8, of: 50_000)
    for (number, content) in contents.enumerated() {
      let fetch = try bench.fetch(nginx.url("/\(number)", on: .few), named: "\(number)")
      #expect(await fetch.run().finished != nil)
      #expect(content.matches(path: bench.folder.file("\(number)")))
      if Connections.count == 1 {
        #expect(fetch.ear.retries == [])
      }
    }
  }
}
