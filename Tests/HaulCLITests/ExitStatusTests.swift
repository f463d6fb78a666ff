import Foundation
import HaulTestKit
import Testing

/// Each exit status of the program (DESIGN §5) by causes that really happen.
@Suite(.timeLimit(.minutes(1))) struct ExitStatusTests {
  let folder: TemporaryFolder
  static let content = OriginContent(size: 50_000, seed: 5)

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A cause: what the server does, the options, and what comes of it.
  struct Cause: Sendable, CustomTestStringConvertible {
    var status: Int32
    var code: String
    var options: [String] = []
    var remedy: String
    var answer: @Sendable (OriginRequest) -> OriginResponse

    init(
      _ status: Int32, _ code: String, _ options: [String] = [], says remedy: String,
      _ answer: @escaping @Sendable (OriginRequest) -> OriginResponse
    ) {
      self.status = status
      self.code = code
      self.options = options
      self.remedy = remedy
      self.answer = answer
    }

    var testDescription: String { "\(status) \(code) \(options.joined(separator: " "))" }
  }

  static let resource = OriginResource(content)

  static let causes: [Cause] = [
    Cause(3, "connection-lost", says: "2 times") {
      resource.respond(to: $0).resetting(after: 0)
    },
    Cause(3, "not-http", says: "HTTP") { _ in .junk(Array("SSH-2.0-x\r\n".utf8)) },
    Cause(4, "http-status", says: "404 Not Found; check the address") { _ in
      OriginResponse(status: 404, text: "secret page")
    },
    Cause(4, "http-status", says: "was refused") { _ in
      OriginResponse(status: 401, text: "who?")
    },
    Cause(4, "http-status", says: "try again later") { _ in
      OriginResponse(status: 503, text: "busy")
    },
    Cause(4, "redirect-loop", ["--max-redirs", "3"], says: "--max-redirs") {
      .redirect(to: $0.target)
    },
    Cause(
      5, "digest-mismatch", ["--digest", "md5=00000000000000000000000000000000"],
      says: "nothing was kept"
    ) {
      resource.respond(to: $0)
    },
    Cause(5, "wrong-type", ["--expect", "video/*"], says: "video/*") { resource.respond(to: $0) },
    Cause(5, "length-mismatch", says: "2 times") {
      resource.withoutValidators().ignoringRanges().respond(to: $0).cutting(after: 100)
    },
    Cause(5, "length-mismatch", says: "2 times") { request in
      guard request.range != nil else { return resource.respond(to: request).cutting(after: 99) }
      var response = resource.respond(to: request).chunked()
      response.body = []
      return response
    },
    Cause(7, "redirect-refused", says: "only http and https") { _ in
      .redirect(to: "file:///etc/passwd")
    },
    Cause(7, "too-large", ["--max-filesize", "10k"], says: "10240 are allowed") {
      resource.respond(to: $0)
    },
    Cause(7, "too-large", ["--max-filesize", "10k"], says: "10240 bytes that are allowed") {
      resource.respond(to: $0).chunked()
    },
  ]

  @Test(arguments: causes)
  func cause(_ cause: Cause) async throws {
    let origin = try HostileOrigin(cause.answer)
    let url = "http://me:hunter2@127.0.0.1:\(origin.port)/file?token=hunter3"
    let outcome = try await Haul.run(
      ["get", "--tries", "2", "--retry-max-delay", "0", url] + cause.options, in: folder.path)
    #expect(outcome.exit == .exited(cause.status), "\(outcome.error)")
    #expect(outcome.output == "")
    #expect(outcome.error.contains("failed [\(cause.code)]"), "\(outcome.error)")
    #expect(outcome.error.contains(cause.remedy), "\(outcome.error)")
    #expect(outcome.error.contains("127.0.0.1:\(origin.port)/file"))
    #expect(!outcome.error.contains("hunter"), "\(outcome.error)")
    #expect(!folder.names().contains("file"))
    for name in folder.names() where name.hasSuffix(".haul-journal") {
      #expect(folder.text(name)?.contains("hunter") == false)
    }
  }

  /// What servers send is quoted in messages: it must not steer the terminal of the user.
  @Test(arguments: [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "a\u{9B}31m", "a\u{202E}b", "a\u{8}\u{8}b", "a\u{7F}",
  ])
  func textOfTheServerIsHarmless(_ text: String) async throws {
    let origin = try HostileOrigin { request in
      let response = Self.resource.respond(to: request)
      switch request.path {
      case "/coding": return response.with("Content-Encoding", text)
      case "/type": return response.with("Content-Type", "x/\(text)")
      case "/location": return .redirect(to: "http://127.0.0.1:1/\(text)")
      case "/name": return response.with("Content-Disposition", "attachment; filename=\"n\(text)\"")
      default: return OriginResponse(status: 404, text: "").withStatusLine("HTTP/1.1 404 \(text)")
      }
    }
    for path in ["/coding", "/type", "/location", "/name", "/status"] {
      let outcome = try await Haul.run(
        ["get", "--tries", "1", "--expect", "application/*", origin.url(path)], in: folder.path)
      let shown = (outcome.error + outcome.output).unicodeScalars.filter { $0 != "\n" }
      #expect(
        shown.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) },
        "\(path) \(outcome.error.debugDescription)")
      #expect((outcome.error + outcome.output).contains("haul: "))
    }
  }

  @Test func nobodyListens() async throws {
    let port = try HostileOrigin { _ in OriginResponse(status: 200) }.port
    let outcome = try await Haul.run(
      ["get", "--tries", "1", "http://127.0.0.1:\(port)/file"], in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("failed [connection-failed]"), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test(arguments: ["ftp://h/file", "file://h/etc/passwd", "javascript://h/x"])
  func schemeThatIsRefused(_ url: String) async throws {
    let outcome = try await Haul.run(["get", url], in: folder.path)
    #expect(outcome.exit == .exited(7))
    #expect(outcome.error.contains("failed [scheme]"), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test func failuresOfOneKindKeepTheirStatusAndOthersAreOne() async throws {
    let origin = try HostileOrigin { request in
      switch request.path {
      case "/right": Self.resource.respond(to: request)
      case "/loop": .redirect(to: "/loop")
      case "/page": OriginResponse(status: 200, text: "hello", contentType: "text/html")
      default: OriginResponse(status: 404, text: "none")
      }
    }
    func status(_ paths: String...) async throws -> Int32? {
      let folder = try TemporaryFolder()
      let options = ["get", "--expect", "application/*"]
      let outcome = try await Haul.run(options + paths.map(origin.url), in: folder.path)
      let hasRight = paths.contains("/right")
      #expect(folder.names() == (hasRight ? ["right"] : []))
      #expect(outcome.paths == (hasRight ? ["right"] : []))
      return outcome.status
    }
    #expect(try await status("/right") == 0)
    #expect(try await status("/right", "/a") == 4)
    #expect(try await status("/a", "/b", "/loop") == 4)
    #expect(try await status("/right", "/page") == 5)
    #expect(try await status("/a", "/page") == 1)
    #expect(try await status("/a", "/right", "/page") == 1)
  }

  @Test func aFileWithAWrongDigestIsKeptOnRequestOnly() async throws {
    let origin = try HostileOrigin { Self.resource.respond(to: $0) }
    let digest = "--digest=md5=00000000000000000000000000000000"
    let outcome = try await Haul.get(digest, "--keep-bad", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(5))
    #expect(folder.names() == ["file.haul-bad"])
    #expect(Self.content.matches(path: folder.path("file.haul-bad")))
  }

  /// What a path on standard output promises does not hold for a file that nobody can hear of.
  @Test func aReaderThatGoesAwayDoesNotHarmTheFile() async throws {
    let origin = try HostileOrigin { Self.resource.respond(to: $0) }
    let child = try Haul.shell(
      "\"$haul\" get \(origin.url("/file")) 2>&1 | true", in: folder.path)
    _ = await child.wait()
    #expect(await eventually { folder.names() == ["file"] })
    #expect(Self.content.matches(path: folder.path("file")))
  }

  /// With a standard stream closed, the next socket or file that was opened got its number, and
  /// what was said to the user was written into that.
  @Test(arguments: [("2>&-", [2]), (">&-", [1]), ("<&-", [0]), ("<&- >&- 2>&-", [0, 1, 2])])
  func messagesNeverGetIntoAFile(_ closing: String, _ closed: [Int]) async throws {
    let gate = Gate()
    let script = Script(
      .next { Self.resource.respond(to: $0).resetting(after: 20_000) },
      .next { Self.resource.respond(to: $0).cutting(after: 10_000) },
      finally: { Self.resource.respond(to: $0).stalling(after: 5_000, at: gate) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let child = try Haul.shell(
      "exec \"$haul\" get --retry-max-delay 0 \(origin.url("/file")) \(closing)",
      in: folder.path)
    await gate.waitUntilReached()
    for number in closed {
      let stream = "/proc/\(child.pid)/fd/\(number)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: stream) == "/dev/null")
    }
    gate.open()
    #expect(await child.wait() == .exited(0))
    #expect(folder.names() == ["file"])
    #expect(Self.content.difference(path: folder.path("file")) == nil)
  }
}
