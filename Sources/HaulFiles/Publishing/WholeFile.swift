import HaulSystem
import HaulTransfer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a file whose bytes are all in memory: they go into a file without a name, are made durable,
/// and then it gets its final name, which takes nobody's place. Until then nobody else can see the
/// file, and when the process ends it is gone; so it takes no part, no lock and no journal.
struct WholeFile {
  let context: FilesContext
  let destination: Destination
  let suggestedName: String
  let version: FileVersion

  /// A file that has its name, which may not be durable yet.
  struct Named {
    var file: PublishedFile
    /// To wait with until it is; nil where nobody waits.
    var ticket: FolderSyncs.Ticket?
  }

  /// Gives the content its name; nil, and nothing done, where that takes a closer look: at a name
  /// that is taken or planned, at a folder that was moved, or on a file system that has no files without names.
  func name(_ content: UnsafeRawBufferPointer) throws(FileFailure) -> Named? {
    let name = TargetName.of(destination, suggested: suggestedName)
    try TargetName.check(name)
    let opened = try disk { () throws(DiskError) in
      try context.folders.open(destination.folder, on: context.disk)
    }
    let folder = opened.folder
    guard try disk({ () throws(DiskError) in try !context.index.mayHave(name, in: folder) }),
      let file = try openNameless(in: opened)
    else { return nil }
    try checkRoom(name, file, in: opened, Int64(content.count))
    // The caller keeps the content alive through the call.
    try disk { () throws(DiskError) in try unsafe file.write(content, at: 0) }
    if let time = version.lastModified {
      // A file system without times, or without this one, does not make the file wrong.
      try? file.setModified(time)
    }
    var ticket: FolderSyncs.Ticket?
    if destination.isDurable {
      try disk { () throws(DiskError) in try file.sync() }
      ticket = context.syncs.ticket(folder, opened.key)
    }
    guard context.folders.isInPlace(opened, at: destination.folder, on: context.disk),
      try link(file, as: name, in: folder)
    else { return nil }
    let path = PartNames.path(destination.folder, name)
    context.index.noteName(name, in: folder)
    let published = PublishedFile(
      path: path, wantedName: name, byteCount: Int64(content.count), version: version)
    return Named(file: published, ticket: ticket)
  }

  /// Nil also where the folder was moved or deleted meanwhile, whatever the error is that this brings:
  /// a working folder that is deleted gives no permission.
  private func openNameless(
    in opened: FolderHandles.Handle
  ) throws(FileFailure) -> (any DiskFile)? {
    do {
      return try opened.folder.openNameless(permissions: 0o666)
    } catch {
      let isInPlace = context.folders.isInPlace(
        opened, at: destination.folder, on: context.disk)
      if !isInPlace || error.errno == EPERM { return nil }
      throw FileFailure(error)
    }
  }

  private func checkRoom(
    _ name: String, _ file: any DiskFile, in opened: FolderHandles.Handle, _ count: Int64
  ) throws(FileFailure) {
    guard !opened.isRoomy else { return }
    let (status, free) = try disk { () throws(DiskError) in
      (try file.status(), try opened.folder.freeBytes())
    }
    let promise = context.space.makeID()
    defer { context.space.release(promise) }
    guard context.space.admit(promise, device: status.device, byteCount: count, free: free) else {
      throw .diskFull(PartNames.path(destination.folder, name), need: count, free: free)
    }
  }

  /// False when somebody has taken the name meanwhile, the folder is gone, or files without names get
  /// none here: some file systems and sandboxes refuse that in several ways.
  private func link(
    _ file: any DiskFile, as name: String, in folder: any DiskFolder
  ) throws(FileFailure) -> Bool {
    do {
      try folder.link(file, as: name)
      return true
    } catch {
      let isNoFailure = [EEXIST, ENOENT, EPERM, EOPNOTSUPP, ENOTSUP, EXDEV, EMLINK, ENOSYS, EINVAL]
        .contains(error.errno)
      if isNoFailure { return false }
      throw FileFailure(error)
    }
  }
}
