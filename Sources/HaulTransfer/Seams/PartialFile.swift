public import HaulHTTP

/// What a transfer knows of the version of the file that its bytes belong to.
///
/// It is stored with the bytes, and every later answer is compared with it.
public struct FileVersion: Sendable, Hashable {
  /// The length of the whole file in bytes, or nil while the server has not said it.
  public var total: Int64?
  /// The validator that lets answers be combined (RFC 9110 §8.8), or nil.
  public var validator: StrongValidator?
  /// A weak entity tag, as sent, or nil. It lets nothing be combined; another one says that the
  /// file was changed.
  public var weakTag: String?
  /// The server's `Last-Modified` as seconds since 1970, or nil.
  public var lastModified: Int64?
  /// Digests of the whole file that the server sent; checked before publishing.
  public var digests: [Digest]
  /// Whether bytes of more than one answer make up what is stored.
  public var isCombined: Bool
  /// Whether answers were combined by comparing an overlap only.
  public var isJoinedByOverlap: Bool

  /// Makes a version.
  public init(
    total: Int64? = nil, validator: StrongValidator? = nil, weakTag: String? = nil,
    lastModified: Int64? = nil,
    digests: [Digest] = [], isCombined: Bool = false, isJoinedByOverlap: Bool = false
  ) {
    self.total = total
    self.validator = validator
    self.weakTag = weakTag
    self.lastModified = lastModified
    self.digests = digests
    self.isCombined = isCombined
    self.isJoinedByOverlap = isJoinedByOverlap
  }
}

/// What to do when the final name is taken.
public enum ExistingFilePolicy: String, Sendable, Hashable, CaseIterable {
  /// Take the next free name: `name (1).ext`.
  case rename
  /// Replace the file, once the new one is whole and checked.
  case overwrite
  /// Keep the file and fetch nothing when it is the same: by the digest that was given, or else by
  /// the server's size and time. Another file is left alone, as with `rename`.
  case skip
  /// Fail.
  case fail

  /// Whether a file of that name is left alone, and the next free name taken.
  package var takesNextName: Bool { self == .rename || self == .skip }
}

/// What says that a file that is there is the one that would be fetched.
public enum Likeness: String, Sendable, Hashable, CaseIterable {
  /// It has the digest that the owner gave.
  case digest
  /// It has the digest that the server gave.
  case serverDigest = "server-digest"
  /// Its size and time are those that the server gave: another file may have the same.
  case sizeAndTime = "size-and-time"
}

/// Where a file goes, and how it is kept on the way.
public struct Destination: Sendable, Hashable {
  /// The folder; made with its parents when missing. Where the file is passed on once it is
  /// checked, it waits here under no name.
  public var folder: String
  /// The name chosen by the owner, or nil for the name that the server suggests.
  public var name: String?
  /// What to do when the final name is taken.
  public var existing: ExistingFilePolicy
  /// The digest that the whole file must have. It tells also whether an existing file is the same;
  /// nil to go by size and time.
  public var digest: Digest?
  /// The digests that its pieces must have; they are asked for where there is no digest of the whole.
  public var pieces: PieceDigests?
  /// The name that the source will most likely suggest, or nil. It decides nothing but which file
  /// is looked at before anything is asked for.
  public var likelyName: String?
  /// Whether bytes are made durable before they are counted on.
  public var isDurable: Bool
  /// Whether a file whose digest failed is kept as `NAME.haul-bad`.
  public var keepsBadFile: Bool
  /// Whether the owner keeps a record of the file: the note of its publishing stays beside it until
  /// `settle`, so that a file which was published just before a crash is found again, and not fetched twice.
  public var isRecorded = false

  /// Makes a destination.
  public init(
    folder: String, name: String? = nil, existing: ExistingFilePolicy = .rename,
    digest: Digest? = nil, isDurable: Bool = true, keepsBadFile: Bool = false
  ) {
    self.folder = folder
    self.name = name
    self.existing = existing
    self.digest = digest
    self.isDurable = isDurable
    self.keepsBadFile = keepsBadFile
  }
}

/// Names the source of a part, so that a later run finds it and another one leaves it alone.
public struct SourceIdentity: Sendable, Hashable {
  /// The whole URL, secrets included. Only its digest is ever stored.
  public var url: String
  /// The URL without its secrets, to be shown and stored.
  public var redactedURL: String

