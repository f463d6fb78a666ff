import HaulHTTP
import HaulRecords
import HaulTestKit
import Testing

@testable import Haul

/// A list on a volume that is full, or that cannot be written to.
@Suite(.enabled(if: Mount.isPossible), .timeLimit(.minutes(1))) struct VolumeTests {
  @Test func aVolumeThatCannotBeWrittenToIsNamed() async throws {
    let volume = try await Mount(options: "size=4m")
    let bench = try TroubleBench(state: volume.path)
    try bench.fill(3)
    try await volume.remount(options: "ro")
    for state in [volume.path, volume.path + "/new"] {
      let failure = await bench.failure { $0.stateFolder = state }
      #expect(failure?.code == .readOnly, "\(String(describing: failure))")
      #expect(failure?.message.contains(volume.path) == true)
    }
    try await volume.remount(options: "rw")
    #expect(try await bench.manager().open().count == 3)
  }

  @Test func aListCannotBeMadeOnAFullVolume() async throws {
    let volume = try await Mount(options: "size=8k")
    let bench = try TroubleBench(state: volume.path)
    #expect(await bench.failure()?.code == .diskFull)
    try await volume.remount(options: "size=4m")
    #expect(await bench.failure() == nil)
  }

  /// The volume fills up while downloads run. They run on, nothing is told as over that is not stored, and
  /// everything is stored once there is room.
  @Test func aVolumeThatFillsUpWhileDownloadsRunLosesNothing() async throws {
    let volume = try await Mount(options: "size=1m")
    let bench = try TroubleBench(state: volume.path)
    let contents = (0..<3).map { OriginContent(size: 400_000, seed: $0) }
    let gates = (0..<3).map { _ in Gate() }
    let origin = try HostileOrigin { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return OriginResource(contents[number]).respond(to: request)
        // Who waited too long on a busy machine and asks for the rest waits on.
        .stalling(after: request.fields.first("Range") == nil ? 200_000 : 0, at: gates[number])
    }
    let manager = bench.manager { $0.settings.parallel = 3 }
    var events = manager.events().makeAsyncIterator()
    let ids = try await manager.add((0..<3).map { try DownloadRequest(origin.url("/\($0)")) })
    for gate in gates { await gate.waitUntilReached() }
    // Takes what is left.
    #expect(throws: KitError.self) {
      try OriginContent(size: 2 << 20).write(to: volume.file("ballast"))
    }
    gates[0].open()
    var failure: DatabaseFailure?
    var ends: [DownloadID: AttemptEnd] = [:]
    while failure == nil, let event = await events.next() {
      if case .storageFailed(let reason) = event.kind { failure = reason }
      // What was left of the log may have had room for this one.
      if case .ended(let id, _, let end, _) = event.kind { ends[id] = end }
    }
    #expect(failure?.code == .diskFull)
    #expect(failure?.message.contains("Free some space") == true)
    let refused = await #expect(throws: DownloadManagerFailure.self) {
      try await manager.add(origin.url("/3"))
    }
    #expect(refused?.code == .diskFull)
    manager.pause(ids[2])
    let unstored = await #expect(throws: DownloadManagerFailure.self) {
      try await manager.stored()
    }
    #expect(unstored?.code == .diskFull)
    gates[1].open()
    for number in 0..<2 {
      for await snapshot in manager.snapshots(of: ids[number]) where snapshot.state == .finished {
        break
      }
      #expect(contents[number].matches(path: bench.folder.path("downloads/\(number)")))
    }
    for await snapshot in manager.snapshots(of: ids[2]) where snapshot.state == .paused { break }

    try await volume.remount(options: "size=8m")
    while let event = await events.next(), event.kind != .storageRecovered {
      if case .ended = event.kind { Issue.record("\(event.kind) was told before it was stored") }
    }
    while ends.count < 3, let event = await events.next() {
      if case .ended(let id, _, let end, _) = event.kind { ends[id] = end }
    }
    #expect(ends == [ids[0]: .finished, ids[1]: .finished, ids[2]: .paused])
    try await manager.stored()
    await manager.close()
    let again = bench.manager()
    #expect(try await again.open().interrupted == [])
    #expect(
      try await again.page().items.map(\.state) == [.finished, .finished, .paused])
    #expect(try await again.check() == [])
    await again.close()
  }
}
