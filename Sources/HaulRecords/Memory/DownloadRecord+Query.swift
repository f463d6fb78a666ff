import HaulHTTP

extension DownloadRecord {
  /// Whether address or name contain some bytes, when the case of ASCII letters does not count.
  func contains(folded search: [UInt8]) -> Bool {
    search.isEmpty
      || [url.textWithoutUser, name].contains { text in
        text.foldingASCIICase.utf8.contains(search)
      }
  }

  /// Whether this record stands before another one.
  func precedes(_ other: DownloadRecord, by sort: RecordQuery.Sort) -> Bool {
    switch sort {
    case .position: break
    case .added where added != other.added: return added < other.added
    case .received where received != other.received: return received < other.received
    case .total where total != other.total: return (total ?? -1) < (other.total ?? -1)
    case .state where state != other.state:
      return state.rawValue.utf8.lexicographicallyPrecedes(other.state.rawValue.utf8)
    case .name:
      let (one, two) = (name.foldingASCIICase.utf8, other.name.foldingASCIICase.utf8)
      if !one.elementsEqual(two) { return one.lexicographicallyPrecedes(two) }
    case .added, .received, .total, .state: break
    }
    return (position, id) < (other.position, other.id)
  }
}
