public import HaulHTTP
public import HaulRecords

/// What a manager is asked to download.
///
/// ```swift
/// var request = try DownloadRequest("https://example.org/film.mp4")
/// request.name = "film.mp4"
/// let id = try await manager.add(request)
/// ```
public struct DownloadRequest: Sendable {
  /// What is done when the list has a download of the same address to the same folder and name already.
  public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing is added; the one that is there is meant, and begins when this one was to begin.
    case join
    /// It is added all the same; its file gets a number when the name is taken.
    case rename
    /// The one that is there leaves the list, and this one goes on with what it has received. A finished
    /// file stays where it is.
    case replace
    /// Nothing is added, and the call fails (`duplicate`).
    case refuse
  }

  /// Where the file is. A user and a password in it are kept apart, as secrets.
  public var url: HTTPURL
  /// The folder that the file goes to, below one of the manager's bases.
  public var folder: RecordPath
  /// The name of the file; nil for the one that the server suggests.
  public var name: String?
  /// How it is fetched: mirrors, digests, header fields, connections, limit of rate, names that are taken.
  public var options = DownloadOptions()
  /// What nobody may see: passwords and secret header fields.
  public var secrets = ItemSecrets()
  /// Who goes first among those that wait; higher ones do.
  public var priority: Int16 = 0
  /// Whether it begins when its turn comes. Otherwise its state is `none` until it is started.
  public var starts = true
  /// Whether it is in the list as one that was paused.
  var isPaused = false
  /// What is done with a second one.
  public var onDuplicate = DuplicatePolicy.join

  /// Makes a request of an address, to the folder of downloads.
  ///
  /// - Throws: `AddressError` when the text is no address of `http` or `https`.
  public init(_ address: String) throws(AddressError) {
    self.init(try HTTPURL(parsing: address))
  }

  /// Makes a request of an address, to the folder of downloads.
  public init(_ url: HTTPURL) {
    self.url = url
    folder = .downloads
  }
}

extension RecordPath {
  /// The folder of downloads, whichever that is.
  public static let downloads = base("downloads")

  /// The folder of a base that every manager has.
  private static func base(_ name: StaticString) -> RecordPath {
    do {
      return try RecordPath(base: "\(name)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension DownloadRequest {
  /// The record of it, and its secrets.
  ///
  /// - Throws: `RecordError` when something of it may not be stored.
  func record(
    _ id: DownloadID, position: Int64, time: Int64
  ) throws(RecordError) -> (DownloadRecord, ItemSecrets) {
    guard url.scheme == "http" || url.scheme == "https" else {
      throw RecordError("only addresses of http and https can be fetched")
    }
    if let name { try Self.check(name) }
    var record = DownloadRecord(id: id, url: url, folder: folder)
    record.position = position
    record.priority = priority
    record.state = isPaused ? .paused : starts ? .waiting : .none
    record.wantedName = name
    record.options = options
    record.added = time
    record.updated = time
    try record.check()
    var secrets = secrets
    if secrets.credentials == nil, let user = url.user {
      secrets.credentials = SecretCredentials(user: user, password: url.password ?? "")
    }
    return (record, secrets)
  }

  private static func check(_ name: String) throws(RecordError) {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
      throw RecordError("its name is not that of a file in its folder")
    }
  }
}
