import HaulHTTP

/// Says why a checksum file tells no digest, and what to do.
enum ChecksumMessages {
  static func sentence(
    _ failure: ChecksumLookupFailure, _ location: ChecksumLocation, isOnlyFile: Bool
  ) -> String {
    let file = location.shown
    switch failure {
    case .noDigests(_, isWebPage: true):
      return "\(file) is a web page, and no checksum file; look for the address of the file itself"
    case .noDigests(let algorithms, _) where !algorithms.isEmpty:
      return "\(file) holds digests of \(algorithms.joined(separator: ", ")) only; "
        + "Haul checks sha-512, sha-256, sha-1 and md5"
    case .noDigests:
      return "\(file) holds no digest that can be read"
    case .notListed(let asked, let listed, let count):
      let names = asked.map { "“\(short($0))”" }.joined(separator: " nor ")
      let what = asked.isEmpty ? "the address ends in no name" : "\(file) has no digest of \(names)"
      let more = count > listed.count ? " and \(count - listed.count) more" : ""
      let has = "it has \(listed.map(short).joined(separator: ", "))\(more)"
      let remedy = isOnlyFile ? "-o NAME says" : "in a list a name after the address says"
      return "\(what); \(has)" + (asked.count < 2 ? "; \(remedy) which one is meant" : "")
    case .ambiguous(let name, let paths) where paths.count > 1:
      return "\(file) has different digests of “\(short(name))”: as "
        + paths.map(short).joined(separator: ", ")
    case .ambiguous(let name, _):
      return name.isEmpty
        ? "\(file) has different digests without a name"
        : "\(file) has different digests of “\(short(name))”"
    case .unnamed:
      return "\(file) has a digest without a name, and several files are fetched; "
        + "fetch this one alone"
    }
  }

  private static func short(_ name: String) -> String {
    name.count > 60 ? name.prefix(40) + "…" + name.suffix(19) : name
  }
}
