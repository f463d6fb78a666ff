import FoundationEssentials
import Glibc
import HaulTestKit

/// The folder that the programs write to, one after another.
struct OutputFolder: Sendable {
  let path: String

  /// Makes it, empty, and lets the system finish all writing, so that every program begins alike.
  func prepare() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    sync()
  }

  /// What is wrong with what a program wrote, or nil when it is all right.
  func fault(_ files: FileSet) -> String? {
    let names = files.names
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for (index, name) in names.enumerated() {
      let path = "\(path)/\(name)"
      guard FileManager.default.fileExists(atPath: path) else { return "\(name) is missing" }
      if let difference = files.content(index).difference(path: path) {
        return "\(name) is wrong: \(difference)"
      }
    }
    return Set(found).subtracting(names).min().map { "\($0) was left behind" }
  }

  /// Removes it with everything in it.
  func remove() throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
