internal import HaulHTTP
public import HaulTransfer
internal import Synchronization

/// Small files, which come as a whole.
extension FakeStore {
  /// Keeps a file in one go; declines now and then, as a disk has many reasons to.
  ///
  /// What is kept has to be whole, untouched until the answer, and of a source that has no part.
  public func keep(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, content: TransferBuffer,
    completion: @escaping @Sendable (FileOutcome<KeptFile>) -> Void
  ) {
    let bytes = unsafe content.withBytes { unsafe [UInt8]($0) }
    if version.total != Int64(bytes.count) { note("a file is kept that is not whole") }
    let declines = random.unit() < faults.declines
    run(completion) { [self] () throws(FileFailure) -> KeptFile in
      if unsafe content.withBytes({ unsafe [UInt8]($0) }) != bytes {
        note("a file changed while it was kept")
      }
      let name = destination.name ?? suggestedName
      let path = "\(destination.folder)/\(name)"
      return state.withLock { state in
        guard !declines, !destination.isRecorded, state.files[path] == nil else { return .declined }
        if state.entries[source.url] != nil { state.violations.append("kept beside a part of it") }
        state.files[path] = bytes
        return .published(
          PublishedFile(
            path: path, wantedName: name, byteCount: Int64(bytes.count), version: version))
      }
    }
  }
}