  /// Makes an identity.
  public init(url: String, redactedURL: String) {
    self.url = url
    self.redactedURL = redactedURL
  }
}

/// A file that stands under its final name.
public struct PublishedFile: Sendable, Hashable {
  /// Its path, made of the folder as given and the final name.
  public var path: String
  /// The name that it would have if no other file had it.
  public var wantedName: String
  /// Its length in bytes.
  public var byteCount: Int64
  /// What was known of its version.
  public var version: FileVersion

  /// Makes a description of a published file.
  ///
  /// Without a `wantedName` it is the name at the end of the path.
  public init(
    path: String, wantedName: String? = nil, byteCount: Int64, version: FileVersion
  ) {
    self.path = path
    self.wantedName = wantedName ?? path.split(separator: "/").last.map(String.init) ?? path
    self.byteCount = byteCount
    self.version = version
  }
}

/// What an earlier run left behind.
public enum FoundPartial: Sendable {
  /// Nothing that can be used.
  case nothing
  /// A part of this source. Its lock is held; nobody else writes to it.
  case part(any PartialFile)
  /// The file was published, and only the traces of that were left; they are removed now, unless the
  /// destination is recorded.
  case published(PublishedFile)
  /// The policy is `skip`, and a file with the digest is there.
  case existing(path: String)
  /// The policy is `skip`, no digest is known, and this file may turn out to be the same.
  case likely(LikelyFile)
}

/// A file that is there under the name that is expected.
public struct LikelyFile: Sendable, Hashable {
  /// Its length in bytes.
  public var byteCount: Int64
  /// The time of its last change, in seconds since 1970.
  public var modified: Int64

  /// Describes a file.
  public init(byteCount: Int64, modified: Int64) {
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// What came of asking for a part.
public enum CreatedPartial: Sendable {
  /// A part; its lock is held. It is empty, unless it was adopted.
  case part(any PartialFile)
  /// The policy is `skip`, and the same file is there, as far as can be told.
  case skipped(path: String, by: Likeness)
}

/// What came of keeping a file in one go.
public enum KeptFile: Sendable {
  /// It stands under its final name, as if it was published by a part.
  case published(PublishedFile)
  /// Nothing was done: it takes a part.
  case declined
}

/// The outcome of a job on the disk.
public typealias FileOutcome<Value> = Result<Value, FileFailure>

/// Keeps the parts of transfers (DESIGN: `PartialFile` seam).
///
/// Every call returns at once; completions run on a thread of the store, once, and may call
/// back into the store. That of `find` may also run inside the call.
public protocol PartialFileStore: StoreHousekeeping {
  /// Whether small files are to be gathered in memory and kept in one go; not so where nobody wants
  /// their bytes, or somebody waits for them.
  var gathersSmallFiles: Bool { get }

  /// Looks for what an earlier run left of this source, before the network is asked.
  func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void)

  /// Makes a part for a file of this version.
  ///
  /// `suggestedName` is used when the destination names none; it is one safe component. A part
  /// of another source that lies at the name is adopted when `mayAdopt` is set, its total is
  /// equal, and the *owner* chose the name or its strong validator is equal, too; such a part
  /// arrives with its `stored` intervals. Equal validators alone are no reason: they tell versions
  /// of one resource apart, not two resources.
  func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void)

  /// Keeps a whole file, which nobody has begun before, without a part of its own: durable before it
  /// has its name, and never in the place of another.
  ///
  /// The content is the store's until the completion runs. A store declines whenever something calls
  /// for a closer look, such as a name that is taken, and when the destination is recorded.
  func keep(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, content: TransferBuffer,
    completion: @escaping @Sendable (FileOutcome<KeptFile>) -> Void)
}

extension PartialFileStore {
  /// Parts are made as soon as the answer is known.
  public var gathersSmallFiles: Bool { false }

  /// Keeps nothing in one go.
  public func keep(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, content: TransferBuffer,
    completion: @escaping @Sendable (FileOutcome<KeptFile>) -> Void
  ) {
    completion(.success(.declined))
  }
}

