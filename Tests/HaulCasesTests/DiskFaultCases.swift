import Dispatch
import Foundation
import HaulFiles
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// A disk that fails, hangs, or changes under a whole transfer.
@Suite(.timeLimit(.minutes(3))) struct DiskFaultCases {
  static let content = OriginContent(size: 600_000, seed: 5)
  static let cut: Int64 = 400_000

  static func environment(_ disk: any Disk) -> TransferEnvironment {
    Engine.environment(store: FileStore(disk: disk, crypto: SystemCrypto()))
  }

  /// A call that fails once, or from some moment on.
  private final class Fault: Sendable {
    enum Span: CaseIterable, Sendable { case once, fromThenOn }

    let call: SimulatedDisk.Call
    let errno: Int32
    let nth: Int
    let span: Span
    private let count = Atomic(0)
    let isArmed = Atomic(false)

    init(_ call: SimulatedDisk.Call, _ errno: Int32, nth: Int, _ span: Span) {
      self.call = call
      self.errno = errno
      self.nth = nth
      self.span = span
    }

    var hasFailed: Bool { count.load(ordering: .acquiring) >= nth }

    func arm(_ isOn: Bool) { isArmed.store(isOn, ordering: .releasing) }

    func check(_ made: SimulatedDisk.Call, _ name: String) throws(DiskError) {
      guard made == call, isArmed.load(ordering: .acquiring) else { return }
      let number = count.add(1, ordering: .acquiringAndReleasing).newValue
      guard number == nth || (span == .fromThenOn && number > nth) else { return }
      throw DiskError(call: made.rawValue, path: name, errno: errno)
    }
  }

  /// Every call of a kind fails in turn: while a part is found, joined, checked and published.
  /// What comes of it is the right file or a named failure, and the next run is right.
  @Test(
    arguments: SimulatedDisk.Call.allCases.map { ($0, EIO) }
      + [.open, .write, .sync, .reserve, .rename].map { ($0, ENOSPC) })
  func everyCallMayFailAtEveryMoment(call: SimulatedDisk.Call, errno: Int32) async throws {
    let content = Self.content
    var resource = OriginResource(content)
    resource.fields = [DigestCases.Field.reprSHA256.field(content)]
    let served = resource
    let seen = Mutex<Set<String>>([])
    // The first answer at each path is cut.
    let origin = try HostileOrigin { request in
      let isFirst = seen.withLock { $0.insert(request.path).inserted }
      let answer = served.respond(to: request)
      return isFirst ? answer.resetting(after: Self.cut) : answer
    }
    for span in Fault.Span.allCases {
      for nth in 1...200 {
        let fault = Fault(call, errno, nth: nth, span)
        let disk = SimulatedDisk()
        let hooked = HookedDisk(disk) { (call, name) throws(DiskError) in
          try fault.check(call, name)
        }
        func run() async throws -> TransferResult {
          let fetch = try Fetch(
            origin.url("/\(span)/\(nth)"), into: "/d", named: "file",
            in: Self.environment(hooked)
          ) {
            $0.retries.tries = 1
            if fault.isArmed.load(ordering: .acquiring) { $0.segments = Connections.policy }
          }
          return await fetch.run()
        }
        #expect(try await run().failure?.code == .connectionLost)
        fault.arm(true)
        let result = try await run()
        let note: Comment = "\(span) \(nth): \(result) \(disk.names(in: "/d"))"
        if result.finished != nil {
          #expect(disk.content("file", in: "/d") == content.bytes(), note)
        } else {
          let failure = try #require(result.failure, note)
          #expect(failure.code.category == .file, note)
          let there = disk.content("file", in: "/d")
          #expect(there == nil || there == content.bytes(), note)
        }
        fault.arm(false)
        if result.finished == nil {
          let next = try await run()
          let file = try #require(next.finished, "\(note) then \(next)")
          let name = try #require(file.path.split(separator: "/").last.map(String.init))
          #expect(disk.content(name, in: "/d") == content.bytes(), note)
        }
        let rubbish = disk.names(in: "/d").filter { $0.hasSuffix(".haul-part") }
        #expect(rubbish == [], note)
        if !fault.hasFailed { break }
      }
    }
  }

  /// Another program swaps the part between the look at it and the renaming: what it put there
  /// stood under the final name then, and was called right.
  @Test(arguments: [ExistingFilePolicy.rename, .overwrite, .fail])
  func aPartThatIsSwappedWhileItIsPublishedIsAFailure(policy: ExistingFilePolicy) async throws {
    let folder = try Folder()
    let resource = OriginResource(Self.content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    let part = folder.file("file.haul-part")
    let disk = HookedDisk(PosixDisk()) { call, _ in
      guard call == .rename else { return }
      try? FileManager.default.removeItem(atPath: part)
      try? Data("another".utf8).write(to: URL(fileURLWithPath: part))
    }
    let fetch = try Fetch(
      origin.url("/file"), into: folder.path, named: "file", in: Self.environment(disk)
    ) { $0.destination.existing = policy }
    let result = await fetch.run()
    #expect(result.failure?.code == .inUse, "\(result)")
    #expect(fetch.ear.endCount == 1)
  }

  /// Each start read the slots of every journal in the folder, 128 KiB of each, before it compared
  /// their source.
  @Test func ofAnotherSourcesJournalOnlyTheFirstPageIsRead() async throws {
    let content = Self.content
    let resource = OriginResource(content)
    let origin = try HostileOrigin { request in
      let answer = resource.respond(to: request)
      return request.path == "/cut" ? answer.resetting(after: Self.cut) : answer
    }
    let reads = Watched(0)
    let disk = SimulatedDisk()
    let hooked = HookedDisk(disk) { call, name in
      if call == .read, name.hasSuffix("cut.haul-journal") { reads.change { $0 += 1 } }
    }
    func run(_ name: String) async throws -> TransferResult {
      let fetch = try Fetch(
        origin.url("/\(name)"), into: "/d", named: nil, in: Self.environment(hooked)
      ) { $0.retries.tries = 1 }
      return await fetch.run()
    }
    #expect(try await run("cut").failure?.code == .connectionLost)
    #expect(disk.names(in: "/d") == ["cut.haul-journal", "cut.haul-part"])
    let before = reads.value
    #expect(try await run("file").finished != nil)
    #expect(reads.value == before + 1)
    #expect(disk.content("file", in: "/d") == content.bytes())
  }

  /// The disk does not come back from a write: what has arrived waits in a bounded number of
  /// buffers, other transfers go on, and a stop ends once the disk answers.
  @Test func aDiskThatHangsHoldsUpItsOwnTransferOnly() async throws {
    let folder = try Folder()
    let content = OriginContent(size: 6 << 20, seed: 2)
    let resource = OriginResource(content)
    let small = OriginResource(Self.content)
    let origin = try HostileOrigin {
      $0.path == "/big" ? resource.respond(to: $0) : small.respond(to: $0)
    }
    let release = DispatchSemaphore(value: 0)
    let writes = Watched(0)
    let disk = HookedDisk(PosixDisk()) { call, _ in
      guard call == .write else { return }
      writes.change { $0 += 1 }
      release.wait()
      release.signal()
    }
    let fetch = try Fetch(
      origin.url("/big"), into: folder.path, named: "big", in: Self.environment(disk)
    ) { $0.connection.lowSpeed = 0 }
    fetch.transfer.start()
    await writes.wait { $0 >= 1 }
    for number in 0..<5 {
      let other = try Fetch(origin.url("/small"), into: folder.path, named: "small\(number)")
      #expect(await other.run().finished != nil)
      #expect(Self.content.matches(path: folder.file("small\(number)")))
    }
    let waiting = fetch.transfer.progress.received
    let buffers = 5 * Int64(Connections.count)
    #expect(waiting <= buffers * Int64(TransferBuffer.capacity), "\(waiting)")
    #expect(writes.value == 1)
    fetch.transfer.stop()
    #expect(fetch.ear.endCount == 0)
    release.signal()
    let result = await fetch.transfer.result()
    let stopped = try #require(result.stoppedAt, "\(result)")
    #expect(stopped > 0 && stopped <= waiting + Int64(TransferBuffer.capacity))
    #expect(folder.names.contains("big.haul-journal"))
    let again = try Fetch(origin.url("/big"), into: folder.path, named: "big") {
      $0.connection.lowSpeed = 0
    }
    #expect(await again.run().finished != nil)
    #expect(content.matches(path: folder.file("big")))
    #expect(origin.requests.last?.header("Range")?.hasPrefix("bytes=") == true)
  }
}
