/// What a store does for whoever keeps a list of its files, beside the transfers themselves.
///
/// Every call returns at once; completions run once, on a thread of the store or inside the call.
public protocol StoreHousekeeping: Sendable {
  /// Removes the note of a publishing: whoever asked for it by `Destination.isRecorded` has recorded the
  /// file of this source that was published at `path`.
  ///
  /// It is no error when there is none. A part that is on its way, the journal of another source and the
  /// file itself are left alone. A power cut may bring the note back; it says the same then.
  func settle(
    _ source: SourceIdentity, path: String,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// Removes part and journal of a source, and its note; never a published file.
  ///
  /// It is no error when there is nothing. It fails with `inUse` while somebody fetches the file. A part
  /// that has no journal is only found when the destination names it.
  func discard(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// What lies in a folder of parts and journals, of any source, in the order of their names. A folder that
  /// is missing has none.
  func leftovers(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<[Leftover]>) -> Void)

  /// Removes a part and its journal that were listed; never a published file.
  ///
  /// It is no error when they are gone. It fails with `inUse`, and nothing is removed, while somebody uses
  /// them, and when they are not what was listed any more.
  func discard(
    _ leftover: Leftover, completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// The bytes that may still be written into a folder; while it is missing, into the nearest one above it
  /// that is there.
  func freeBytes(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<Int64>) -> Void)

  /// Removes a finished file, durably.
  ///
  /// It is no error when it is missing. It fails with `unsafeTarget`, and nothing is removed, when a folder,
  /// a link or anything else that is no plain file stands there.
  func removeFile(
    at path: String, completion: @escaping @Sendable (FileOutcome<Void>) -> Void)
}

/// What holds for a store that keeps nothing from one transfer to the next.
extension StoreHousekeeping {
  /// There is no note.
  public func settle(
    _ source: SourceIdentity, path: String,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    completion(.success(()))
  }

  /// There is nothing.
  public func discard(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    completion(.success(()))
  }

  /// There are none.
  public func leftovers(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<[Leftover]>) -> Void
  ) {
    completion(.success([]))
  }

  /// It was never there.
  public func discard(
    _ leftover: Leftover, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    completion(.success(()))
  }

  /// Nothing is written into a folder, and so no room is missing.
  public func freeBytes(
    inFolder path: String, completion: @escaping @Sendable (FileOutcome<Int64>) -> Void
  ) {
    completion(.success(.max))
  }

  /// There is no such file.
  public func removeFile(
    at path: String, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    completion(.success(()))
  }
}
