/// A place below a folder that has a name, so that nothing is lost when that folder moves.
///
/// The base is a name such as `downloads`; which folder it stands for is known when it is used. The
/// rest consists of components that lead downwards.
///
///     let path = try RecordPath(base: "downloads", relative: "linux/disc.iso")
public struct RecordPath: Sendable, Hashable {
  /// The name of the base.
  public let base: String
  /// The way from there, its components separated by slashes; empty for the base itself.
  public let relative: String

  /// Makes a path.
  ///
  /// - Parameters:
  ///   - base: 1 to 64 ASCII letters, digits, `-`, `_` or `.`, not beginning with `.`.
  ///   - relative: Components separated by one slash each, or nothing.
  /// - Throws: `RecordError` when the base has another form; when the rest is absolute, has an empty
  ///   component, `.`, `..` or a zero byte.
  public init(base: String, relative: String = "") throws(RecordError) {
    guard Self.isBase(base) else {
      throw RecordError("the name of its base is malformed")
    }
    guard Self.isRelative(relative) else {
      throw RecordError("its path is not one that leads downwards from its base")
    }
    self.base = base
    self.relative = relative
  }

  /// The last component, or nil for the base itself.
  public var lastComponent: String? {
    // By bytes: a slash with a combining mark behind it is another character to Swift.
    relative.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
  }

  private static func isBase(_ name: String) -> Bool {
    guard (1...64).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
  }

  private static func isRelative(_ path: String) -> Bool {
    if path.isEmpty { return true }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && !part.contains(0) && !part.elementsEqual(".".utf8)
        && !part.elementsEqual("..".utf8)
    }
  }
}
