internal import HaulRecords

/// Finds downloads by what they ask for; most keys have one, and cost no list of their own.
struct KeyIndex: Sendable {
  private var first: [UInt64: DownloadID] = [:]
  private var more: [UInt64: [DownloadID]] = [:]

  /// In the order in which they came.
  func ids(_ key: UInt64) -> [DownloadID] {
    first[key].map { [$0] + (more[key] ?? []) } ?? []
  }

  mutating func reserveCapacity(_ count: Int) { first.reserveCapacity(count) }

  mutating func insert(_ key: UInt64, _ id: DownloadID) {
    if first[key] == nil { first[key] = id } else { more[key, default: []].append(id) }
  }

  mutating func remove(_ key: UInt64, _ id: DownloadID) {
    var ids = ids(key)
    ids.removeAll { $0 == id }
    first[key] = ids.first
    more[key] = ids.count > 1 ? Array(ids.dropFirst()) : nil
  }
}
