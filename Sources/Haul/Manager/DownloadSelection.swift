public import HaulRecords

/// Which downloads of a list are meant.
public enum DownloadSelection: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Those with these ids, in this order; those that are not in the list are passed over.
  case ids([DownloadID])
  /// Those in these states, in the order of the list.
  case states(Set<DownloadState>)
  /// All, in the order of the list.
  case all

  /// The one with this id.
  public static func id(_ id: DownloadID) -> DownloadSelection { .ids([id]) }

  /// Those with these ids.
  public init(arrayLiteral ids: DownloadID...) { self = .ids(ids) }
}

extension ListMachine {
  /// The ids of a selection.
  mutating func ids(_ selection: DownloadSelection) -> [DownloadID] {
    switch selection {
    case .ids(let ids): ids
    case .all: ordered()
    case .states(let states):
      ordered().filter { id in entry(id).map { states.contains($0.item.state) } ?? false }
    }
  }
}
