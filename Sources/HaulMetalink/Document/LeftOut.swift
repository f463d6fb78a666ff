/// Counts what a document has and nobody will use, to be told in a few sentences.
struct LeftOut {
  private var schemes: [String: Int] = [:]
  private var malformedAddresses = 0
  private var metaURLs = 0
  private var algorithms: Set<String> = []
  private var sentences: [String] = []

  /// An address of another scheme, in lower case.
  mutating func add(scheme: String) { schemes[scheme, default: 0] += 1 }
  /// An address that cannot be read.
  mutating func addMalformedAddress() { malformedAddresses += 1 }
  /// A description of the file for another network.
  mutating func addMetaURL() { metaURLs += 1 }
  /// A digest of an algorithm that Haul does not know.
  mutating func add(algorithm: String) { algorithms.insert(shortened(algorithm)) }
  /// A name that is not taken as it is.
  mutating func add(name: String, as safeName: String) {
    guard sentences.count < Self.maximumNames else { return }
    sentences.append("“\(shortened(name))” is called “\(shortened(safeName))” here")
  }

  private static let maximumNames = 10

  /// One sentence for each kind.
  var notes: [String] {
    var notes = sentences
    if !schemes.isEmpty {
      let names = schemes.keys.sorted().prefix(5).map(shortened).joined(separator: ", ")
      let count = schemes.values.reduce(0, +)
      notes.append("\(counted(count, "address", "addresses")) of \(names) left out")
    }
    if malformedAddresses > 0 {
      notes.append(
        "\(counted(malformedAddresses, "malformed address", "malformed addresses")) left out")
    }
    if metaURLs > 0 {
      notes.append("\(counted(metaURLs, "torrent or the like", "torrents and the like")) left out")
    }
    if !algorithms.isEmpty {
      let names = algorithms.sorted().prefix(5).joined(separator: ", ")
      notes.append("digests of \(names) left out; Haul checks sha-512, sha-256, sha-1 and md5")
    }
    return notes
  }

  private func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}

/// A text of a document as it is quoted in messages.
func shortened(_ text: String) -> String {
  text.count > 60 ? text.prefix(40) + "…" + text.suffix(19) : text
}
