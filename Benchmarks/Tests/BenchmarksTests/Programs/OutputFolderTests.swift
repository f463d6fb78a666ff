import HaulTestKit
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(1))) struct OutputFolderTests {
  let parent: TemporaryFolder
  let output: OutputFolder
  let files = FileSet(count: 2, size: 5_000)

  init() throws {
    parent = try TemporaryFolder()
    output = OutputFolder(path: parent.path("output"))
    try output.prepare()
    for (index, name) in files.names.enumerated() {
      try files.content(index).write(to: "\(output.path)/\(name)")
    }
  }

  @Test func rightFilesHaveNoFault() {
    #expect(output.fault(files) == nil)
  }

  @Test func aMissingFileIsAFault() {
    #expect(output.fault(FileSet(count: 3, size: 5_000)) == "f3.bin is missing")
  }

  @Test func anotherByteIsAFault() throws {
    var bytes = files.content(1).bytes()
    bytes[4_321] ^= 1
    try OriginContent(bytes).write(to: "\(output.path)/f2.bin")
    #expect(output.fault(files) == "f2.bin is wrong: the byte at 4321 is another")
  }

  @Test(arguments: [4_999, 5_001]) func anotherLengthIsAFault(_ size: Int64) throws {
    try files.content(0).resized(to: size).write(to: "\(output.path)/f1.bin")
    #expect(output.fault(files)?.hasPrefix("f1.bin is wrong: ") == true)
  }

  @Test func whatIsLeftBehindIsAFault() throws {
    try files.content(0).write(to: "\(output.path)/f1.bin.part")
    #expect(output.fault(files) == "f1.bin.part was left behind")
  }

  @Test func removingTakesEverything() throws {
    try output.remove()
    #expect(parent.names().isEmpty)
    try output.remove()
    try output.prepare()
    #expect(parent.names(in: "output").isEmpty)
  }
}
