import HaulTestKit

/// Files of equal size and different content.
struct FileSet: Sendable, Hashable {
  var count: Int
  var size: Int64

  /// The names; none is the beginning of another.
  var names: [String] {
    let width = "\(count)".count
    return (1...count).map { number in
      let digits = "\(number)"
      return "f" + String(repeating: "0", count: width - digits.count) + digits + ".bin"
    }
  }

  /// The content of the file at this position in `names`.
  func content(_ index: Int) -> OriginContent {
    OriginContent(size: size, seed: UInt64(index) + 1)
  }

  /// The bytes of all files.
  var byteCount: Int64 { Int64(count) * size }
}
