import HaulSystem
import HaulTransfer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Disk {
  /// A folder that exists; nil when it is missing.
  func folder(at path: String) throws(FileFailure) -> (any DiskFolder)? {
    do {
      return try openFolder(path, create: false)
    } catch {
      if error.errno == ENOENT { return nil }
      throw FileFailure(error)
    }
  }

  /// The folder of a path or, while it is missing, the nearest one above it, in which it would be made.
  func nearestFolder(to path: String) throws(DiskError) -> any DiskFolder {
    var path = path
    while true {
      do {
        return try openFolder(path, create: false)
      } catch {
        guard error.errno == ENOENT, let parent = Self.parent(of: path) else { throw error }
        path = parent
      }
    }
  }

  /// By bytes: a slash with a combining mark behind it is another character to Swift.
  private static func parent(of path: String) -> String? {
    let slash = UInt8(ascii: "/")
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard bytes != [slash], bytes != [UInt8(ascii: ".")] else { return nil }
    guard let end = bytes.lastIndex(of: slash) else { return "." }
    return end == 0 ? "/" : String(decoding: bytes[..<end], as: UTF8.self)
  }
}

/// Where a file lies: the path of its folder, and its name.
struct FilePlace {
  let folder: String
  let name: String

  /// Takes a path apart at its last slash.
  init(_ path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    guard let slash else {
      (folder, name) = (".", path)
      return
    }
    // The slash of the root is its name.
    let isRoot = slash == path.utf8.startIndex
    folder = isRoot ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
    name = String(decoding: path.utf8[slash...].dropFirst(), as: UTF8.self)
  }
}
