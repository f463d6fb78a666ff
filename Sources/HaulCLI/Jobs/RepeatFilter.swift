/// Knows the files that were asked for lately, in bounded memory however long a list is.
struct RepeatFilter {
  /// 128 bits of a keyed hash: that two files have the same will not happen.
  private struct Fingerprint: Hashable {
    let first: Int
    let second: Int

    init(_ job: Job) {
      var hasher = Hasher()
      // By their bytes: strings are equal when they look the same, and addresses are not.
      hasher.combine(Array(job.url.utf8))
      hasher.combine(job.name.map { Array($0.utf8) })
      hasher.combine(job.digest)
      var other = hasher
      other.combine(true)
      first = hasher.finalize()
      second = other.finalize()
    }
  }

  /// The number of files that are remembered at least.
  let capacity: Int
  private var recent: Set<Fingerprint> = []
  private var earlier: Set<Fingerprint> = []

  init(capacity: Int = 49_000) {
    self.capacity = capacity
  }

  /// Whether the same file, under the same name, was asked for before.
  mutating func isRepeated(_ job: Job) -> Bool {
    let fingerprint = Fingerprint(job)
    if recent.contains(fingerprint) || earlier.contains(fingerprint) { return true }
    if recent.count >= capacity {
      earlier = recent
      recent = []
    }
    recent.insert(fingerprint)
    return false
  }
}
