import HaulTestKit
import HaulTransfer
import Testing

/// CASES T1, T2, T5: servers and networks that refuse for a while, or for good.
@Suite struct RetryCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  func cutting(_ request: OriginRequest) -> OriginResponse {
    bench.resource.respond(to: request).cutting(after: Bench.cut)
  }

  func busy(_ status: Int) -> OriginResponse {
    OriginResponse(status: status, text: "<html>please wait</html>", contentType: "text/html")
  }

  static let retryable = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]

  @Test(arguments: retryable)
  func aServerThatIsBusyForAWhileIsAskedAgain(status: Int) async throws {
    let script = Script(
      .next { cutting($0) }, .next { _ in busy(status) },
      finally: { bench.resource.respond(to: $0) }
    )
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost, .httpStatus])
    }
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(
        origin.requests.map { $0.header("Range") } == [nil, "bytes=300000-", "bytes=300000-"])
    }
    #expect(origin.requests.allSatisfy { $0.method == "GET" })
  }

  @Test(arguments: retryable)
  func bytesAreKeptWhenTheTriesAreUsedUp(status: Int) async throws {
    let script = Script(.next { cutting($0) }, finally: { _ in busy(status) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    let result = await fetch.run()
    try await bench.expectKept(result, .httpStatus, status: status)
    #expect(result.failure?.message.contains("tried 3 times") == true)
    if Connections.count == 1 {
      #expect(origin.requests.count == 3)
    }
  }

  @Test(arguments: [
    204, 205, 300, 304, 305, 306, 400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414,
    415, 416, 417, 421, 422, 423, 426, 428, 431, 451, 501, 505, 511, 599, 600, 999,
  ])
  func aStatusThatStaysIsAFailureAtOnce(status: Int) async throws {
    let bodyless = status == 204 || status == 205 || status == 304
    let origin = try HostileOrigin { _ in
      if bodyless { return OriginResponse(status: status, framing: OriginFraming.none) }
      return busy(status)
    }
    let fetch = try bench.fetch(origin.url("/file"))
    bench.expectNothing(await fetch.run(), .httpStatus, status: status)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: [401, 403, 404, 410, 451])
  func aRefusalOfTheFirstURLKeepsTheBytesOnDisk(status: Int) async throws {
    let script = Script(.next { cutting($0) }, .next { _ in busy(status) }) {
      bench.resource.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    try await bench.leavePart(of: origin.url("/file"))
    try await bench.expectKept(
      try bench.fetch(origin.url("/file")).run(), .httpStatus, status: status)
    bench.expectRight(try await bench.fetch(origin.url("/file")).run())
    if Connections.count == 1 {
      #expect(
        origin.requests.map { $0.header("Range") } == [nil, "bytes=300000-", "bytes=300000-"])
    }
  }

  @Test func aTryThatMadeProgressRenewsTheBudget() async throws {
    let origin = try HostileOrigin { bench.resource.respond(to: $0).cutting(after: 100_000) }
    let fetch = try bench.fetch(origin.url("/file")) { $0.retries.tries = 2 }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.range?.first ?? 0 } == (0..<9).map { $0 * 100_000 })
      #expect(fetch.ear.retries.count == 8)
    }
    #expect(fetch.ear.restarts == [])
  }

  @Test func comingAsFarAsBeforeIsNoProgress() async throws {
    // Without ranges every try starts at zero and is cut at the same place: it must end some day.
    let resource = bench.resource.ignoringRanges().withoutValidators()
    let origin = try HostileOrigin { resource.respond(to: $0).cutting(after: Bench.cut) }
    let fetch = try bench.fetch(origin.url("/file")) { $0.retries.tries = 4 }
    #expect(await fetch.run().failure?.code == .lengthMismatch)
    #expect(!bench.folder.names.contains("file"))
    // The first restart counts anew, since its bytes might have been continued.
    if Connections.count == 1 {
      #expect(origin.requests.count == 5)
    }
  }

  enum Trouble: String, CaseIterable {
    case closedBeforeTheAnswer, resetBeforeTheAnswer, resetInTheHead, resetInTheBody, cutInTheBody

    func answer(_ right: OriginResponse) -> OriginResponse {
      switch self {
      case .closedBeforeTheAnswer: .hangUp(.close)
      case .resetBeforeTheAnswer: .hangUp(.reset)
      case .resetInTheHead: .junk(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8), then: .reset)
      case .resetInTheBody: right.resetting(after: 200_000)
      case .cutInTheBody: right.cutting(after: 200_000)
      }
    }
  }

  @Test(arguments: Trouble.allCases)
  func aLostConnectionIsTriedAgain(trouble: Trouble) async throws {
    let script = Script(.next(2) { trouble.answer(bench.resource.respond(to: $0)) }) {
      bench.resource.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost, .connectionLost])
    }
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.requests.count == 3)
    }
  }

  @Test(arguments: Trouble.allCases.prefix(3))
  func aConnectionThatIsAlwaysLostIsAFailure(trouble: Trouble) async throws {
    let origin = try HostileOrigin { _ in trouble.answer(OriginResponse(status: 200, text: "x")) }
    let fetch = try bench.fetch(origin.url("/file")) { $0.retries.tries = 3 }
    bench.expectNothing(await fetch.run(), .connectionLost)
    if Connections.count == 1 {
      #expect(origin.requests.count == 3)
    }
  }

  /// The real name server is asked, and one that does not answer in time is asked again and again.
  @Test func aNameThatDoesNotExistIsANamedFailure() async throws {
    let clock = HastyClock()
    let fetch = try bench.fetch("http://nonexistent.invalid/file", in: world { $0.clock = clock }) {
      $0.retries.tries = 8
    }
    let result = await fetch.run()
    bench.expectNothing(result, .nameNotResolved)
    #expect((1...7).contains(fetch.ear.retries.count))
    #expect(fetch.ear.retries.allSatisfy { $0 == .nameNotResolved })
    #expect(result.failure?.message.hasPrefix("http://nonexistent.invalid/file ") == true)
  }

  @Test func aRefusedConnectionIsTriedAgainForSomeSeconds() async throws {
    let clock = HastyClock()
    let fetch = try bench.fetch("http://127.0.0.1:1/file", in: world { $0.clock = clock }) {
      $0.retries.tries = 8
    }
    let result = await fetch.run()
    bench.expectNothing(result, .connectionFailed)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionFailed, .connectionFailed])
    }
    #expect((3...6).contains(fetch.ear.delays.reduce(0, +)))
    #expect(result.failure?.message.contains("(Connection refused)") == true)
  }

  @Test func whoeverAsksForTriesGetsThem() async throws {
    for url in ["http://nonexistent.invalid/file", "http://127.0.0.1:1/file"] {
      let fetch = try bench.fetch(url, in: world { $0.clock = HastyClock() }) {
        $0.retries.tries = 5
        $0.retries.triesForUnknownName = 5
        $0.retries.triesForRefusedConnection = 5
      }
      #expect(await fetch.run().failure?.message.contains("tried 5 times without") == true)
      if Connections.count == 1 {
        #expect(fetch.ear.retries.count == 4)
      }
    }
  }

  /// A server that goes away after its first answer is waited for, by this transfer and by others.
  @Test func aServerThatWasThereIsWorthAllTries() async throws {
    let origin = try HostileOrigin { cutting($0) }
    let url = origin.url("/file")
    let environment = world { $0.clock = HastyClock() }
    let first = try bench.fetch(url, in: environment) { $0.retries.tries = 1 }
    try await bench.expectKept(await first.run(), .connectionLost)
    origin.stop()
    let resumed = try bench.fetch(url, in: world { $0.clock = HastyClock() }) {
      $0.retries.tries = 6
    }
    try await bench.expectKept(await resumed.run(), .connectionFailed)
    if Connections.count == 1 {
      #expect(resumed.ear.retries.count == 5)
    }
    let other = try bench.fetch(origin.url("/other"), named: "other", in: environment) {
      $0.retries.tries = 6
    }
    #expect(await other.run().failure?.code == .connectionFailed)
    if Connections.count == 1 {
      #expect(other.ear.retries.count == 5)
    }
  }

  /// Stopped while the second look-up is on its way: nothing may come of it.
  @Test func stoppingDuringALookUpIsTheEnd() async throws {
    let fetches = try (0..<30).map {
      try bench.fetch("http://nonexistent\($0).invalid/file", named: "\($0)")
    }
    for fetch in fetches { fetch.transfer.start() }
    for fetch in fetches { fetch.transfer.stop() }
    for fetch in fetches {
      _ = await fetch.transfer.result()
      #expect(fetch.ear.endCount == 1)
    }
    #expect(bench.folder.names == [])
  }

  @Test func aServerThatIsDownAndBackIsAskedAgain() async throws {
    let cut = Script(.next { cutting($0) }) { bench.resource.respond(to: $0) }
    let files = try HostileOrigin { cut.respond(to: $0) }
    let filesURL = files.url("/file")
    let first = Script(
      .next { _ in .redirect(to: filesURL) },
      .next { _ in .redirect(to: "http://127.0.0.1:1/file") },
      finally: { _ in .redirect(to: filesURL) })
    let origin = try HostileOrigin { first.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"))
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.connectionLost, .connectionFailed])
      #expect(files.requests.map { $0.header("Range") } == [nil, "bytes=300000-"])
    }
  }

  @Test func stoppingDuringAPauseIsQuickAndKeepsTheBytes() async throws {
    let script = Script(.next { cutting($0) }) { _ in busy(503) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let clock = StillClock()
    let fetch = try bench.fetch(origin.url("/file"), in: world { $0.clock = clock })
    fetch.transfer.start()
    // The tick of the checkpoint, the wake after the cut, which the still clock never brings.
    await clock.waitForJobs(2)
    fetch.transfer.stop()
    let result = await fetch.transfer.result()
    #expect(result.stoppedAt == Bench.cut)
    try await bench.expectKept()
    #expect(fetch.ear.endCount == 1)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }
}

/// CASES T11: look-ups of names, and one transfer beside another.
@Suite struct LookUpCases {
  /// Failing look-ups of a hundred transfers run beside one that knows its address: it must not
  /// wait for any of them, and all must end.
  @Test func lookUpsHoldUpNobody() async throws {
    let bench = try Bench()
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let lost = try (0..<100).map { number in
      try bench.fetch("http://host\(number).invalid/file", named: "\(number)")
    }
    for fetch in lost { fetch.transfer.start() }
    let result = try await bench.fetch(origin.url("/file")).run()
    #expect(result.finished != nil)
    #expect(bench.content.matches(path: bench.folder.file("file")))
    for (number, fetch) in lost.enumerated() where number % 2 == 0 { fetch.transfer.stop() }
    for (number, fetch) in lost.enumerated() {
      switch await fetch.transfer.result() {
      case .failed(let failure): #expect(failure.code == .nameNotResolved)
      case .stopped(let received, _): #expect(received == 0 && number % 2 == 0)
      default: Issue.record("\(number) cannot have finished")
      }
    }
    #expect(bench.folder.names == ["file"])
  }
}
