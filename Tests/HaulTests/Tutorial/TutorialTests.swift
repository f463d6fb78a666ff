import HaulTestKit
import Testing

/// What the pages show of Swift is what is compiled here.
@Suite(.timeLimit(.minutes(1))) struct TutorialTests {
  private static let snippets = "Tests/HaulTests/Tutorial/Snippets.swift"

  @Test func everyBlockOfCodeIsASnippetLineByLine() throws {
    let snippets = try Lines(of: Self.snippets).snippets
    var shown: Set<String> = []
    for page in ["README.md", "docs/TUTORIAL.md"] {
      let blocks = try Lines(of: page).swiftBlocks
      #expect(!blocks.isEmpty, "\(page)")
      for block in blocks where !Self.isManifest(block) {
        let name = snippets.first { $0.value == block }?.key
        #expect(name != nil, "\(page): \(block.joined(separator: "\n"))")
        if let name { shown.insert(name) }
      }
    }
    #expect(Set(snippets.keys).subtracting(shown) == [])
  }

  /// The package of the tutorial is read by the package manager; nothing is fetched.
  @Test func theManifestOfTheTutorialCanBeRead() async throws {
    let manifests = try Lines(of: "docs/TUTORIAL.md").swiftBlocks.filter(Self.isManifest)
    #expect(manifests.count == 1)
    for manifest in manifests {
      let folder = try TemporaryFolder()
      try folder.write(Array(manifest.joined(separator: "\n").utf8), to: "Package.swift")
      let child = try ChildProcess(
        "swift", ["package", "--package-path", folder.path, "dump-package"],
        environment: environment, folder: folder.path)
      #expect(await child.wait() == .exited(0), "\(child.errorText)")
      #expect(child.outputText.contains("\"Haul\""))
    }
  }

  private static func isManifest(_ block: [String]) -> Bool {
    block.first?.hasPrefix("// swift-tools-version:") == true
  }
}
