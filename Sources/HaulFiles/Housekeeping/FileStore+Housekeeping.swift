import HaulSystem
public import HaulTransfer

/// Jobs that no transfer waits for. They run beside those that wait for a device, since each may look at
/// many files.
extension FileStore {
  /// Removes the note of a publishing.
  public func settle(
    _ source: SourceIdentity, path: String,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try NoteSettling(context: context, source: source, path: path).settle()
    }
  }

  /// Removes part and journal of a source.
  public func discard(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try PartFinder(context: context, source: source, destination: destination).discard()
    }
  }

  /// What lies in a folder of parts and journals.
  public func leftovers(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<[Leftover]>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try LeftoverLister(context: context, path: path).list()
    }
  }

  /// Removes a part and its journal that were listed.
  public func discard(
    _ leftover: Leftover, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try LeftoverRemoval(context: context, leftover: leftover).remove()
    }
  }

  /// The bytes that may still be written into a folder.
  public func freeBytes(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<Int64>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try disk { () throws(DiskError) in
        try context.disk.nearestFolder(to: path).freeBytes()
      }
    }
  }

  /// Removes a finished file.
  public func removeFile(
    at path: String, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { context throws(FileFailure) in
      try FinishedFile(disk: context.disk, path: path).remove()
    }
  }

  private func run<Value: Sendable>(
    _ completion: @escaping @Sendable (FileOutcome<Value>) -> Void,
    _ job: @escaping @Sendable (FilesContext) throws(FileFailure) -> Value
  ) {
    runAlone(.checkpoint) { [context] in
      completion(outcome { () throws(FileFailure) in try job(context) })
    }
  }
}
