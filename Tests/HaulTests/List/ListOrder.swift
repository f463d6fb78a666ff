import HaulRecords

@testable import Haul

/// Moves in a plain array.
enum ListOrder {
  static func moved(
    _ ids: [DownloadID], to place: ListPlace, in order: [DownloadID]
  ) -> [DownloadID] {
    var moving: [DownloadID] = []
    for id in ids where order.contains(id) && !moving.contains(id) { moving.append(id) }
    let rest = order.filter { !moving.contains($0) }
    let gap: Int?
    switch place {
    case .top: gap = 0
    case .bottom: gap = rest.count
    case .before(let id): gap = rest.firstIndex(of: id)
    case .after(let id): gap = rest.firstIndex(of: id).map { $0 + 1 }
    }
    guard let gap else { return order }
    return Array(rest.prefix(gap)) + moving + Array(rest.dropFirst(gap))
  }
}
