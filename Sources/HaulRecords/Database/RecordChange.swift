/// One change of the list. A commit makes many of them, in their order, all or none.
public enum RecordChange: Sendable, Hashable {
  /// Adds a record; one of this id must not be there.
  // Records are large, and most changes are small: many of them lie in one array.
  indirect case insert(DownloadRecord)
  /// Puts a record in the place of the one with its id, which must be there.
  indirect case replace(DownloadRecord)
  /// Sets what a download does, with its attempt, its failure and the time in milliseconds since 1970.
  /// A state of `finished` sets the time of finishing to it, any other one takes that away.
  case state(DownloadID, DownloadState, attempt: UInt32, failure: RecordFailure?, at: Int64)
  /// Sets how far an attempt is. One that is not the attempt of the record changes nothing, so that
  /// late news are no news.
  case progress(DownloadID, attempt: UInt32, received: Int64, total: Int64?)
  /// Sets the place in the list.
  case position(DownloadID, Int64)
  /// Sets who goes first.
  case priority(DownloadID, Int16)
  /// Takes a record out of the list, also one that cannot be read.
  case remove(DownloadID)

  /// The download that is changed.
  public var id: DownloadID {
    switch self {
    case .insert(let record), .replace(let record): record.id
    case .state(let id, _, _, _, _), .progress(let id, _, _, _), .position(let id, _),
      .priority(let id, _), .remove(let id):
      id
    }
  }

  /// Says whether the change may be stored, whatever is stored.
  ///
  /// - Throws: `invalid`.
  public func check() throws(DatabaseFailure) {
    do throws(RecordError) {
      switch self {
      case .insert(let record), .replace(let record): try record.check()
      case .progress(_, _, let received, let total):
        try DownloadSummary.check(received: received, total: total)
      case .state, .position, .priority, .remove: break
      }
    } catch {
      throw .invalid(id, error.reason)
    }
  }
}

/// What a commit has to survive.
public enum Durability: Sendable, Hashable {
  /// The end of the process. After a power cut the commits up to some point of their order are there,
  /// each whole, and those after it are not.
  case ordered
  /// A power cut as well, from the moment that the call returns. All earlier commits do then, too.
  case durable
}
