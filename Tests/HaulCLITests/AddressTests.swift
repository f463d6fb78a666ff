import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// What is no address, and what was probably meant by it.
@Suite(.timeLimit(.minutes(1))) struct AddressTests {
  let folder: TemporaryFolder
  let origin: HostileOrigin
  let content = OriginContent(size: 5_000, seed: 3)

  init() throws {
    folder = try TemporaryFolder()
    let resource = OriginResource(content)
    origin = try HostileOrigin { request in
      request.path == "/file"
        ? resource.respond(to: request) : OriginResponse(status: 404, text: "none")
    }
  }

  /// They were told to have no scheme, or no host, and ended as wrong usage; `ftp://…` did not.
  @Test(arguments: [
    ("magnet:?xt=urn:btih:hunter2", "magnet"), ("file:///x", "file"), ("file:/x", "file"),
    ("mailto:me@example.com", "mailto"), ("data:,x", "data"), ("ftp://127.0.0.1:1/x", "ftp"),
  ])
  func anotherSchemeIsRefused(_ url: String, _ scheme: String) async throws {
    let outcome = try await Haul.get(url, in: folder.path)
    #expect(outcome.exit == .exited(7), "\(outcome.error)")
    #expect(outcome.error.contains("failed [scheme]: "), "\(outcome.error)")
    #expect(outcome.error.contains("has the scheme “\(scheme)”; Haul fetches http and https"))
    #expect(!outcome.error.contains("hunter2"))
    // The others of a run are fetched.
    let both = try await Haul.get("--json", url, origin.url("/file"), in: folder.path)
    #expect(both.exit == .exited(7), "\(both.error)")
    #expect(folder.names() == ["file"])
    let events = try await Events(both.output)
    #expect(Set(events.names) == ["failed", "started", "finished"])
  }

  @Test(arguments: [
    ("example.com/x", "did you mean haul get https://example.com/x?"),
    ("Example.com:8443/x", "did you mean haul get https://Example.com:8443/x?"),
    ("localhost:8080/x", "did you mean haul get http://localhost:8080/x?"),
    ("127.0.0.1:1/x", "did you mean haul get http://127.0.0.1:1/x?"),
    ("list.txt", "for the addresses in that file: haul get -i list.txt"),
    ("other.txt", "write it in full, such as https://example.com/file"),
    ("1.5M", "write it in full"), ("example.com/x y", "write it in full"),
    ("me:hunter2@example.com/x", "write it in full"),
  ])
  func whatWasMeantIsShown(_ word: String, _ says: String) async throws {
    try folder.write(text: origin.url("/file"), to: "list.txt")
    let outcome = try await Haul.get(word, in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("The address has no scheme; \(says)"), "\(outcome.error)")
    #expect(!outcome.error.contains("hunter2"))
    #expect(origin.requests.isEmpty)
  }

  @Test func inAListTheLineIsNamed() async throws {
    let list = "example.com/x\nmagnet:?xt=1\n"
    let outcome = try await Haul.get("-i", "-", in: folder.path, input: list)
    #expect(outcome.exit == .exited(1), "\(outcome.error)")
    #expect(
      outcome.error.contains("line 1 of the list: “example.com/x”: The address has no scheme"))
    #expect(outcome.error.contains("did you mean https://example.com/x?"))
    #expect(outcome.error.contains("“magnet:” has the scheme “magnet”"))
  }

  /// Patterns of curl were answered with 404, and nothing said that they are none here.
  @Test(arguments: [
    ("/f000[0-3]", true), ("/{1k,a}.bin", true), ("/[a-z]/x", true), ("/a[0]", false),
    ("/a-b]", false), ("/{a}", false), ("/plain", false),
  ])
  func aPatternIsToldWhereItIsNotThere(_ path: String, _ isPattern: Bool) async throws {
    let outcome = try await Haul.get(origin.url(path), in: folder.path)
    #expect(outcome.exit == .exited(4))
    let says = "Patterns in addresses are not read"
    #expect(outcome.error.contains(says) == isPattern, "\(outcome.error)")
    #expect(origin.requests.map(\.target) == [path])
  }

  @Test func anAddressIsNoFileOfAList() async throws {
    let outcome = try await Haul.get("-i", origin.url("/list?token=hunter2"), in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.error.contains("haul get -o - URL | haul get -i -"), "\(outcome.error)")
    #expect(!outcome.error.contains("hunter2"))
  }

  /// The name of an indented `out=` was taken for an address without a scheme.
  @Test func optionsOfAria2InAListAreTold() async throws {
    let list = "\(origin.url("/file"))\n  out=name\n\tdir=/tmp\n"
    let outcome = try await Haul.get("-i", "-", in: folder.path, input: list)
    #expect(outcome.exit == .exited(2), "\(outcome.error)")
    for line in 2...3 {
      #expect(outcome.error.contains("line \(line) of the list is an option, as aria2 takes it"))
    }
    #expect(folder.names() == ["file"])
  }

  @Test(arguments: ["", "\n# nothing\n\n"])
  func aListWithoutAURLIsTold(_ list: String) async throws {
    try folder.write(text: list, to: "list")
    for (name, shown) in [("-", "on standard input"), ("list", "“list”")] {
      let outcome = try await Haul.get("-i", name, in: folder.path, input: list)
      #expect(outcome.exit == .exited(0))
      #expect(outcome.error == "haul: the list \(shown) has no URL, so nothing was fetched\n")
      let quiet = try await Haul.get("-q", "-i", name, in: folder.path, input: list)
      #expect(quiet.error == "")
    }
  }

  @Test func aPasswordNeedNotStandOnTheCommandLine() async throws {
    let outcome = try await Haul.get("--user", "bob", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(2))
    for word in ["USER:PASSWORD", "--netrc", "config file"] {
      #expect(outcome.error.contains(word), "\(outcome.error)")
    }
  }
}
