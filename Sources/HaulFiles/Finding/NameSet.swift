/// The names in a folder, as hashes: eight bytes for each, since folders of a million names are met.
///
/// It answers one question: whether a name may be there that differs from another by case or Unicode
/// form only. It is seldom wrong when it says so, which can be looked up, and when it does not.
struct NameSet: Sendable {
  /// Sorted, by the highest bits. Short enough that inserting moves little, and growing by itself, so
  /// that a large set is never copied at once.
  private var buckets = [[UInt64]](repeating: [], count: 1 << Self.bucketBits)

  private static let bucketBits = 10
  /// The bits of a hash that tell apart names which are equal but for case and form.
  private static let exactBits: UInt64 = 0xFF_FFFF

  mutating func insert(_ name: String) {
    let hash = Self.hash(name)
    let bucket = Int(hash >> (64 - UInt64(Self.bucketBits)))
    let index = Self.position(of: hash, in: buckets[bucket])
    if index < buckets[bucket].count, buckets[bucket][index] == hash { return }
    if buckets[bucket].count == buckets[bucket].capacity {
      buckets[bucket].reserveCapacity(buckets[bucket].count * 5 / 4 + 2)
    }
    buckets[bucket].insert(hash, at: index)
  }

  /// Whether a name is there that is the same as this one, but for case and Unicode form at most.
  func mayHave(_ name: String) -> Bool {
    let hash = Self.hash(name)
    let bucket = buckets[Int(hash >> (64 - UInt64(Self.bucketBits)))]
    let first = Self.position(of: hash & ~Self.exactBits, in: bucket)
    return first < bucket.count && bucket[first] & ~Self.exactBits == hash & ~Self.exactBits
  }

  /// Whether a name is there that is the same as this one but for case and Unicode form.
  func mayHaveTwin(of name: String) -> Bool {
    let hash = Self.hash(name)
    let bucket = buckets[Int(hash >> (64 - UInt64(Self.bucketBits)))]
    let first = Self.position(of: hash & ~Self.exactBits, in: bucket)
    for other in bucket[first...] {
      guard other & ~Self.exactBits == hash & ~Self.exactBits else { return false }
      if other != hash { return true }
    }
    return false
  }

  /// As `FileName.isSameName` compares; equality of strings does not see Unicode forms.
  static func areTwins(_ left: String, _ right: String) -> Bool {
    !left.utf8.elementsEqual(right.utf8) && folded(left) == folded(right)
  }

  private static func folded(_ name: String) -> String {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    return isASCII ? name.lowercased() : name.uppercased().lowercased()
  }

  private static func hash(_ name: String) -> UInt64 {
    // Strings that differ by Unicode form only have equal hashes.
    let same = UInt64(bitPattern: Int64(folded(name).hashValue))
    var exact = Hasher()
    for byte in name.utf8 { exact.combine(byte) }
    let differing = UInt64(bitPattern: Int64(exact.finalize()))
    return same & ~exactBits | differing & exactBits
  }

  /// Where a hash is, or would be.
  private static func position(of hash: UInt64, in bucket: [UInt64]) -> Int {
    var low = 0
    var high = bucket.count
    while low < high {
      let middle = (low + high) / 2
      if bucket[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
