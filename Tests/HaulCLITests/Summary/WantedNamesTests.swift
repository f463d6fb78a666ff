import HaulTestKit
import Testing

@testable import HaulCLI
@testable import HaulTransfer

/// Whether `--exists skip` may be offered to go on with: it goes by names.
@Suite struct WantedNamesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func areDistinct(
    _ lines: [String], finished: [(name: String, url: String, given: String?)] = []
  ) throws -> Bool {
    var names = WantedNames()
    for file in finished {
      let transfer = FinishedTransfer(
        path: file.name, wantedName: file.name, byteCount: 1, seconds: 1, verification: .length)
      names.note(
        transfer,
        FileNews(
          file: 1, url: file.url, kind: .event(.ended(.finished(transfer))), target: file.given))
    }
    try folder.write(text: lines.map { $0 + "\n" }.joined(), to: "l")
    var options = GetOptions()
    options.inputFile = folder.path("l")
    return names.areDistinct(options)
  }

  @Test(arguments: [
    (["http://h/a.bin", "http://h/b.bin"], true),
    (["http://h/x/a.bin", "http://h/y/a.bin"], false),
    (["http://h/x/a.bin", "http://h/y/A.BIN"], false),
    (["http://h/x/a.bin", "http://h/y/a.bin\tb.bin"], true),
    (["http://h/a.bin", "http://h/b\ta.bin"], false),
    // The same one twice is one file.
    (["http://h/a.bin", "http://h/a.bin"], true),
    // The server may add an extension.
    (["http://h/x/a", "http://h/y/a.html"], false),
    (["http://h/x/a", "http://h/y/b.html"], true),
    (["http://h/a.bin", "http://h/b.bin\tb\tno-digest"], true),
  ])
  func namesOfAList(_ lines: [String], _ expected: Bool) throws {
    #expect(try areDistinct(lines) == expected)
  }

  @Test(arguments: [
    ("a.bin", "http://h/a.bin", nil, true),
    ("own name", "http://h/a.bin", "own name", true),
    ("index.html", "http://h/index", nil, true),
    ("é.bin", "http://h/%C3%A9.bin", nil, true),
    // The server named it.
    ("b.bin", "http://h/a.bin", nil, false),
    ("other.html", "http://h/index", nil, false),
  ])
  func aNameThatTheServerGave(
    _ name: String, _ url: String, _ given: String?, _ expected: Bool
  ) throws {
    let lines = ["http://h/other/c.bin", "http://h/other/d.bin"]
    #expect(try areDistinct(lines, finished: [(name, url, given)]) == expected)
  }
}
