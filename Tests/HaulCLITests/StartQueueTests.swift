import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// Which of several files gets a name that is meant for all of them.
@Suite(.timeLimit(.minutes(1))) struct StartQueueTests {
  static func ready(_ number: Int, _ name: String?, in folder: String = ".") throws -> Ready {
    Ready(
      TransferRequest(
        url: try HTTPURL(parsing: "http://h/\(number)"),
        destination: Destination(folder: folder, name: name)), number: number)
  }

  @Test func filesOfOneNameBeginOneAfterAnother() throws {
    var queue = StartQueue()
    let names = ["x", "x", nil, "y", "x", nil]
    for (number, name) in names.enumerated() { queue.add(try Self.ready(number, name)) }
    var begun: [Int] = []
    while let next = queue.next() { begun.append(next.number) }
    #expect(begun == [0, 2, 3, 5])
    #expect(!queue.hasNext)
    #expect(queue.count == 2)
    // The end of another file changes nothing.
    queue.end(3)
    #expect(!queue.hasNext)
    queue.end(0)
    #expect(queue.next()?.number == 1)
    #expect(queue.next() == nil)
    queue.end(1)
    #expect(queue.next()?.number == 4)
    #expect(queue.isEmpty)
  }

  @Test func sameNamesInOtherFoldersDoNotWait() throws {
    var queue = StartQueue()
    queue.add(try Self.ready(1, "x", in: "a"))
    queue.add(try Self.ready(2, "x", in: "b"))
    #expect([queue.next()?.number, queue.next()?.number] == [1, 2])
  }

  /// As the store compares them.
  @Test(arguments: [
    ("x.txt", "X.TXT"), ("é", "e\u{301}"), ("ß", "SS"), ("a", "b"), ("x", "x "), ("Ω", "\u{2126}"),
  ])
  func namesAreComparedAsTheStoreDoes(_ one: String, _ other: String) throws {
    let (left, right) = (
      ExplicitTarget(Destination(folder: ".", name: one)),
      ExplicitTarget(Destination(folder: ".", name: other))
    )
    #expect((left == right) == FileName.isSameName(one, other))
  }

  /// Of two lines with one name the faster server got it: which file was which was left to chance.
  @Test(arguments: ["-i", "-M"])
  func theOrderDecidesWhichFileGetsAName(_ option: String) async throws {
    let folder = try TemporaryFolder()
    let (first, second) = (
      OriginContent(size: 50_000, seed: 81), OriginContent(size: 50_000, seed: 82)
    )
    let gate = Gate()
    let origin = try HostileOrigin { request in
      switch request.path {
      case "/a/x.txt": OriginResource(first).respond(to: request).stalling(after: 1000, at: gate)
      case "/b/x.txt": OriginResource(second).respond(to: request)
      default:
        OriginResource(OriginContent(size: 10, seed: 1)).respond(to: request)
      }
    }
    let files = [("/a/x.txt", "x.txt"), ("/b/x.txt", "X.txt"), ("/c", "z")]
    let text =
      option == "-i"
      ? files.map { "\(origin.url($0))\t\($1)\n" }.joined()
      : MetalinkTests.document(
        files.map { "<file name=\"d/\($1)\"><url>\(origin.url($0))</url></file>" }.joined())
    try folder.write(text: text, to: "in")
    let child = try Haul.start(["get", "-d", "out", option, "in"], in: folder.path)
    // Others go on meanwhile.
    #expect(await child.waitForText("out/z\n", in: .output))
    #expect(!origin.requests.contains { $0.path.hasPrefix("/b") })
    gate.open()
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(first.matches(path: folder.path("out/x.txt")))
    let other = folder.names(in: "out").first { $0 != "x.txt" && $0 != "z" } ?? ""
    #expect(second.matches(path: folder.path("out/" + other)), "\(outcome.error)")
  }
}
