import FoundationEssentials

/// The shape of the machine: enough to judge figures, nothing that names it.
struct Machine: Sendable, Hashable, Codable {
  var processors: Int
  var model: String
  /// In MiB.
  var memory: Int
  var kernel: String
  /// The type of the file system that is called a disk.
  var fileSystem: String
  /// The average number of runnable processes over the minute before.
  var load: Double

  /// Reads it from `/proc`.
  ///
  /// - Parameter disk: An absolute path on the file system that is called a disk.
  init(disk: String) {
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: "/proc/\(name)", encoding: .utf8)) ?? ""
    }
    self.init(
      cpuinfo: text("cpuinfo"), meminfo: text("meminfo"), kernel: text("sys/kernel/osrelease"),
      mountinfo: text("self/mountinfo"), loadavg: text("loadavg"), disk: disk)
  }

  /// Reads it from the texts of the files in `/proc`.
  init(
    cpuinfo: String, meminfo: String, kernel: String, mountinfo: String, loadavg: String,
    disk: String
  ) {
    let facts = cpuinfo.split(separator: "\n").map(Self.fact)
    processors = max(1, facts.count { $0.name == "processor" })
    model = facts.first { $0.name == "model name" }?.value ?? "unknown"
    let total = meminfo.split(separator: "\n").map(Self.fact).first { $0.name == "MemTotal" }
    memory = (total?.value.split(separator: " ").first.flatMap { Int($0) } ?? 0) / 1024
    self.kernel = kernel.trimming
    fileSystem = Self.fileSystem(of: disk, mountinfo: mountinfo) ?? "unknown"
    load = loadavg.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  private static func fact(_ line: Substring) -> (name: String, value: String) {
    let parts = line.split(separator: ":", maxSplits: 1).map { String($0).trimming }
    return (parts.first ?? "", parts.dropFirst().first ?? "")
  }

  /// The type of the file system that holds a path: that of the longest mount point above it, and
  /// of several at the same place the last one.
  static func fileSystem(of path: String, mountinfo: String) -> String? {
    var best: (length: Int, type: String)?
    for line in mountinfo.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 1 < words.count else {
        continue
      }
      let point = String(words[4])
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      if isAbove, point.utf8.count >= best?.length ?? 0 {
        best = (point.utf8.count, String(words[dash + 1]))
      }
    }
    return best?.type
  }
}

extension String {
  /// Without white space at both ends.
  var trimming: String {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
