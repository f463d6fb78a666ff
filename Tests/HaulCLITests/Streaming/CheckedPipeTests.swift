import Foundation
import Glibc
import HaulHTTP
import HaulTestKit
import Testing

/// `-o -` with a digest, its usage, and its sudden ends.
@Suite(.timeLimit(.minutes(1))) struct CheckedPipeTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 3_000_000, seed: 81)

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("spool")
  }

  /// `-x 8` was taken, and one connection used without a word.
  @Test(arguments: [
    (["-x", "4"], true), (["-x", "1"], false), (["-qx4"], false), ([], false),
    (["-x", "4", "--digest"], false),
  ])
  func connectionsThatAPipeCannotHaveAreSaid(_ options: [String], _ isSaid: Bool) async throws {
    let small = OriginContent(text: "echo\n")
    let origin = try HostileOrigin { OriginResource(small).respond(to: $0) }
    var arguments = options
    if options.last == "--digest" { arguments.append("\(small.digest())") }
    let outcome = try await Haul.run(
      ["get", "--progress=none", "-o", "/dev/fd/1"] + arguments + [origin.url("/x")],
      in: folder.path)
    #expect(outcome.output == "echo\n")
    let says = "one connection is used: with -o - bytes go out in their order"
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains(says) == isSaid, "\(outcome.error)")
  }

  /// What `| sh` needs.
  @Test func aScriptRunsOnlyWhenItIsWhole() async throws {
    let script = OriginContent(
      text: "echo begun\n" + String(repeating: "# \n", count: 50_000) + "echo ended\n")
    let resource = OriginResource(script)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    for digest in [script.digest(), script.changed.digest()] {
      let outcome = await Outcome(
        of: try Haul.shell(
          """
          { "$haul" get -qo - --digest '\(digest)' '\(origin.url("/x"))'; echo "exit $?" >&2; } | sh
          """, in: folder.path))
      let isRight = digest == script.digest()
      #expect(outcome.output == (isRight ? "begun\nended\n" : ""))
      #expect(outcome.error.contains(isRight ? "exit 0" : "exit 5"), "\(outcome.error)")
    }
    #expect(folder.names() == ["spool"])
  }

  /// Of `-d`, of `TMPDIR`, and nothing of it is seen in either.
  @Test(arguments: [true, false])
  func itWaitsInTheFolderThatIsChosen(_ isOption: Bool) async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let size = content.size
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: size - 1, at: gate) }
    let child = try Haul.shell(
      """
      \(isOption ? "" : "export TMPDIR=\"$PWD/spool\"")
      exec "$haul" get -o - --digest \(content.digest()) \(isOption ? "-d spool" : "") \
        '\(origin.url("/file"))'
      """, in: folder.path)
    await gate.waitUntilReached()
    #expect(child.output == [])
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/fd")
      .compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.pid)/fd/\($0)")
      }
    #expect(links.contains { $0.hasPrefix(folder.path("spool/")) }, "\(links)")
    #expect(folder.names(in: "spool") == [])
    gate.open()
    #expect(await child.wait() == .exited(0), "\(child.errorText)")
    #expect(child.output == content.bytes())
    #expect(child.errorText.contains("sha-256 is right"))
    #expect(folder.names(in: "spool") == [])
  }

  @Test(.enabled(if: Mount.isPossible, "only root may mount a small volume"))
  func aFolderThatIsFull() async throws {
    let volume = try await Mount(options: "size=1m")
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let child = try Haul.start(
      [
        "get", "-o", "-", "--digest", "\(content.digest())", "-d", volume.path, origin.url("/file"),
      ],
      in: folder.path)
    #expect(await child.wait() == .exited(6))
    #expect(child.output == [])
    #expect(child.errorText.contains("failed [disk-full]: "), "\(child.errorText)")
    #expect(child.errorText.contains("-d DIR chooses a folder"))
    #expect(volume.names == [])
  }

  /// The digest may come from the publisher's list; without one nothing is fetched.
  @Test func theDigestOfAChecksumFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let lists = [
      "\(content.digest().hex)  file\n", "\(content.changed.digest().hex)  file\n", "",
    ]
    for (list, status) in zip(lists, [0, 5, 5] as [Int32]) {
      try folder.write(text: list, to: "SHA256SUMS")
      let child = try Haul.start(
        ["get", "-qo", "-", "--digest-from", "SHA256SUMS", "-d", "spool", origin.url("/file")],
        in: folder.path)
      #expect(await child.wait() == .exited(status), "\(child.errorText)")
      #expect(child.output == (status == 0 ? content.bytes() : []))
    }
    #expect(folder.names(in: "spool") == [])
  }

  @Test func aDryRunSaysWhereItWouldGo() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      $0.path == "/plain" ? resource.withoutValidators().respond(to: $0) : resource.respond(to: $0)
    }
    let digest = "\(content.digest())"
    let cases: [([String], String)] = [
      ([origin.url("/file")], "to standard output (2.86 MiB, application/octet-stream); goes on"),
      ([origin.url("/plain")], "a break is the end: nothing tells its versions apart"),
      (
        ["--digest", digest, "-d", "missing", origin.url("/plain")],
        "goes on after a break; sha-256 to be checked before anything goes out"
      ),
    ]
    for (arguments, says) in cases {
      let outcome = try await Haul.run(
        ["get", "-o", "-", "--dry-run"] + arguments, in: folder.path)
      #expect(outcome.exit == .exited(0))
      #expect(outcome.output == "")
      #expect(outcome.error.contains(says), "\(outcome.error)")
    }
    #expect(folder.names() == ["spool"])
  }

  // MARK: Sudden ends

  @Test(arguments: [SIGINT, SIGTERM], [true, false])
  func anInterruptEndsItThoughNobodyReads(_ signal: Int32, _ isChecked: Bool) async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    // The path is a C string during the call.
    try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    let option = isChecked ? "--digest \(content.digest())" : ""
    let child = try Haul.shell(
      "exec \"$haul\" get -o - \(option) -v '\(origin.url("/file"))' >pipe", in: folder.path)
    // Opened without waiting for the program, and read only afterwards.
    let reader = FileDescriptorBox(
      unsafe open(folder.path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    #expect(await child.waitForText("fetching"))
    #expect(await eventually { reader.waitingBytes.map { $0 >= 65_536 } ?? false })
    child.signal(signal)
    #expect(await child.wait() == .exited(130), "\(child.errorText)")
    #expect(child.errorText.contains("this cannot be continued"), "\(child.errorText)")
    let count = try #require(reader.waitingBytes)
    #expect(child.errorText.contains("interrupted file after \(count) bytes"), "\(child.errorText)")
    #expect(folder.names() == ["pipe", "spool"])
  }

  @Test func aKillLeavesNothing() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let size = content.size
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: size - 1, at: gate) }
    for option in [["--digest", "\(content.digest())", "-d", "spool"], []] {
      let child = try Haul.start(
        ["get", "-o", "-"] + option + [origin.url("/file")], in: folder.path)
      #expect(await child.waitForText("fetching"))
      child.signal(SIGKILL)
      #expect(await child.wait() == .signalled(SIGKILL))
      #expect(child.output == content.bytes(in: 0..<Int64(child.output.count)))
      #expect(option.isEmpty || child.output == [])
      #expect(folder.names() == ["spool"])
      #expect(folder.names(in: "spool") == [])
    }
  }

  // MARK: Usage

  static let refused: [(String, String)] = [
    ("URL", "exactly one URL: haul get -o - URL"),
    ("-i -", "exactly one URL: haul get -o - URL"),
    ("--json", "both want standard output"),
    ("-d .", "haul get -o - --digest sha-256=HEX -d DIR URL"),
    ("--exists skip", "--exists is about files"),
    ("--keep-bad", "--keep-bad is about files"),
    ("-c", "always begins with the first byte"),
    ("-o file", "-o was given twice"),
  ]

  @Test(arguments: refused)
  func whatMakesNoSenseBesideIt(_ option: String, _ says: String) async throws {
    let url = "http://127.0.0.1:1/file"
    let words = option.split(separator: " ").map { $0 == "URL" ? url : String($0) }
    let outcome = try await Haul.run(["get", "-o", "-", url] + words, in: folder.path)
    #expect(outcome.exit == .exited(2))
    #expect(outcome.output == "")
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 1)
  }

  /// What the settings say of files is no reason to refuse.
  @Test func theSettingsAreForFiles() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    try folder.write(
      text: "directory = elsewhere\nexists = skip\nkeep-bad\ncontinue\nno-sync\n", to: "config")
    let child = try Haul.start(
      ["get", "-o", "-", "--config", "config", "--json=no", "--keep-bad=no", origin.url("/file")],
      in: folder.path)
    #expect(await child.wait() == .exited(0), "\(child.errorText)")
    #expect(child.output == content.bytes())
    let wrong = try await Haul.get(
      "-o", "-", "--config", "config", "--digest", "\(content.changed.digest())",
      origin.url("/file"), in: folder.path)
    #expect(wrong.exit == .exited(5))
    #expect(wrong.error.contains("nothing was kept"), "\(wrong.error)")
    #expect(folder.names() == ["config", "spool"])
  }

  /// A file of that name can still be had.
  @Test func aFileCalledDash() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = try await Haul.get("-o", "./-", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(content.matches(path: folder.path("-")))
  }
}

/// A descriptor that is closed with its last reference.
final class FileDescriptorBox: Sendable {
  private let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// How many bytes wait to be read.
  var waitingBytes: Int? {
    var count: Int32 = 0
    // The count is a local variable, as this request wants it.
    guard unsafe ioctl(number, UInt(FIONREAD), &count) == 0 else { return nil }
    return Int(count)
  }
}
