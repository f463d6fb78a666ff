import Foundation
import Glibc
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// `--json`: a contract with programs.
@Suite(.timeLimit(.minutes(1))) struct JSONTests {
  let folder: TemporaryFolder
  let content = OriginContent(size: 600_000, seed: 77)

  init() throws { folder = try TemporaryFolder() }

  @Test func aFileWithADigest() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let digest = "\(Digest.sha256(of: content))"
    let outcome = try await Haul.get(
      "--json", "--digest", digest, origin.url("/file?token=hunter2"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error == "")
    #expect(!outcome.output.contains("hunter2"))
    let events = try await Events(outcome.output)
    #expect(events.names == ["started", "finished"])
    let started = events.first("started")
    #expect(started["path"] as? String == "./file")
    #expect(started["total"] as? Int == 600_000)
    #expect(started["resumedFrom"] as? Int == 0)
    #expect(started["file"] as? Int == 1)
    #expect(outcome.output.contains("\"connections\":1}"), "no fraction")
    let finished = events.first("finished")
    #expect(finished["bytes"] as? Int == 600_000)
    #expect(finished["fetched"] as? Int == 600_000)
    #expect(finished["digest"] as? String == digest)
    #expect(finished["verified"] as? String == "digest")
    #expect(finished["url"] as? String == origin.url("/file?token=***"))
    #expect(content.matches(path: folder.path("file")))
  }

  @Test func retriesAndRestarts() async throws {
    let resource = OriginResource(content)
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: 300_000) },
      .next { resource.changed.respond(to: $0) },
      finally: { resource.changed.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let outcome = try await Haul.get("--json", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    let events = try await Events(outcome.output)
    #expect(events.names == ["started", "retrying", "restarted", "finished"])
    #expect(events.first("retrying")["reason"] as? String == "connection-lost")
    #expect(events.first("restarted")["reason"] as? String == "changed")
  }

  @Test func whatFailsIsTold() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 404, text: "none") }
    let list = "\(origin.url("/a"))\nnot-a-url\n\(origin.url("/a"))\nftp://127.0.0.1/x\n"
    let outcome = try await Haul.get("--json", "-j", "1", "-i", "-", in: folder.path, input: list)
    #expect(outcome.exit == .exited(1))
    let events = try await Events(outcome.output)
    #expect(events.names == ["failed", "failed", "failed"])
    let byFile = Dictionary(
      uniqueKeysWithValues: events.all.compactMap { event in
        (event["file"] as? Int).map { ($0, event) }
      })
    #expect(byFile[1]?["code"] as? String == "http-status")
    #expect(byFile[1]?["status"] as? Int == 404)
    #expect(byFile[1]?["exit"] as? Int == 4)
    #expect(byFile[2]?["code"] as? String == "usage")
    #expect(byFile[2]?["exit"] as? Int == 2)
    #expect(byFile[2]?["url"] is NSNull)
    #expect(byFile[4]?["code"] as? String == "scheme")
    #expect(byFile[4]?["exit"] as? Int == 7)
  }

  @Test func whatIsSkippedAndInterrupted() async throws {
    let gate = Gate()
    let resource = OriginResource(content)
    let origin = try HostileOrigin { request in
      request.path == "/slow"
        ? resource.respond(to: request).stalling(after: 100_000, at: gate)
        : resource.respond(to: request)
    }
    #expect(try await Haul.get(origin.url("/file"), in: folder.path).exit == .exited(0))
    let child = try Haul.start(
      ["get", "--json", "--exists", "skip", origin.url("/slow"), origin.url("/file")],
      in: folder.path)
    #expect(await child.waitForText("\"skipped\"", in: .output))
    #expect(await child.waitForText("\"received\":100000", in: .output))
    child.signal(SIGINT)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(130))
    let events = try await Events(outcome.output)
    #expect(Set(events.names) == ["started", "skipped", "interrupted"])
    #expect(events.first("skipped")["path"] as? String == "./file")
    #expect(events.first("interrupted")["received"] as? Int == 100_000)
    #expect(events.first("progress")["total"] as? Int == 600_000)
  }

  /// What each of several connections is to bring, for whoever draws it.
  @Test func segmentsAreToldOnRequest() async throws {
    let gate = Gate()
    let resource = OriginResource(OriginContent(size: 8 << 20, seed: 9))
    let origin = try HostileOrigin {
      resource.respond(to: $0).stalling(after: 200_000, at: gate)
    }
    let child = try Haul.start(
      ["get", "--json", "--json-segments", "-x", "4", origin.url("/file")], in: folder.path)
    #expect(await child.waitForText("\"connections\":4,\"segments\":[{", in: .output))
    gate.open()
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0))
    let events = try await Events(outcome.output)
    let most =
      events.all.compactMap { $0["segments"] as? [[String: Any]] }
      .max { $0.count < $1.count } ?? []
    #expect((3...4).contains(most.count), "\(most.count)")
    for (one, next) in zip(most, most.dropFirst()) {
      let end = try #require(one["end"] as? Int)
      #expect(end <= next["position"] as? Int ?? 0)
    }
    #expect(most.allSatisfy { $0["source"] as? String == origin.url("/file") })
  }

  @Test func namesOfTheServerCannotBreakALine() async throws {
    var named = OriginResource(content)
    named.disposition = "attachment; filename*=UTF-8''a%22b%5Cc%E2%80%A8d.bin"
    let resource = named
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let outcome = try await Haul.get("--json", origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(0))
    let events = try await Events(outcome.output)
    let path = try #require(events.first("finished")["path"] as? String)
    #expect(folder.names() == [String(path.dropFirst(2))])
  }

  /// A reader that is gone must not make a program believe that all was told.
  @Test func lostEventsAreAFailure() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let child = try Haul.shell(
      "\"$haul\" get --json \(origin.url("/file")) >/dev/full", in: folder.path)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(6))
    #expect(outcome.error == "haul: standard output cannot be written to: events are lost\n")
    #expect(folder.names() == ["file"])
  }

  @Test(arguments: [
    (0.5, "0.5"), (1.0 / 3, "0.333"), (.nan, "null"), (.infinity, "null"),
    (-1e300, "-9000000000000000.0"),
  ])
  func numbers(_ value: Double, _ text: String) {
    var line = JSONLine()
    line.add("x", value)
    #expect(line.line == "{\"x\":\(text)}")
  }
}

