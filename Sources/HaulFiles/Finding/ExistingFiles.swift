import HaulHTTP
import HaulSystem
import HaulTransfer

/// Compares files that are there with one that would be fetched.
struct ExistingFiles {
  let context: FilesContext
  let folder: any DiskFolder
  /// The owner's digest, which rules alone.
  let digest: Digest?
  /// Who asks.
  let source: UInt64

  /// What says that a file is the one of this version; nil when nothing does. One that cannot be
  /// read is not.
  ///
  /// A digest decides: the owner's, or else the server's. Without either it takes equal size and
  /// time; and a file that stands for another source in this run is not this one, since a build
  /// gives many files the same time.
  func likeness(of name: String, to version: FileVersion) -> Likeness? {
    guard let there = try? folder.status(name), there.kind == .regular,
      version.total ?? there.byteCount == there.byteCount
    else { return nil }
    if let digest { return hasDigests([digest], name) ? .digest : nil }
    // Without a length they may be of the coded form of the file.
    guard version.total != nil else { return nil }
    if !version.digests.isEmpty {
      return hasDigests(version.digests, name) ? .serverDigest : nil
    }
    let isAlike =
      version.lastModified == there.modified && context.owners.claim(there, for: source)
    return isAlike ? .sizeAndTime : nil
  }

  /// Whether a file has each of these digests that is of the first one's algorithm.
  private func hasDigests(_ digests: [Digest], _ name: String) -> Bool {
    guard let algorithm = digests.first?.algorithm, let file = try? folder.open(name, .read) else {
      return false
    }
    let hasher = context.crypto.makeHasher(algorithm)
    var position: Int64 = 0
    while let bytes = try? file.bytes(at: position, count: Int(BlockLayout.size)) {
      guard !bytes.isEmpty else {
        let found = hasher.finish()
        return digests.allSatisfy { $0.algorithm != algorithm || $0 == found }
      }
      // The buffer lives through the call.
      unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
      position += Int64(bytes.count)
    }
    return false
  }
}
