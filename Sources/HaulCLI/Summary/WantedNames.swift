import HaulHTTP

/// The names that the finished files of a run were to have, to be compared with those of all files
/// that it was to fetch.
struct WantedNames {
  /// A name as it is compared: some file systems make no difference between upper and lower case,
  /// and a server may add an extension. Hashes, since a run may have very many files.
  private struct Name: Hashable {
    let whole: Int
    /// Without its extension; nil when it has none.
    let stem: Int?

    init(_ name: String) {
      let name = name.lowercased()
      whole = name.hashValue
      stem = name.lastIndex(of: ".").map { name[..<$0].hashValue }
    }
  }

  private var finished: Set<Name> = []

  mutating func note(_ name: String) { finished.insert(Name(name)) }

  /// Whether no two files of the run have one name, as far as the addresses tell: then size and time
  /// of a file under a name speak of one address only.
  ///
  /// It is not so where a server gave a name that its address does not, or where the list cannot be
  /// read once more.
  func areDistinct(_ options: GetOptions) -> Bool {
    guard options.inputFile != "-", let jobs = try? JobList(options) else { return false }
    var names: Set<Name> = []
    var repeats = RepeatFilter()
    while true {
      do {
        guard let job = try jobs.next() else { break }
        guard !repeats.isRepeated(job), let url = try? HTTPURL(parsing: job.url) else { continue }
        let name =
          job.name ?? options.output
          ?? FileName.suggested(disposition: nil, firstURL: url, finalURL: url, mediaType: nil)
        guard names.insert(Name(name)).inserted else { return false }
      } catch {
        // A line that cannot be read is no file.
        continue
      }
    }
    let incomplete = Set(names.lazy.filter { $0.stem == nil }.map(\.whole))
    return !names.contains { $0.stem.map(incomplete.contains) ?? false }
      && finished.allSatisfy { names.contains($0) || $0.stem.map(incomplete.contains) ?? false }
  }
}