/// The bytes of one transfer on the way to their final name.
///
/// Completions run on threads of the store. Of all calls only `write`, `checkpoint` and
/// `verifyStored` may overlap with others; the rest are made one at a time. No restart begins
/// during a checkpoint, and nothing is published or digested before `verifyStored` is done.
///
/// Most parts are files, which keep their bytes until these are published. A part may also pass them
/// on as they come, to somebody who reads a pipe, and then `isRestartable` is false.
public protocol PartialFile: AnyObject, Sendable {
  /// Whether bytes that were written can be taken back.
  ///
  /// Where they cannot, they are written in order, each once, from the first byte on; `restart`
  /// is called only before the first of them, `read` and `digest` only for what the part was told
  /// to keep or to digest, and bytes of another answer follow only when it is surely of the same
  /// version. It never changes.
  var isRestartable: Bool { get }
  /// How many bytes have gone where nobody can take them back; 0 for a file.
  var passedOn: Int64 { get }
  /// Whether a later run can find what is closed with `keep`. It never changes.
  var outlivesTransfer: Bool { get }
  /// The version that the stored bytes belong to.
  var version: FileVersion { get }
  /// The intervals that were found on disk; they are trusted only after `verifyStored`.
  var stored: IntervalSet { get }
  /// Why an earlier run's bytes at this place could not be gone on from when the part was opened; nil
  /// when there were none, or when they can.
  var lossReason: RestartReason? { get }
  /// The final path as it is planned now.
  var plannedPath: String { get }

  /// Reads every stored block once and compares it with its checksum.
  ///
  /// Completes with the intervals that differ; they count as missing from then on.
  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void)

  /// Writes the filled part of a buffer.
  ///
  /// Writes of one part are carried out in the order of the calls. The buffer is the part's
  /// until the completion runs.
  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// Reads bytes that were written before.
  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void)

  /// Makes all writes that have completed durable, then records them in the journal together
  /// with the version, durably.
  ///
  /// A part that passes its bytes on records nothing; it fails when nobody reads them any more.
  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// Forgets every byte, durably, before anything is written again, and makes room for the
  /// new version. Writes in flight are finished first.
  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// Sets the total once it is known, and makes room for it.
  func reserve(
    total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void)

  /// Begins to compute digests of the whole file over its growing prefix, in the background.
  func beginDigests(_ algorithms: Set<DigestAlgorithm>)

  /// The digests of the whole file, which is `byteCount` long and completely written.
  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void)

  /// Says that the digest of some bytes will be asked for, none of which is written yet.
  func watch(_ range: Range<Int64>, _ algorithm: DigestAlgorithm)

  /// The digest of some bytes that are written; of a part that is not restartable, of bytes that
  /// it watched.
  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void)

  /// Makes the whole file durable and gives it its final name. Where the destination is recorded, a note
  /// of it stays.
  ///
  /// The caller has checked it: `byteCount` bytes, digests right. The part is closed after. It fails
  /// with `interrupted` when `interrupt` came while it waited for somebody else.
  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void)

  /// The owner wants no more: jobs that wait for somebody else, such as a reader, fail soon with
  /// `interrupted`. Jobs of a disk end by themselves. It may be called at any time, from any thread.
  func interrupt()

  /// Gives the part up: closes it and releases its lock.
  func close(
    _ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void)
}

/// What holds for a part that is a file.
extension PartialFile {
  /// A file can be written anew.
  public var isRestartable: Bool { true }
  /// Nobody has the bytes before they are published.
  public var passedOn: Int64 { 0 }
  /// Nothing was lost.
  public var lossReason: RestartReason? { nil }
  /// A file stays where it is.
  public var outlivesTransfer: Bool { true }
  /// A file is read when the digest is asked for.
  public func watch(_ range: Range<Int64>, _ algorithm: DigestAlgorithm) {}
  /// A file waits for nobody.
  public func interrupt() {}
}

/// What happens to a part that is given up.
public enum PartialDisposition: Sendable, Hashable {
  /// It stays with its journal as the last checkpoint left it. With nothing in the journal both
  /// are removed.
  case keep
  /// It is removed with its journal.
  case discard
  /// Its content is wrong: removed with its journal, or kept as `NAME.haul-bad` where the
  /// destination says so.
  case bad
}
