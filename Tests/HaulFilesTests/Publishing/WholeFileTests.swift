import Glibc
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// Small files on a real disk, and what may happen to their folder meanwhile.
@Suite struct WholeFileTests {
  let folder = TemporaryFolder()
  private var place: String { folder.path + "/d" }
  private let bytes = content(5000)

  private func names(_ path: String) -> [String] {
    ((try? PosixDisk().openFolder(path, create: false).names()) ?? []).sorted()
  }

  private func read(_ path: String) -> [UInt8]? {
    let parts = path.split(separator: "/")
    let parent = "/" + parts.dropLast().joined(separator: "/")
    guard let folder = try? PosixDisk().openFolder(parent, create: false),
      let file = try? folder.open(String(parts[parts.count - 1]), .read)
    else { return nil }
    return try? file.bytes(at: 0, count: 1 << 20)
  }

  /// The umask of this process, which no test changes.
  private func umaskNow() throws -> UInt32 {
    let file = try PosixDisk().openFolder("/proc/self", create: false).open("status", .read)
    let text = String(decoding: try file.bytes(at: 0, count: 4096), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Umask:") })
    return try #require(UInt32(line.split(separator: "\t")[1], radix: 8))
  }

  @Test(arguments: [true, false])
  func aFileHasItsBytesItsTimeAndTheUsualPermissions(_ isDurable: Bool) throws {
    let bench = KeepBench(PosixDisk(), folder: place, isDurable: isDurable)
    let file = try #require(try bench.keep(bytes))
    #expect(file.path == place + "/a.bin" && file.byteCount == 5000)
    #expect(same(read(file.path), bytes[...]))
    #expect(names(place) == ["a.bin"])
    var status = stat()
    // The path lives through the call, which writes to `status` alone.
    #expect(unsafe stat(file.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o666 & ~(try umaskNow()))
    #expect(status.st_mtim.tv_sec == 1_700_000_000 && status.st_nlink == 1)
  }

  @Test func anEmptyFileIsOne() throws {
    let bench = KeepBench(PosixDisk(), folder: place)
    #expect(try bench.keep([])?.byteCount == 0)
    #expect(names(place) == ["a.bin"])
  }

  @Test(arguments: Obstacle.allCases)
  func aNameThatIsTakenIsLeftToAPart(_ obstacle: Obstacle) throws {
    _ = try PosixDisk().openFolder(place, create: true)
    obstacle.put(at: place + "/" + obstacle.name(for: "a.bin"))
    let bench = KeepBench(PosixDisk(), folder: place)
    #expect(try bench.keep(bytes) == nil)
    #expect(names(place) == [obstacle.name(for: "a.bin")])
  }

  /// Taken after everything was looked at, just before the file gets its name.
  @Test(arguments: [Obstacle.file, .folder, .link, .pipe])
  func aNameThatIsTakenInTheLastMomentIsLeftAlone(_ obstacle: Obstacle) throws {
    let path = place + "/a.bin"
    let disk = HookedDisk(PosixDisk()) { call, _ in if call == .link { obstacle.put(at: path) } }
    let bench = KeepBench(disk, folder: place)
    #expect(try bench.keep(bytes) == nil)
    #expect(names(place) == ["a.bin"])
    var status = stat()
    // The path lives through the call, which writes to `status` alone.
    #expect(unsafe lstat(path, &status) == 0)
    #expect(status.st_size != 5000)
  }

  /// Two processes with the same name: each file is whole, and none is lost.
  @Test func ofTwoWithOneNameOneIsLeftToAPart() throws {
    let one = KeepBench(PosixDisk(), folder: place)
    let two = KeepBench(PosixDisk(), folder: place)
    // Both have looked before either began.
    #expect(try one.keep([1], as: "first") != nil)
    #expect(try two.keep([1], as: "second") != nil)
    #expect(try one.keep(bytes) != nil)
    #expect(try two.keep(content(5000, seed: 2)) == nil)
    #expect(same(read(place + "/a.bin"), bytes[...]))
  }

  /// What happens to a folder while a file arrives.
  enum Blow: CaseIterable {
    case moved, movedAndMadeAnew, deleted, deletedAndMadeAnew, replacedByLink

    func strike(_ place: String) {
      let other = place + "-other"
      // The strings live through the calls.
      switch self {
      case .moved, .movedAndMadeAnew: unsafe _ = rename(place, other)
      case .deleted, .deletedAndMadeAnew: unsafe _ = rmdir(place)
      case .replacedByLink:
        unsafe _ = rename(place, other)
        unsafe _ = symlink(other, place)
      }
      if self == .movedAndMadeAnew || self == .deletedAndMadeAnew { unsafe _ = mkdir(place, 0o700) }
    }
  }

  /// At each call that the file needs: either it stands where it was told to be, or a part does it.
  @Test(
    arguments: Blow.allCases, [SimulatedDisk.Call.names, .openNameless, .write, .sync, .status])
  func noFileIsToldOfWhereItIsNot(_ blow: Blow, _ moment: SimulatedDisk.Call) throws {
    let hasStruck = Atomic(false)
    let place = place
    let disk = HookedDisk(PosixDisk()) { call, _ in
      guard call == moment, !hasStruck.exchange(true, ordering: .relaxed) else { return }
      blow.strike(place)
    }
    let bench = KeepBench(disk, folder: place)
    let file = try bench.keep(bytes)
    let isStruck = hasStruck.load(ordering: .relaxed)
    #expect(isStruck)
    if let file {
      #expect(same(read(file.path), bytes[...]))
    } else {
      #expect(names(place) == [])
      #expect(names(place + "-other") == [])
      // What follows goes where the path leads now.
      bench.clock.advance(seconds: 2)
      let next = try #require(try bench.keep(bytes))
      #expect(same(read(next.path), bytes[...]))
    }
    unsafe _ = unlink(place)
  }

  /// The folder stays open for a second, in which it may be gone.
  @Test(arguments: Blow.allCases, [0, 0.4, 0.999, 1])
  func aFolderThatIsStillOpenIsNotTrusted(_ blow: Blow, _ later: Double) throws {
    let bench = KeepBench(PosixDisk(), folder: place)
    _ = try bench.context.disk.openFolder(place, create: true)
    // What it holds is known for less long than it stays open.
    _ = try bench.context.index.mayHave("x", in: PosixDisk().openFolder(place, create: true))
    bench.clock.advance(seconds: 0.5)
    _ = try bench.context.folders.open(place, on: bench.context.disk)
    blow.strike(place)
    bench.clock.advance(seconds: later)
    for attempt in 0..<3 {
      guard let file = try bench.keep(bytes, as: "\(attempt)") else { continue }
      #expect(same(read(file.path), bytes[...]))
    }
    if blow != .replacedByLink { #expect(names(place + "-other") == []) }
    // The first one finds out, and the next ones go where the path leads.
    #expect(try bench.keep(bytes, as: "last") != nil)
    #expect(same(read(place + "/last"), bytes[...]))
    unsafe _ = unlink(place)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func aFolderThatBecameReadOnlyIsANamedFailure() throws {
    let bench = KeepBench(PosixDisk(), folder: place)
    _ = try bench.keep(bytes)
    unsafe _ = chmod(place, 0o500)
    defer { unsafe _ = chmod(place, 0o700) }
    let failure = #expect(throws: FileFailure.self) { try bench.keep(bytes, as: "b.bin") }
    #expect(failure?.code == .notPermitted)
    #expect(names(place) == ["a.bin"])
  }

  @Test func aDiskWithoutNamelessFilesLeavesItToAPart() throws {
    let bench = KeepBench(HookedDisk(PosixDisk(), hasNameless: false) { _, _ in }, folder: place)
    #expect(try bench.keep(bytes) == nil)
    #expect(names(place) == [])
  }

  /// A file system that makes files without names but gives them none afterwards.
  @Test(arguments: [EPERM, EOPNOTSUPP, ENOENT, EXDEV, EMLINK])
  func aDiskThatDoesNotLinkLeavesItToAPartOrFails(_ number: Int32) throws {
    let disk = HookedDisk(PosixDisk()) { (call, name) throws(DiskError) in
      if call == .link { throw DiskError(call: "link", path: name, errno: number) }
    }
    let bench = KeepBench(disk, folder: place)
    #expect(try bench.keep(bytes) == nil)
    #expect(names(place) == [])
  }

  @Test(arguments: ["..", ".", "", "a/b", "a\0b", "a.haul-part"])
  func aNameThatIsNoneIsRefusedBeforeAnythingIsDone(_ name: String) throws {
    var bench = KeepBench(PosixDisk(), folder: place)
    bench.destination.name = name
    #expect(throws: FileFailure.self) { try bench.keep(bytes) }
    #expect(names(place) == [])
  }
}
