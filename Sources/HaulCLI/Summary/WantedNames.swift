import Glibc
import HaulHTTP
import HaulTransfer

/// Whether the files of a run share names, as far as can be told without keeping all of them: a run
/// may have a million files.
struct WantedNames {
  /// A name as it is compared: some file systems make no difference between upper and lower case.
  private static func key(_ name: some StringProtocol) -> Int { name.lowercased().hashValue }

  /// Whether a file that finished had another name than its line of the list tells.
  private var hasSurprise = false

  mutating func note(_ file: FinishedTransfer, _ news: FileNews) {
    guard !hasSurprise, news.target == nil else { return }
    let told = news.url.flatMap { try? HTTPURL(parsing: $0) }.map { Self.name(at: $0) }
    // A server may add an extension where there is none.
    hasSurprise = file.wantedName != told && Self.stem(file.wantedName).map(String.init) != told
  }

  /// Whether no two files of the run have one name, as far as the addresses tell: then size and time
  /// of a file under a name speak of one address only.
  ///
  /// It is not so where a server gave a name that its address does not, or where the list cannot be
  /// read once more.
  func areDistinct(_ options: GetOptions) -> Bool {
    guard !hasSurprise, isReadable(options.inputFile), let jobs = try? JobList(options) else {
      return false
    }
    var names: [Int] = []
    var stems: [Int] = []
    var incomplete: [Int] = []
    var repeats = RepeatFilter()
    while true {
      do {
        guard let job = try jobs.next() else { break }
        guard !repeats.isRepeated(job), let url = try? HTTPURL(parsing: job.url) else { continue }
        let name = job.name ?? options.output ?? Self.name(at: url)
        names.append(Self.key(name))
        if let stem = Self.stem(name) {
          stems.append(Self.key(stem))
        } else {
          incomplete.append(Self.key(name))
        }
      } catch {
        // A line that cannot be read is no file.
        continue
      }
    }
    names.sort()
    guard zip(names, names.dropFirst()).allSatisfy(!=) else { return false }
    let extended = Set(incomplete)
    return !stems.contains { extended.contains($0) }
  }

  /// Whether a list can be read once more: of a pipe nothing is left, and its writer may never end.
  private func isReadable(_ list: String?) -> Bool {
    guard let list else { return true }
    var status = stat()
    // The text is passed as a string that ends with NUL, and the status is a local variable.
    let isThere = unsafe stat(list, &status) == 0
    return list != "-" && isThere && status.st_mode & S_IFMT == S_IFREG
  }

  private static func name(at url: HTTPURL) -> String {
    FileName.suggested(disposition: nil, firstURL: url, finalURL: url, mediaType: nil)
  }

  /// A name without its extension; nil when it has none.
  private static func stem(_ name: String) -> Substring? {
    name.lastIndex(of: ".").map { name[..<$0] }
  }
}
