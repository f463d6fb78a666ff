import Haul
import HaulHTTP
import HaulRecords
import HaulTestKit

/// Asks one thing after another of a list, drawn from a seed, for as long as the process lives.
struct Unrest {
  let owner: Owner
  let random: SeededRandom

  private var manager: DownloadManager { owner.manager }
  private func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  func run() async throws {
    while true {
      try await step()
      if draw(8) == 0 { _ = try await owner.items() }
      // A person is slower; without any pause the processor would have nothing left for the downloads.
      try await Task.sleep(for: .microseconds(draw(4000)))
    }
  }

  private func step() async throws {
    switch draw(100) {
    case 0..<12: manager.pause(selection())
    case 12..<34: manager.resume(selection())
    case 34..<44: manager.start(selection())
    case 44..<54: manager.retry(selection())
    case 54..<62: manager.move(selection(), to: place())
    case 62..<70: manager.setPriority(Int16(draw(5) - 2), of: selection())
    case 70..<76: settings()
    case 76..<84: try await setURL(draw(owner.wishes.count))
    case 84..<88: try await join(draw(owner.wishes.count))
    case 88..<92: try await replace(draw(owner.wishes.count))
    case 92..<94: try await removeAndAdd(draw(owner.wishes.count))
    case 94: manager.cancel(owner.ids[draw(owner.ids.count)])
    case 95: manager.setPriority(0, of: .all)
    default: try await manager.stored()
    }
  }

  private func selection() -> DownloadSelection {
    switch draw(12) {
    case 0: .all
    case 1: .states([.paused, .failed, .none])
    case 2..<5: .ids(owner.ids.filter { _ in draw(4) == 0 })
    default: .id(owner.ids[draw(owner.ids.count)])
    }
  }

  private func place() -> ListPlace {
    let other = owner.ids[draw(owner.ids.count)]
    return [.top, .bottom, .before(other), .after(other)][draw(4)]
  }

  private func settings() {
    let parallel = 1 + draw(8)
    let perHost = draw(3) == 0 ? 1 + draw(4) : nil
    let isOnline = draw(8) > 0
    manager.updateSettings { settings in
      settings.parallel = parallel
      settings.perHost = perHost
      settings.isOnline = isOnline
    }
  }

  /// Another address of the same file; a finished one needs none.
  private func setURL(_ number: Int) async throws {
    guard try await isUnfinished(number) else { return }
    let urls = owner.wishes.urls[number]
    try await manager.setURL(urls[draw(urls.count)], of: owner.ids[number])
  }

  /// Asks for what is there already; it is not added again.
  ///
  /// - Returns: Whether the list took it for the same. A new address has brought the name along that was
  ///   known by then, and asks for something else than one without a name.
  @discardableResult
  private func refuse(_ request: DownloadRequest, _ number: Int) async throws -> Bool {
    var request = request
    request.onDuplicate = .refuse
    request.starts = false
    let id: DownloadID
    do throws(DownloadManagerFailure) {
      id = try await manager.add(request)
    } catch {
      guard error.code == .duplicate, error.id == owner.ids[number] else { throw error }
      return true
    }
    await remove(id)
    return false
  }

  /// The request that most likely made an unfinished download.
  private func again(_ number: Int) async throws -> DownloadRequest? {
    guard let snapshot = try await manager.snapshot(of: owner.ids[number]),
      snapshot.state != .finished
    else { return nil }
    let address = owner.wishes.urls[number].firstIndex { $0.redacted == snapshot.url } ?? 0
    return owner.wishes.request(number, address: address)
  }

  private func join(_ number: Int) async throws {
    guard var request = try await again(number), try await refuse(request, number) else { return }
    request.onDuplicate = .join
    let id = try await manager.add(request)
    guard id == owner.ids[number] else { throw Wrong("\(owner.ids[number]) was not joined") }
  }

  /// A new one takes the place of one that is not finished.
  private func replace(_ number: Int) async throws {
    guard owner.wishes.hasNameAlone(number), var request = try await again(number),
      try await refuse(request, number)
    else { return }
    request.onDuplicate = .replace
    // It may be finished by now.
    request.options.namePolicy = .overwrite
    owner.replace(number, by: try await manager.add(request))
  }

  /// One leaves the list, with its file, and comes again.
  private func removeAndAdd(_ number: Int) async throws {
    guard owner.wishes.hasNameAlone(number), try await isUnfinished(number) else { return }
    let old = owner.ids[number]
    if draw(2) == 0 { await remove(old) } else { manager.remove(old, files: true) }
    var request = owner.wishes.request(number, address: draw(owner.wishes.urls[number].count))
    request.options.namePolicy = .overwrite
    let id = try await manager.add(request)
    guard id != old else { throw Wrong("\(id) is on its way out of the list, and was joined") }
    owner.replace(number, by: id)
  }

  private func isUnfinished(_ number: Int) async throws -> Bool {
    try await manager.snapshot(of: owner.ids[number])?.state != .finished
  }

  /// Takes one out of the list, and waits until it is.
  private func remove(_ id: DownloadID) async {
    manager.remove(id, files: true)
    for await snapshot in manager.snapshots(of: id) where snapshot.isRemoved { return }
  }
}
