import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// `--dry-run`: what would be done is said, and nothing is done.
@Suite(.timeLimit(.minutes(1))) struct DryRunTests {
  let folder: TemporaryFolder
  static let content = OriginContent(size: 600_000, seed: 71)

  init() throws { folder = try TemporaryFolder() }

  func origin(_ change: (inout OriginResource) -> Void = { _ in }) throws -> HostileOrigin {
    var resource = OriginResource(Self.content)
    change(&resource)
    let file = resource
    return try HostileOrigin { file.respond(to: $0) }
  }

  /// Runs, and checks that nothing changed and that standard output is empty.
  func dry(_ arguments: String..., input: String = "") async throws -> Outcome {
    let before = try snapshot()
    let outcome = try await Haul.run(
      ["get", "--dry-run", "--retry-max-delay", "0"] + arguments, in: folder.path, input: input)
    #expect(outcome.output == "")
    #expect(try snapshot() == before)
    return outcome
  }

  /// Everything in the folder, with its times and its numbers.
  func snapshot() throws -> [String] {
    try folder.names().map { name in
      let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      let kept = [FileAttributeKey.size, .modificationDate, .systemFileNumber, .posixPermissions]
      return "\(name) \(kept.map { String(describing: facts[$0]) })"
    }
  }

  @Test func aNewFile() async throws {
    let origin = try origin()
    let outcome = try await dry(origin.url("/file?token=hunter2"))
    #expect(outcome.exit == .exited(0))
    #expect(
      outcome.error == """
        haul: would fetch \(origin.url("/file?token=***")) to file (586 KiB, \
        application/octet-stream); can be resumed

        """)
    #expect(origin.requests.map(\.method) == ["GET"])
    #expect(folder.names() == [])
  }

  @Test func bodiesAreBrokenOff() async throws {
    let content = OriginContent(size: 64 << 20, seed: 4)
    let nginx = try NginxServer()
    try content.write(to: nginx.path("big"))
    for listener in [NginxServer.Listener.plain, .http2] {
      let outcome = try await dry(
        "--cacert", nginx.authorityPath, nginx.url("/big", on: listener))
      #expect(outcome.error.contains("to big (64.0 MiB"), "\(outcome.error)")
    }
    #expect(await eventually { nginx.accessLog.count == 2 })
    for line in nginx.accessLog {
      #expect(Int(line.split(separator: " ")[5]) ?? .max < 8 << 20, "\(line)")
    }
  }

  static let answers: [(String, @Sendable (inout OriginResource) -> Void)] = [
    ("can be resumed if the server sends parts", { $0.advertisesRanges = false }),
    (
      "cannot be resumed: nothing tells its versions apart",
      {
        $0.etag = nil; $0.date = .absent
      }
    ),
    ("cannot be resumed: nothing tells its versions apart", { $0.etag = "W/\"1\"" }),
    (
      "cannot be resumed: the server sends no parts",
      {
        $0.advertisesRanges = false
        $0.fields = [OriginField("Accept-Ranges", "none")]
      }
    ),
    (
      "sha-256 to be checked",
      {
        let digest = content.digest().bytes
        $0.fields = [OriginField("Repr-Digest", "sha-256=:\(Data(digest).base64EncodedString()):")]
      }
    ),
    ("to file.mp4 (586 KiB, video/mp4)", { $0.contentType = "video/mp4; x=y" }),
    ("to real name.bin", { $0.disposition = "attachment; filename=\"real name.bin\"" }),
  ]

  @Test(arguments: answers.indices)
  func whatTheServerSaysIsTold(_ index: Int) async throws {
    let (says, change) = Self.answers[index]
    let origin = try origin(change)
    let outcome = try await dry(origin.url("/file"))
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  @Test func anUnknownSizeAndARedirect() async throws {
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { request in
      request.path == "/file"
        ? .redirect(to: "/real.bin?key=hunter2") : resource.respond(to: request).chunked()
    }
    let outcome = try await dry(origin.url("/file"))
    #expect(outcome.error.contains("to real.bin (of unknown size"), "\(outcome.error)")
    #expect(outcome.error.contains("from \(origin.url("/real.bin?key=***")))"), "\(outcome.error)")
  }

  @Test func namesThatAreTaken() async throws {
    let origin = try origin()
    try folder.write([1], to: "file")
    let rename = try await dry(origin.url("/file"))
    #expect(rename.error.contains("to file (1) (586 KiB"), "\(rename.error)")
    #expect(rename.error.contains("; file is taken"))
    let overwrite = try await dry("--exists", "overwrite", origin.url("/file"))
    #expect(overwrite.error.contains("to file (586 KiB"), "\(overwrite.error)")
    #expect(overwrite.error.contains("; what is there is replaced"))
    let fail = try await dry("--exists", "fail", origin.url("/file"))
    #expect(fail.exit == .exited(6))
    #expect(fail.error.contains("failed [exists]"))
    let skip = try await dry("--exists", "skip", origin.url("/file"))
    #expect(skip.error.contains("to file (1)"))
    #expect(try await Haul.get("-o", "same", origin.url("/file"), in: folder.path).status == 0)
    let same = try await dry("--exists", "skip", "-o", "same", origin.url("/file"))
    #expect(same.exit == .exited(0))
    #expect(same.error == "haul: would skip same: a file of the same size and time is there\n")
  }

  @Test func aPartThatWouldGoOn() async throws {
    let resource = OriginResource(Self.content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 300_000) },
      .next { resource.respond(to: $0) },
      .next { resource.changed.respond(to: $0) },
      .next { resource.ignoringRanges().respond(to: $0) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    #expect(try await Haul.get("--tries", "1", origin.url("/file"), in: folder.path).status == 3)
    #expect(folder.names() == ["file.haul-journal", "file.haul-part"])
    let goesOn = try await dry(origin.url("/file"))
    #expect(goesOn.error.contains("would go on with file from"), "\(goesOn.error)")
    #expect(goesOn.error.contains("after 293 KiB (586 KiB"), "\(goesOn.error)")
    let changed = try await dry(origin.url("/file"))
    #expect(changed.error.contains("since the file changed on the server"), "\(changed.error)")
    let whole = try await dry(origin.url("/file"))
    #expect(whole.error.contains("since the server sent the whole file"), "\(whole.error)")
    #expect(
      origin.requests.map { $0.header("Range") }.suffix(3) == [
        "bytes=300000-", "bytes=300000-", "bytes=300000-",
      ])
    // The real run still goes on.
    let real = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(real.error.contains("going on after 293 KiB"), "\(real.error)")
    #expect(Self.content.matches(path: folder.path("file")))
  }

  @Test func failuresHaveTheirExitStatus() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 404, text: "none") }
    #expect(try await dry(origin.url("/file")).exit == .exited(4))
    let file = try self.origin()
    #expect(try await dry("--expect", "video/*", file.url("/file")).exit == .exited(5))
    #expect(try await dry("--max-filesize", "1k", file.url("/file")).exit == .exited(7))
    #expect(try await dry("ftp://127.0.0.1/x").exit == .exited(7))
    #expect(try await dry("--tries", "1", "http://127.0.0.1:1/x").exit == .exited(3))
    let huge = try HostileOrigin { _ in
      OriginResponse(status: 200, framing: .length(1 << 60), body: [])
    }
    #expect(try await dry(huge.url("/file")).exit == .exited(6))
  }

  @Test func aFolderThatIsMissingIsNotMade() async throws {
    let origin = try origin()
    let outcome = try await dry("-d", "new/folder", origin.url("/file"))
    #expect(outcome.error.contains("to new/folder/file ("), "\(outcome.error)")
    #expect(folder.names() == [])
  }

  @Test(.enabled(if: Mount.isPossible)) func aFolderThatCannotBeWritten() async throws {
    let mount = try await Mount(options: "size=8m")
    try await mount.remount(options: "ro")
    let origin = try origin()
    for below in ["", "/new"] {
      let outcome = try await dry("-d", mount.path + below, origin.url("/file"))
      #expect(outcome.exit == .exited(6), "\(outcome.error)")
      #expect(outcome.error.contains("failed [read-only]"), "\(outcome.error)")
    }
  }

  @Test func aListHasALineForEachFile() async throws {
    let origin = try origin()
    let missing = try HostileOrigin { _ in OriginResponse(status: 404, text: "none") }
    let list = """
      \(origin.url("/a"))
      \(origin.url("/x/b"))\tnamed
      \(missing.url("/c"))
      \(origin.url("/x/a"))
      """
    let outcome = try await dry("-j", "1", "-i", "-", input: list)
    #expect(outcome.exit == .exited(4))
    let lines = outcome.error.split(separator: "\n").map(String.init)
    try #require(lines.count >= 5, "\(outcome.error)")
    #expect(lines[0].contains("\(origin.url("/a")) to a ("))
    #expect(lines[1].contains("\(origin.url("/x/b")) to named ("))
    #expect(lines[2].contains("failed [http-status]"))
    // The name that the first one would have is taken by then.
    #expect(lines[3].contains("\(origin.url("/x/a")) to a (1) ("))
    #expect(lines.last?.hasPrefix("haul: 3 of 4 files would be there") == true)
  }

  @Test func aChecksumFileIsReadAndNothingElse() async throws {
    let origin = try origin()
    try folder.write(text: "\(Self.content.digest(.sha512).hex)  file\n", to: "sums")
    let outcome = try await dry("--digest-from", "sums", origin.url("/file"))
    #expect(outcome.error.contains("; sha-512 to be checked"), "\(outcome.error)")
    let missing = try await dry("--digest-from", "sums", origin.url("/other"))
    #expect(missing.exit == .exited(5))
    #expect(folder.names() == ["sums"])
  }

  @Test func quietSaysNothingButFailures() async throws {
    let origin = try origin()
    #expect(try await dry("-q", origin.url("/file")).error == "")
    #expect(try await dry("-q", "--expect", "video/*", origin.url("/file")).error != "")
  }

  @Test func eventsOfADryRun() async throws {
    let origin = try origin()
    let outcome = try await Haul.get("--dry-run", "--json", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error == "")
    let events = try await Events(outcome.output)
    #expect(events.names == ["planned"])
    let plan = events.first("planned")
    #expect(plan["path"] as? String == "./file")
    #expect(plan["total"] as? Int == 600_000)
    #expect(plan["action"] as? String == "fetch")
    #expect(plan["continuation"] as? String == "validator")
    #expect(plan["ranges"] as? Bool == true)
    #expect(plan["reason"] is NSNull)
    #expect(plan["digest"] is NSNull)
    #expect(folder.names() == [])
  }
}
