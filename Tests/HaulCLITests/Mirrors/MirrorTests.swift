import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// What `--mirror` and `--metalink` ask the engine for.
@Suite struct MirrorTests {
  let url = "http://a.test/f"

  func parse(_ arguments: [String]) throws(UsageError) -> GetOptions {
    try Parser.parse(arguments, environment: EnvironmentSettings { _ in nil })
  }

  func requests(_ arguments: [String]) throws -> [TransferRequest] {
    let options = try parse(arguments)
    let jobs = try JobList(options)
    var requests: [TransferRequest] = []
    while let job = try jobs.next() { requests.append(try job.request(options)) }
    return requests
  }

  @Test func mirrorsAreAskedInTheirOrderAndOnce() throws {
    let request = try #require(
      try requests([
        "--mirror", "https://b.test/f", url, "--mirror=http://c.test/f", "--mirror", url,
        "--mirror", "http://c.test:80/f#x",
      ]).first)
    #expect(request.url.requestText == url)
    #expect(request.mirrors.map(\.requestText) == ["https://b.test/f", "http://c.test/f"])
    #expect(try requests([url]).first?.mirrors == [])
  }

  @Test(arguments: [
    ([], "no URL was given"),
    (["http://a.test/f", "http://b.test/f"], "needs exactly one URL"),
    (["-i", "/dev/null"], "needs exactly one URL"),
    (["-i", "/dev/null", "http://a.test/f"], "needs exactly one URL"),
  ])
  func mirrorsAreOfOneFile(_ others: [String], _ says: String) {
    let error = #expect(throws: UsageError.self) {
      try parse(["--mirror", "http://m.test/f"] + others)
    }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test func whatADocumentSaysIsAskedFor() throws {
    let folder = try TemporaryFolder()
    let (one, two) = (String(repeating: "1a", count: 32), String(repeating: "2b", count: 32))
    try folder.write(
      text: """
        <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="d/name.bin">
        <size>9</size><hash type="sha-256">\(one)</hash>
        <pieces length="8" type="sha-256"><hash>\(one)</hash><hash>\(two)</hash></pieces>
        <url priority="2">http://b.test/f</url><url priority="1">http://u:p@a.test/f</url>
        <url>http://c.test/f</url></file></metalink>
        """, to: "f.meta4")
    let document = ["--metalink", folder.path("f.meta4"), "-d", "out"]
    let found = try requests(document)
    #expect(found.count == 1)
    let request = try #require(found.first)
    #expect(request.url.requestText == "http://a.test/f")
    #expect(request.url.password == "p")
    #expect(request.mirrors.map(\.requestText) == ["http://b.test/f", "http://c.test/f"])
    #expect(request.destination.name == "name.bin")
    #expect(request.destination.folder == "out")
    #expect(request.digest?.hex == one)
    #expect(request.expectedByteCount == 9)
    #expect(request.pieces?.pieceLength == 8)
    #expect(request.pieces?.digests.map(\.hex) == [one, two])
    // The owner's mirrors come before those of the document.
    let mirror = ["--mirror", "http://m.test/f", "--mirror", "http://c.test/f"]
    #expect(
      try requests(document + mirror).first?.mirrors.map(\.host) == ["m.test", "c.test", "b.test"])
    // Beside another address nothing of it gets lost.
    let both = try requests(document + [url])
    #expect(both.map(\.destination.name) == [nil, "name.bin"])
    #expect(both.map(\.mirrors.count) == [0, 2])
    #expect(both.map { $0.pieces == nil } == [true, false])
  }

  @Test func mirrorsOfTheServerAreAskedUnlessTheOwnerSaysNo() async throws {
    #expect(try requests(["--no-link-mirrors", url]).first?.followsLinks == false)
    #expect(try requests(["--no-link-mirrors=no", url]).first?.followsLinks == true)
    let content = OriginContent(size: 400_000, seed: 91)
    let mirror = try HostileOrigin { OriginResource(content).respond(to: $0) }
    for (option, status) in [([], 0), (["--no-link-mirrors"], 4)] as [([String], Int32)] {
      let script = Script(
        .next {
          OriginResource(content).respond(to: $0)
            .with("Link", "<\(mirror.url("/m"))>; rel=duplicate").resetting(after: 100_000)
        }, finally: { _ in OriginResponse(status: 404, text: "none") })
      let origin = try HostileOrigin { script.respond(to: $0) }
      let folder = try TemporaryFolder()
      let outcome = try await Haul.run(
        ["get", "--retry-max-delay", "0", "-x", "2", "--digest", "\(content.digest())"] + option
          + [origin.url("/f")], in: folder.path)
      #expect(outcome.exit == .exited(status), "\(option): \(outcome.error)")
      #expect(content.matches(path: folder.path("f")) == (status == 0))
    }
  }

  @Test func aMirrorWithASecretIsNotShown() {
    let secret = ["haul", "get", url, "--mirror", "http://u:p@m.test/f"]
    #expect(RepeatCommand(secret).line(skipping: false) == nil)
    let plain = ["haul", "get", url, "--mirror", "http://m.test/f"]
    #expect(RepeatCommand(plain).line(skipping: false) == plain.joined(separator: " "))
  }
}
