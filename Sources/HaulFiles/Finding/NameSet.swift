/// The names in a folder, as hashes: four bytes for each, since folders of a million names are met.
///
/// It answers one question: whether a name may be there that differs from another by case or Unicode
/// form only. It is seldom wrong when it says so, which can be looked up; of 256 twins it takes one for
/// the name itself.
struct NameSet: Sendable {
  /// What is remembered of a name.
  private struct Entry {
    /// Bits that are equal for names which are the same but for case and form: those above choose a
    /// bucket, those below are kept there.
    var same: UInt64
    /// Bits that tell those names apart.
    var exact: UInt8

    var bucket: Int { Int(same >> 24) }
    var bits: UInt32 { UInt32(truncatingIfNeeded: same) << 8 }
  }

  private static let bucketBits = 12

  /// All buckets in a row, each sorted: one piece of memory, since many that grow together would leave
  /// several times their size in holes.
  private var buckets: [UInt32] = []
  /// Where each bucket begins, and after the last one its end.
  private var starts = [Int](repeating: 0, count: 1 << Self.bucketBits + 1)
  /// What is not in the buckets yet: the bits that tell a name apart, nil where several differ by them.
  private var recent: [UInt64: UInt8?] = [:]

  mutating func insert(_ name: String) {
    let entry = Self.entry(name)
    switch recent[entry.same] {
    case nil: recent[entry.same] = .some(entry.exact)
    case .some(let exact) where exact != entry.exact: recent[entry.same] = .some(nil)
    default: break
    }
    if recent.count > max(1024, buckets.count / 32) { merge() }
  }

  /// Whether a name is there that is the same as this one, but for case and Unicode form at most.
  func mayHave(_ name: String) -> Bool {
    let entry = Self.entry(name)
    return recent[entry.same] != nil || !kept(entry).isEmpty
  }

  /// Whether a name is there that is the same as this one but for case and Unicode form.
  func mayHaveTwin(of name: String) -> Bool {
    let entry = Self.entry(name)
    if let exact = recent[entry.same], exact != entry.exact { return true }
    return kept(entry).contains { UInt8(truncatingIfNeeded: $0) != entry.exact }
  }

  /// What the buckets have of names that are the same as one, but for case and form.
  private func kept(_ entry: Entry) -> ArraySlice<UInt32> {
    let bucket = buckets[starts[entry.bucket]..<starts[entry.bucket + 1]]
    let first = Self.position(of: entry.bits, in: bucket)
    return bucket[first...].prefix { $0 & ~0xFF == entry.bits }
  }

  /// Moves what is recent into the buckets.
  private mutating func merge() {
    var new: [(bucket: Int, bits: UInt32)] = []
    for (same, exact) in recent {
      let entry = Entry(same: same, exact: exact ?? 0)
      new.append((entry.bucket, entry.bits | UInt32(entry.exact)))
      // Two that differ, whichever they were, so that each name has a twin.
      if exact == nil { new.append((entry.bucket, entry.bits | 1)) }
    }
    recent = [:]
    new.sort { ($0.bucket, $0.bits) < ($1.bucket, $1.bits) }
    var merged: [UInt32] = []
    merged.reserveCapacity(buckets.count + new.count)
    var next = new[...]
    for bucket in 0..<starts.count - 1 {
      let old = buckets[starts[bucket]..<starts[bucket + 1]]
      starts[bucket] = merged.count
      var rest = old
      while let item = next.first, item.bucket == bucket {
        next.removeFirst()
        let smaller = rest.prefix { $0 < item.bits }
        merged += smaller
        rest = rest[smaller.endIndex...]
        if rest.first != item.bits { merged.append(item.bits) }
      }
      merged += rest
    }
    starts[starts.count - 1] = merged.count
    buckets = merged
  }

  /// As `FileName.isSameName` compares; equality of strings does not see Unicode forms.
  static func areTwins(_ left: String, _ right: String) -> Bool {
    !left.utf8.elementsEqual(right.utf8) && folded(left) == folded(right)
  }

  private static func folded(_ name: String) -> String {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    return isASCII ? name.lowercased() : name.uppercased().lowercased()
  }

  private static func entry(_ name: String) -> Entry {
    // Strings that differ by Unicode form only have equal hashes.
    let same = UInt64(bitPattern: Int64(folded(name).hashValue)) >> (64 - 24 - UInt64(bucketBits))
    var exact = Hasher()
    for byte in name.utf8 { exact.combine(byte) }
    return Entry(same: same, exact: UInt8(truncatingIfNeeded: exact.finalize()))
  }

  /// Where the first bits are that are not less.
  private static func position(of bits: UInt32, in bucket: ArraySlice<UInt32>) -> Int {
    var (low, high) = (bucket.startIndex, bucket.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if bucket[middle] < bits { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