/// The lists of codes are closed, and every one of them is explained.
@Suite struct CodesTests {
  func words(_ heading: String) throws -> [String] {
    let page = try Documents.text("CODES.md")
    let start = try #require(page.range(of: "\n## \(heading)"))
    let rest = page[start.upperBound...]
    let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      String(row.dropFirst(3).prefix { $0 != "`" })
    }
  }

  @Test func thePageHasEveryCodeWithItsExitStatus() throws {
    let codes = TransferFailure.Code.allCases.map(\.rawValue) + ["usage"]
    #expect(try words("Failures") == codes)
    let page = try Documents.text("CODES.md")
    for code in TransferFailure.Code.allCases {
      let exit = HaulCLI.ExitStatus(code.category).rawValue
      #expect(page.contains("| `\(code.rawValue)` | \(exit) |"), "\(code)")
    }
    #expect(try words("Reasons") == RestartReason.allCases.map(\.rawValue))
    #expect(try words("How sure") == Verification.allCases.map(\.rawValue))
  }

  @Test func theSchemaHasTheSameLists() throws {
    let data = Data(try Documents.text("events.schema.json").utf8)
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let forms = try #require(schema["oneOf"] as? [[String: Any]])
    func list(_ event: String, _ property: String) -> [String] {
      let form = forms.compactMap { $0["properties"] as? [String: [String: Any]] }
        .first { $0["event"]?["const"] as? String == event }
      return form?[property]?["enum"] as? [String] ?? []
    }
    let codes = TransferFailure.Code.allCases.map(\.rawValue)
    #expect(list("failed", "code") == codes + ["usage"])
    #expect(list("retrying", "reason") == codes.filter { $0 != "interrupted" })
    #expect(list("restarted", "reason") == RestartReason.allCases.map(\.rawValue))
    #expect(list("finished", "verified") == Verification.allCases.map(\.rawValue))
  }
}
