import HaulSystem

/// A file of the simulated disk: what programs see, and what a power cut leaves.
struct SimulatedNode: Sendable {
  static let pageSize = 4096

  let kind: FileStatus.Kind
  /// What programs see.
  var content: [UInt8] = []
  /// What is on the disk for certain.
  private(set) var durable: [UInt8] = []
  /// Pages that may or may not have reached the disk.
  private var dirty: Set<Int> = []
  private var isLengthDirty = false
  var modified: Int64
  /// Durable at once: nothing that Haul does hangs on when they are.
  var permissions: UInt32 = 0o644
  var reserved = 0
  /// The open file that has the lock, and those that hold marks.
  var lockHolder: UInt64?
  var marks: [UInt64: UInt64] = [:]

  init(kind: FileStatus.Kind = .regular, modified: Int64 = 0) {
    self.kind = kind
    self.modified = modified
  }

  var allocated: Int { max(content.count, reserved) }

  mutating func write(_ bytes: [UInt8], count: Int, at offset: Int) {
    let end = offset + count
    if end > content.count { resize(to: end) }
    guard count > 0 else { return }
    Self.copy(bytes, from: 0, to: &content, at: offset, count: count)
    for page in offset / Self.pageSize...(end - 1) / Self.pageSize { dirty.insert(page) }
  }

  /// The bytes at an offset, as far as there are any.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let start = min(offset, content.count)
    let count = min(count, content.count - start)
    var result = [UInt8](repeating: 0, count: count)
    Self.copy(content, from: start, to: &result, at: 0, count: count)
    return result
  }

  mutating func resize(to count: Int) {
    guard count != content.count else { return }
    if count < content.count {
      content.removeLast(content.count - count)
      reserved = min(reserved, count)
      let pages = (count + Self.pageSize - 1) / Self.pageSize
      dirty = dirty.filter { $0 < pages }
      // The bytes behind the new end are zero when the file grows again.
      if count % Self.pageSize != 0 { dirty.insert(count / Self.pageSize) }
    } else {
      let first = content.count / Self.pageSize
      fit(&content, to: count)
      for page in first...(count - 1) / Self.pageSize { dirty.insert(page) }
    }
    isLengthDirty = true
  }

  /// Brings everything to the disk.
  mutating func sync() {
    if isLengthDirty { fit(&durable, to: content.count) }
    for page in dirty { copyPage(page, to: &durable) }
    dirty = []
    isLengthDirty = false
  }

  /// A sync that fails drops the pages that it could not write, and forgets that they are missing.
  /// The length is metadata, which the file system keeps trying to write.
  mutating func failSync() {
    dirty = []
  }

  /// What is left after the power was cut; `isKept` is asked for each page and for the length.
  mutating func crash(isKept: () -> Bool) {
    var rest = durable
    if isLengthDirty, isKept() { fit(&rest, to: content.count) }
    for page in dirty.sorted() where isKept() { copyPage(page, to: &rest) }
    content = rest
    durable = rest
    dirty = []
    isLengthDirty = false
    reserved = 0
    lockHolder = nil
    marks = [:]
  }

  /// Damages a byte on the disk itself.
  mutating func flip(_ offset: Int) {
    content[offset] ^= 0x55
    if offset < durable.count { durable[offset] = content[offset] }
  }

  private func copyPage(_ page: Int, to target: inout [UInt8]) {
    let start = page * Self.pageSize
    let end = min(start + Self.pageSize, content.count, target.count)
    guard start < end else { return }
    Self.copy(content, from: start, to: &target, at: start, count: end - start)
  }

  private func fit(_ bytes: inout [UInt8], to count: Int) {
    if bytes.count > count {
      bytes.removeLast(bytes.count - count)
    } else {
      bytes += [UInt8](repeating: 0, count: count - bytes.count)
    }
  }

  /// Copies in one go: element by element takes a thousand times longer without optimisation.
  private static func copy(
    _ source: [UInt8], from start: Int, to target: inout [UInt8], at offset: Int, count: Int
  ) {
    precondition(start >= 0 && start + count <= source.count)
    precondition(offset >= 0 && offset + count <= target.count)
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        // Both ranges lie within their arrays, by the preconditions.
        unsafe (to + offset).copyMemory(from: from + start, byteCount: count)
      }
    }
  }
}
