/// A record that is stored and cannot be read. It stays as it is; `remove` takes it away.
public struct UnreadableRecord: Sendable, Hashable {
  /// How it can be named: its id, or where it lies when not even that can be read.
  public var name: String
  /// Its id, where that can be read.
  public var id: DownloadID?
  /// What is wrong with it, such as “its state is unknown”.
  public var reason: String

  /// Makes an entry.
  public init(name: String, id: DownloadID?, reason: String) {
    self.name = name
    self.id = id
    self.reason = reason
  }
}

/// What was read: the records that can be used, and those that cannot.
public struct RecordListing<Item: Sendable>: Sendable {
  /// What could be read, in the order asked for.
  public var items: [Item] = []
  /// What could not. It never hides the rest.
  public var unreadable: [UnreadableRecord] = []

  /// Makes an empty listing.
  public init() {}
}

/// A part of the list.
public struct RecordPage: Sendable {
  /// The records of this part, in the order asked for, and those of it that cannot be read.
  public var listing: RecordListing<DownloadRecord>
  /// How many records there are that the query is for, before and after this part as well.
  public var total: Int

  /// Makes a page.
  public init(listing: RecordListing<DownloadRecord> = RecordListing(), total: Int = 0) {
    self.listing = listing
    self.total = total
  }
}
