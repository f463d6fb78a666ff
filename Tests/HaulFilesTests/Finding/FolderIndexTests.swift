import Dispatch
import HaulSystem
import HaulTestKit
import Synchronization
import Testing

@testable import HaulFiles

/// What is remembered of a folder, and for how long.
@Suite struct FolderIndexTests {
  private let clock = VirtualClock()
  private let disk = SimulatedDisk()

  private func index(lifetime: Double = 1) -> FolderIndex {
    FolderIndex(clock: clock, lifetime: lifetime)
  }

  private func open(_ path: String = "/d") throws -> any DiskFolder {
    try disk.openFolder(path, create: true)
  }

  @Test func whatThisProcessAddsIsKnownAtOnce() throws {
    let (index, folder) = (index(), try open())
    #expect(try !index.mayHave("a", in: folder))
    index.noteName("a", in: folder)
    #expect(try index.mayHave("a", in: folder))
    #expect(try index.mayHave("A", in: folder))
    #expect(index.hasNoJournals("/d"))
    index.noteJournal("a", in: folder)
    #expect(!index.hasNoJournals("/d"))
    #expect(try index.stems(in: folder) == ["a"])
  }

  @Test func whatOthersAddIsKnownAfterASecond() throws {
    let (index, folder) = (index(), try open())
    #expect(try !index.mayHave("a", in: folder))
    disk.put([1], as: "a", in: "/d")
    disk.put([1], as: "b.haul-part", in: "/d")
    disk.put([1], as: "c.haul-journal", in: "/d")
    clock.advance(seconds: 0.99)
    #expect(try !index.mayHave("a", in: folder))
    #expect(index.hasNoJournals("/d"))
    clock.advance(seconds: 0.01)
    #expect(!index.hasNoJournals("/d"))
    for name in ["a", "A", "b", "B"] { #expect(try index.mayHave(name, in: folder)) }
    #expect(try !index.mayHave("c", in: folder))
    #expect(try index.stems(in: folder) == ["c"])
  }

  /// What was removed is forgotten with the rest; until then a closer look corrects it.
  @Test func whatIsGoneIsForgotten() throws {
    let (index, folder) = (index(), try open())
    // One in 256 looked like the name itself, by the few bits that are kept, and was missed.
    let names = (0..<1000).map { "a\($0)" }
    for name in names { disk.put([1], as: name.uppercased(), in: "/d") }
    #expect(try names.allSatisfy { try index.hasTwin($0, in: folder) })
    for name in names { try folder.remove(name.uppercased()) }
    #expect(try names.allSatisfy { try index.mayHave($0, in: folder) })
    #expect(try names.allSatisfy { try !index.hasTwin($0, in: folder) })
    clock.advance(seconds: 1)
    #expect(try names.allSatisfy { try !index.mayHave($0, in: folder) })
  }

  @Test func withoutALifetimeNothingIsRemembered() throws {
    let (index, folder) = (index(lifetime: 0), try open())
    #expect(try !index.mayHave("a", in: folder))
    disk.put([1], as: "a", in: "/d")
    #expect(try index.mayHave("a", in: folder))
    #expect(!index.hasNoJournals("/d"))
  }

  /// At most a twentieth of the time is spent on listing.
  @Test func aFolderThatTakesLongToListIsListedSeldom() throws {
    let clock = clock
    let count = Mutex(0)
    let slow = HookedDisk(disk) { call, _ in
      guard call == .names else { return }
      count.withLock { $0 += 1 }
      clock.advance(seconds: 2)
    }
    let (index, folder) = (index(), try slow.openFolder("/d", create: true))
    #expect(try !index.mayHave("a", in: folder))
    clock.advance(seconds: 39.9)
    #expect(try !index.mayHave("a", in: folder))
    #expect(index.hasNoJournals("/d"))
    #expect(count.withLock { $0 } == 1)
    clock.advance(seconds: 0.2)
    #expect(try !index.mayHave("a", in: folder))
    #expect(count.withLock { $0 } == 2)
  }

  @Test func aListingThatFailedIsMadeAgain() throws {
    let (index, folder) = (index(), try open())
    disk.put([1], as: "a", in: "/d")
    disk.fail(.names, nth: 1, errno: 5)
    #expect(throws: DiskError.self) { try index.mayHave("a", in: folder) }
    #expect(!index.hasNoJournals("/d"))
    #expect(try index.mayHave("a", in: folder))
  }

  @Test func foldersAreToldApart() throws {
    let index = index()
    for number in 0..<200 {
      let folder = try open("/\(number)")
      #expect(try !index.mayHave("a", in: folder))
      index.noteName("a", in: folder)
      #expect(try index.mayHave("a", in: folder))
    }
    #expect(!index.hasNoJournals("/nowhere"))
  }

  @Test func namesThatAreAddedDuringAListingAreKnown() throws {
    // One thread lists again and again while others add: none of their names may be unknown.
    let (index, folder) = (index(lifetime: 1e-9), try open())
    let disk = disk
    let clock = clock
    let missing = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 {
        let name = "\(thread) \(number)"
        disk.put([1], as: name, in: "/d")
        index.noteName(name, in: folder)
        clock.advance(seconds: 0.001)
        if (try? index.mayHave(name, in: folder)) != true { missing.withLock { $0.append(name) } }
      }
    }
    #expect(missing.withLock { $0 } == [])
  }
}
