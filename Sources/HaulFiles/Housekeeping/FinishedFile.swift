import HaulSystem
import HaulTransfer

/// A file that was published at some time, and is to go.
struct FinishedFile {
  let disk: any Disk
  let path: String

  func remove() throws(FileFailure) {
    let place = FilePlace(path)
    guard let folder = try disk.folder(at: place.folder) else { return }
    let there = try HaulFiles.disk { () throws(DiskError) in try folder.status(place.name) }
    // A part is removed only by whoever has its lock.
    guard there.map({ $0.kind == .regular }) ?? true, !PartNames.isOurs(place.name) else {
      throw FileFailure(
        code: .unsafeTarget,
        message: "\u{201C}\(path)\u{201D} is not a plain file, so it was not removed. "
          + "Look at what is there.")
    }
    try HaulFiles.disk { () throws(DiskError) in
      try folder.remove(place.name)
      // Also where it is gone already: whoever removed it may not have waited for the disk.
      try folder.sync()
    }
  }
}
