import Glibc
import HaulSystem
import Testing

/// A folder that exists for one test.
final class TemporaryFolder: Sendable {
  let path = "/tmp/haul-system-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  let folder: any DiskFolder

  init() throws {
    folder = try PosixDisk().openFolder(path, create: true)
  }

  deinit {
    for name in (try? folder.names()) ?? [] { try? folder.remove(name) }
    // The string lives through the call.
    _ = unsafe rmdir(path)
  }
}

/// The system calls, on the disk of this machine.
@Suite struct PosixDiskTests {
  let temporary: TemporaryFolder
  var folder: any DiskFolder { temporary.folder }

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func write(_ text: String, to name: String) throws {
    let file = try folder.open(name, .create(permissions: 0o644))
    var text = text
    // The buffer lives through the call.
    let error: DiskError? = text.withUTF8 { bytes in
      do throws(DiskError) {
        unsafe try file.write(UnsafeRawBufferPointer(bytes), at: 0)
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
  }

  private func read(_ name: String) throws -> String {
    let file = try folder.open(name, .read)
    var bytes = [UInt8](repeating: 0, count: 100)
    // The buffer lives through the call.
    let count = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe file.read(into: buffer, at: 0)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func errno(_ body: () throws -> Void) -> Int32? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DiskError)?.errno
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "/etc/passwd", "a\0b", "../x"])
  func aNameThatIsNoSingleComponentIsRefused(name: String) {
    #expect(errno { _ = try folder.open(name, .create(permissions: 0o600)) } == EINVAL)
    #expect(errno { _ = try folder.status(name) } == EINVAL)
    #expect(errno { try folder.remove(name) } == EINVAL)
    #expect(errno { try folder.rename(name, to: "x", replacing: true) } == EINVAL)
    #expect(errno { try folder.rename("x", to: name, replacing: true) } == EINVAL)
  }

  @Test func linksFoldersAndPipesAreNotOpenedAsFiles() throws {
    try write("secret", to: "victim")
    #expect(unsafe symlink("victim", temporary.path + "/link") == 0)
    #expect(errno { _ = try folder.open("link", .read) } == ELOOP)
    #expect(errno { _ = try folder.open("link", .create(permissions: 0o600)) } == ELOOP)
    #expect(errno { _ = try folder.open("link", .createNew(permissions: 0o600)) } == EEXIST)
    #expect(try folder.status("link")?.kind == .link)
    #expect(unsafe mkfifo(temporary.path + "/pipe", 0o600) == 0)
    #expect(errno { _ = try folder.open("pipe", .read) } == ENXIO)
    #expect(errno { _ = try folder.open("pipe", .update) } == ENXIO)
    #expect(try folder.status("pipe")?.kind == .other)
    #expect(unsafe mkdir(temporary.path + "/sub", 0o700) == 0)
    #expect(errno { _ = try folder.open("sub", .read) } == EISDIR)
    #expect(unsafe rmdir(temporary.path + "/sub") == 0)
  }

  @Test func renamingDoesNotReplaceUnlessAsked() throws {
    try write("one", to: "a")
    try write("two", to: "b")
    #expect(errno { try folder.rename("a", to: "b", replacing: false) } == EEXIST)
    #expect(try read("b") == "two")
    try folder.rename("a", to: "b", replacing: true)
    #expect(try read("b") == "one")
    try folder.rename("b", to: "c", replacing: false)
    #expect(try folder.names() == ["c"])
  }

  @Test func aMissingNameIsRemovedWithoutError() throws {
    try folder.remove("nothing")
    #expect(try folder.status("nothing") == nil)
    #expect(errno { _ = try folder.open("nothing", .update) } == ENOENT)
  }

  @Test func aLockKeepsOthersOutUntilItsFileGoes() throws {
    var first: (any DiskFile)? = try folder.open("a", .create(permissions: 0o600))
    let second = try folder.open("a", .update)
    #expect(try first?.lock() == true)
    #expect(try second.lock() == false)
    try first?.markHolder(5)
    #expect(try second.isHeld(by: 5))
    #expect(try !second.isHeld(by: 6))
    #expect(errno { try second.markHolder(5) } == EAGAIN)
    #expect(try second.isHeld())
    // One's own mark is not somebody else's.
    #expect(try first?.isHeld() == false)
    try second.markHolder(.max)
    #expect(try first?.isHeld() == true)
    first = nil
    #expect(try second.lock())
    #expect(try !second.isHeld(by: 5))
    #expect(try !second.isHeld())
  }

  @Test func lengthTimeAndRoomAreSet() throws {
    let file = try folder.open("a", .create(permissions: 0o600))
    try file.reserve(0..<100_000)
    try file.truncate(to: 77)
    try file.setModified(1_234_567)
    try file.sync()
    try folder.sync()
    let status = try file.status()
    #expect(status.byteCount == 77 && status.modified == 1_234_567 && status.linkCount == 1)
    #expect(try folder.status("a") == status)
    #expect(try folder.freeBytes() > 0)
    try folder.remove("a")
    #expect(try file.status().linkCount == 0)
  }

  @Test func offsetsThatOverflowAreErrors() throws {
    let file = try folder.open("a", .create(permissions: 0o600))
    var byte: [UInt8] = [1]
    #expect(
      errno {
        try unsafe byte.withUnsafeMutableBytes { _ = try unsafe file.read(into: $0, at: -1) }
      }
        == EINVAL)
    #expect(
      errno { try unsafe byte.withUnsafeBytes { try unsafe file.write($0, at: -1) } } == EINVAL)
  }

  @Test func aMissingFolderIsMadeWithItsParentsOnlyWhenAsked() throws {
    let path = temporary.path + "/x//y/z/"
    #expect(errno { _ = try PosixDisk().openFolder(path, create: false) } == ENOENT)
    #expect(try PosixDisk().openFolder(path, create: true).names() == [])
    try write("", to: "file")
    #expect(
      errno { _ = try PosixDisk().openFolder(temporary.path + "/file/y", create: true) }
        == ENOTDIR)
    // A slash with a combining mark behind it is a slash.
    let marked = temporary.path + "/x/\u{301}y/z"
    #expect(try PosixDisk().openFolder(marked, create: true).names() == [])
    for inner in ["/x/\u{301}y/z", "/x/\u{301}y"] { _ = unsafe rmdir(temporary.path + inner) }
    for inner in ["/x/y/z", "/x/y", "/x"] { _ = unsafe rmdir(temporary.path + inner) }
  }

  @Test func theBootHasAnIdentity() {
    #expect(PosixDisk().bootID?.count == 36)
    #expect(PosixDisk().bootID == PosixDisk().bootID)
  }

  @Test(arguments: [ENOSPC, EACCES, EROFS, ENOENT, ENOTDIR, EEXIST, ELOOP, EIO, EINVAL, 12_345])
  func everyErrorHasASentence(number: Int32) {
    let sentence = DiskError(call: "pwrite", path: "/a/b", errno: number).sentence
    #expect(sentence.hasPrefix("Cannot write to \u{201C}/a/b\u{201D}: "))
    #expect(sentence.hasSuffix("."))
  }
}
