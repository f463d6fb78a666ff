import Dispatch
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// Who waits for the same folder is served together, and told the truth.
@Suite struct FolderSyncsTests {
  /// A folder of which each sync asks the test.
  private final class Scene: Sendable {
    let disk = SimulatedDisk()
    let syncs: FolderSyncs
    let count = Atomic(0)
    private let onSync: @Sendable (Int) throws(DiskError) -> Void

    init(onSync: @escaping @Sendable (Int) throws(DiskError) -> Void) {
      self.onSync = onSync
      syncs = FolderSyncs { job in DispatchQueue.global().async { job() } }
    }

    func folder(_ path: String = "/d") throws -> any DiskFolder {
      let hooked = HookedDisk(disk) { [self] call, name throws(DiskError) in
        guard call == .syncFolder else { return }
        try onSync(count.add(1, ordering: .sequentiallyConsistent).newValue)
      }
      return try hooked.openFolder(path, create: true)
    }
  }

  /// How often, and how, each of those who wait was told.
  private final class Ledger: Sendable {
    private let results = Mutex<[Int: [Bool]]>([:])
    private let group = DispatchGroup()

    func completion(_ number: Int) -> FolderSyncs.Completion {
      group.enter()
      return { [self] result in
        let isGood = if case .success = result { true } else { false }
        results.withLock { $0[number, default: []].append(isGood) }
        group.leave()
      }
    }

    func wait() -> Bool { group.wait(timeout: .now() + 20) == .success }
    var told: [Int: [Bool]] { results.withLock { $0 } }
  }

  static let failure = DiskError(call: "fsync", path: "/d", errno: 5)

  @Test func aThousandAtOnceMakeTwoSyncs() throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let scene = Scene { number in
      guard number == 1 else { return }
      begun.signal()
      gate.wait()
    }
    let folder = try scene.folder()
    let ledger = Ledger()
    let first = try scene.syncs.ticket(folder)
    DispatchQueue.global().async { [syncs = scene.syncs, done = ledger.completion(0)] in
      syncs.join(first, done)
    }
    begun.wait()
    // All of these got their names after the sync began.
    for number in 1..<1000 {
      scene.syncs.join(try scene.syncs.ticket(folder), ledger.completion(number))
    }
    #expect(ledger.told.isEmpty)
    gate.signal()
    #expect(ledger.wait())
    let count = scene.count.load(ordering: .relaxed)
    #expect(count == 2)
    #expect(ledger.told == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, [true]) }))
  }

  @Test func aSyncThatBeganBeforeDoesNotCount() throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let scene = Scene { _ in
      begun.signal()
      gate.wait()
    }
    let folder = try scene.folder()
    let (one, two) = (Ledger(), Ledger())
    let first = try scene.syncs.ticket(folder)
    DispatchQueue.global().async { [syncs = scene.syncs, done = one.completion(1)] in
      syncs.join(first, done)
    }
    begun.wait()
    scene.syncs.join(try scene.syncs.ticket(folder), two.completion(2))
    gate.signal()
    #expect(one.wait())
    begun.wait()
    #expect(two.told.isEmpty)
    gate.signal()
    #expect(two.wait())
    #expect(two.told == [2: [true]])
  }

  /// The system tells a failure once: the next sync reports success, though what was lost is lost.
  @Test func aFailureIsToldToAllWhoseNamesItMayHaveLost() throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let scene = Scene { number throws(DiskError) in
      guard number == 1 else { return }
      begun.signal()
      gate.wait()
      throw Self.failure
    }
    let folder = try scene.folder()
    let ledger = Ledger()
    let first = try scene.syncs.ticket(folder)
    let waiting = try scene.syncs.ticket(folder)
    let late = try scene.syncs.ticket(folder)
    DispatchQueue.global().async { [syncs = scene.syncs, done = ledger.completion(1)] in
      syncs.join(first, done)
    }
    begun.wait()
    scene.syncs.join(waiting, ledger.completion(2))
    gate.signal()
    #expect(ledger.wait())
    // It had its ticket, and maybe its name, before the failure, and joins only now.
    scene.syncs.join(late, ledger.completion(3))
    scene.syncs.join(try scene.syncs.ticket(folder), ledger.completion(4))
    #expect(ledger.wait())
    #expect(ledger.told == [1: [false], 2: [false], 3: [false], 4: [true]])
  }

  @Test func aFailureInOneFolderIsNoneInAnother() throws {
    let scene = Scene { number throws(DiskError) in if number == 1 { throw Self.failure } }
    let (bad, good) = (try scene.folder("/bad"), try scene.folder("/good"))
    let tickets = [try scene.syncs.ticket(bad), try scene.syncs.ticket(good)]
    #expect(throws: Self.failure) { try scene.syncs.wait(tickets[0]) }
    try scene.syncs.wait(tickets[1])
  }

  /// Each success has to have a sync of its own: one that began after the wait did, and went well,
  /// with no failure since the ticket.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func aStormTellsEverybodyTheTruthOnce(_ seed: UInt64) throws {
    let random = SeededRandom(seed: seed)
    let time = Atomic(0)
    @discardableResult @Sendable func tick() -> Int {
      time.add(1, ordering: .sequentiallyConsistent).newValue
    }
    let syncs = Mutex<[(start: Int, end: Int, isGood: Bool)]>([])
    let scene = Scene { number throws(DiskError) in
      let start = tick()
      // The first ones show both, however few there are.
      let isGood = number > 2 ? random.next() % 4 != 0 : number == 1
      for _ in 0..<random.next() % 4 { tick() }
      syncs.withLock { $0.append((start, tick(), isGood)) }
      if !isGood { throw Self.failure }
    }
    let folder = try scene.folder()
    let ledger = Ledger()
    let waits = Mutex<[Int: (ticket: Int, join: Int)]>([:])
    let ends = Mutex<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      for number in thread * 100..<(thread + 1) * 100 {
        let asked = tick()
        guard let ticket = try? scene.syncs.ticket(folder) else { continue }
        let joined = tick()
        waits.withLock { $0[number] = (asked, joined) }
        let done = ledger.completion(number)
        scene.syncs.join(ticket) { result in
          ends.withLock { $0[number] = tick() }
          done(result)
        }
      }
    }
    #expect(ledger.wait(), "somebody was never told: seed \(seed)")
    let (told, log) = (ledger.told, syncs.withLock { $0 })
    #expect(told.count == 600 && told.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
    for (number, wait) in waits.withLock({ $0 }) where told[number] == [true] {
      let end = try #require(ends.withLock { $0[number] })
      let good = log.contains { $0.isGood && $0.start > wait.join && $0.end < end }
      #expect(good, "no sync of its own: seed \(seed)")
      // One that failed after the ticket was taken, and before the first that can count.
      let spoilt = log.contains { failed in
        !failed.isGood && failed.end > wait.join
          && log.allSatisfy {
            !$0.isGood || $0.start < wait.join || $0.end > end || $0.start > failed.end
          }
      }
      #expect(!spoilt, "a failure was kept from it: seed \(seed)")
    }
    #expect(told.values.contains([true]) && told.values.contains([false]))
  }
}
